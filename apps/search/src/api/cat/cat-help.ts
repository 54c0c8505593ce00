import { defineRoute, type Route } from '../define-route.ts'

/** `GET /_cat`: the paths of all tables, one a line. */
export function catHelp(tables: readonly Route[]): Route {
  const paths = tables.flatMap((table) => table.paths).sort()
  return defineRoute({
    name: 'cat.help',
    methods: ['GET'],
    paths: ['/_cat'],
    privilege: 'authenticated',
    parameters: {},
    handle: async () => ({ text: `=^.^=\n${paths.join('\n')}\n` }),
  })
}
