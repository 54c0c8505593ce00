import { type Parameter, parseQuery } from '@logstack/esql'
import { parseBulk } from '../documents/bulk-parser.ts'
import type { Scope } from '../model/scope.ts'
import { systemScope } from '../security/role-scope.ts'
import type { OpenServices } from '../testing/search-services.ts'
import { type EsqlAnswer, runEsql } from './run-esql.ts'

/** Runs a query in this process, over all indices that are open. */
export async function ask(
  services: OpenServices,
  text: string,
  { params = [], scope = systemScope, filter }: { params?: readonly Parameter[]; scope?: Scope; filter?: unknown } = {},
): Promise<EsqlAnswer> {
  return runEsql(services, {
    query: parseQuery(text, params),
    ...(filter === undefined ? {} : { filter: () => Promise.resolve(filter) }),
    scope,
    version: { number: '8.19.2', build_date: '2026-01-01', build_hash: 'abc' },
    signal: new AbortController().signal,
    resolve: (expression) =>
      services.catalogue.resolve(expression, {
        ignoreUnavailable: false,
        allowNoIndices: true,
        expand: ['open'],
        forbidClosed: true,
        ignoreAliases: false,
      }),
  })
}

/** Writes documents to an index. */
export async function write(services: OpenServices, index: string, documents: readonly object[]): Promise<void> {
  const lines = documents.flatMap((document) => [JSON.stringify({ index: {} }), JSON.stringify(document)])
  const compileScript = (): never => {
    throw new Error('BUG: these documents have no scripts')
  }
  const body = Buffer.from(`${lines.join('\n')}\n`)
  for (const result of await services.documents.apply(parseBulk(body, { index, compileScript })))
    if ('error' in result) throw result.error
}
