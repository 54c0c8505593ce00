import { defineRoute } from '../define-route.ts'
import { nameMatcher } from '../resources/show-index.ts'
import { type CatColumn, catAnswer, catParameters } from './table.ts'

interface TemplateRow {
  readonly name: string
  readonly patterns: readonly unknown[]
  readonly order: unknown
  readonly version: unknown
  /** Undefined for templates of the older kind. */
  readonly composedOf: readonly unknown[] | undefined
}

const shown = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

const columns: readonly CatColumn<TemplateRow>[] = [
  { name: 'name', aliases: ['n'], description: 'template name', shown: true, cell: ({ name }) => name },
  {
    name: 'index_patterns',
    aliases: ['t'],
    description: 'template index patterns',
    shown: true,
    cell: ({ patterns }) => `[${patterns.map(String).join(', ')}]`,
  },
  {
    name: 'order',
    aliases: ['o', 'p'],
    description: 'template application order/priority number',
    shown: true,
    cell: ({ order }) => shown(order),
  },
  { name: 'version', aliases: ['v'], description: 'version', shown: true, cell: ({ version }) => shown(version) },
  {
    name: 'composed_of',
    aliases: ['c'],
    description: 'component templates comprising index template',
    shown: true,
    cell: ({ composedOf }) => (composedOf ? `[${composedOf.map(String).join(', ')}]` : ''),
  },
]

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : value === undefined ? [] : [value]
}

/** `GET /_cat/templates`: index templates and those of the older kind. */
export const templateTable = defineRoute({
  name: 'cat.templates',
  methods: ['GET'],
  paths: ['/_cat/templates', '/_cat/templates/{name}'],
  privilege: { cluster: 'monitor' },
  parameters: catParameters,
  handle: (request, { catalogue }) =>
    catAnswer(request, columns, () => {
      const wanted = nameMatcher(request.params['name'])
      const rows = (kind: string, orderKey: string, composed: boolean): TemplateRow[] =>
        [...catalogue.collection<Readonly<Record<string, unknown>>>(kind).entries()]
          .filter(([name]) => wanted(name))
          .map(([name, body]) => ({
            name,
            patterns: list(body['index_patterns']),
            order: body[orderKey],
            version: body['version'],
            composedOf: composed ? list(body['composed_of']) : undefined,
          }))
      return [...rows('template', 'order', false), ...rows('index_template', 'priority', true)]
    }),
})
