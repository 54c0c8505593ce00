import { illegalArgument, parsingError } from '../dsl/shapes/refuse.ts'
import type { Literal } from '../esql/ast.ts'
import { parseQuery } from '../esql/parse-query.ts'
import { type EsqlAnswer, runEsql } from '../esql/run-esql.ts'
import type { Parameter } from '../esql/token-reader.ts'
import type { Services } from '../services.ts'
import { resolveAuthorized, resolveOptions } from './authorized-indices.ts'
import { defineRoute, type RouteRequest } from './define-route.ts'
import { answerParameters, rendered, warningHeaders } from './esql-answer.ts'
import { isObject, parseExactBody } from './read-request.ts'
import { apiVersion } from './root.ts'

const bodyKeys = new Set([
  'query',
  'filter',
  'params',
  'columnar',
  'locale',
  'profile',
  'include_ccs_metadata',
  'version',
])

/** `_query`: an ES|QL query. */
export const esqlRoute = defineRoute({
  name: 'esql.query',
  methods: ['POST'],
  paths: ['/_query'],
  privilege: 'authenticated',
  parameters: { ...answerParameters, allow_partial_results: 'boolean' },
  isTable: true,
  async handle(request, services) {
    const from = performance.now()
    const body = readBody(request)
    const answer = await answerOf(request, services, body)
    const took = Math.round(performance.now() - from)
    const written = rendered(answer, { request, columnar: body.columnar, took })
    return { ...written, headers: { ...written.headers, ...warningHeaders(answer) } }
  },
})

interface EsqlBody {
  readonly query: string
  readonly filter: unknown
  readonly params: readonly Parameter[]
  readonly columnar: boolean
}

function readBody(request: RouteRequest): EsqlBody {
  const body = parseExactBody(request)
  if (!isObject(body)) throw parsingError('Required [query]')
  for (const key of Object.keys(body)) if (!bodyKeys.has(key)) throw parsingError(`[esql/query] unknown field [${key}]`)
  const { query, filter, params, columnar } = body
  if (typeof query !== 'string' || query.trim() === '') throw illegalArgument('[query] is required')
  return { query, filter, params: readParams(params), columnar: columnar === true }
}

function readParams(given: unknown): Parameter[] {
  if (given === undefined) return []
  if (!Array.isArray(given)) throw parsingError('[params] must be a list')
  return given.map((each: unknown): Parameter => {
    if (!isObject(each)) return { name: undefined, value: each as Literal, kind: 'value' }
    const [[name, value] = ['', null]] = Object.entries(each)
    if (!isObject(value)) return { name, value: value as Literal, kind: 'value' }
    const [[kind, said] = ['value', null]] = Object.entries(value)
    return { name, value: said as Literal, kind: kind === 'identifier' || kind === 'pattern' ? kind : 'value' }
  })
}

function answerOf({ scope, signal }: RouteRequest, services: Services, body: EsqlBody): Promise<EsqlAnswer> {
  return runEsql(services, {
    query: parseQuery(body.query, body.params),
    filter: body.filter,
    scope,
    signal,
    version: apiVersion,
    resolve: (expression) =>
      resolveAuthorized({ scope }, services, {
        route: 'esql.query',
        privilege: 'read',
        expression,
        options: resolveOptions({}, { forbidClosed: true }),
      }),
  })
}
