import { isAppError } from '@logstack/errors'
import { jsonFaultError } from '../../json/json-fault.ts'
import { isObject } from '../../json/json-object.ts'
import { parseExactJson } from '../../json/source-json.ts'
import { illegalArgument, isOfRequest, parsingError } from '../../refusals/refuse.ts'
import { validationError } from '../../refusals/validation-error.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type RouteAnswer, type RouteRequest } from '../define-route.ts'
import { renderError } from '../render-error.ts'
import { checkTotalAsInteger, runSearch } from './run-search.ts'

/** Searches of one request that run at once. */
const concurrentMax = 4
/** Searches in one request. */
const searchesMax = 1000

const headerKeys = new Set([
  'index',
  'ignore_unavailable',
  'allow_no_indices',
  'expand_wildcards',
  'ignore_throttled',
  'search_type',
  'preference',
  'routing',
  'request_cache',
  'allow_partial_search_results',
  'ccs_minimize_roundtrips',
])

interface Item {
  readonly header: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** Parameters of requests of several searches. */
export const msearchParameters = {
  max_concurrent_searches: 'integer',
  max_concurrent_shard_requests: 'integer',
  pre_filter_shard_size: 'integer',
  typed_keys: 'boolean',
  include_named_queries_score: 'boolean',
  rest_total_hits_as_int: 'boolean',
  search_type: ['query_then_fetch', 'dfs_query_then_fetch'],
  ccs_minimize_roundtrips: 'boolean',
  ignore_unavailable: 'boolean',
  ignore_throttled: 'boolean',
  allow_no_indices: 'boolean',
  expand_wildcards: 'list',
} as const

/** `_msearch`: several searches at once; each fails for itself. */
export const msearchRoute = defineRoute({
  name: 'msearch',
  methods: ['GET', 'POST'],
  paths: ['/_msearch', '/{index}/_msearch'],
  privilege: 'authenticated',
  somewhere: { privilege: 'read', of: 'items' },
  parameters: msearchParameters,
  handle(request, services) {
    const items = readItems(request.body)
    if (request.query['rest_total_hits_as_int'] === true) for (const item of items) checkTotalAsInteger(item.body)
    if (Number(request.query['max_concurrent_searches'] ?? 1) < 1)
      throw illegalArgument('maxConcurrentSearchRequests must be positive')
    return answerItems(services, request, items, { bodyOf: (body) => body, areBodiesRead: true })
  },
})

/** Runs the searches whose bodies `bodyOf` makes of what stands in the request; each fails for itself, but `check` throws for all of them. */
export function runMultiSearch(
  services: Services,
  request: RouteRequest,
  bodyOf: (given: unknown) => unknown,
  check: (given: unknown) => void,
): Promise<RouteAnswer> {
  const items = readItems(request.body)
  for (const { body } of items) check(body)
  return answerItems(services, request, items, {
    bodyOf(given) {
      const body = bodyOf(given)
      if (request.query['rest_total_hits_as_int'] === true) checkTotalAsInteger(body)
      return body
    },
    areBodiesRead: false,
  })
}

/** What the searches of a request are made of. */
interface Bodies {
  bodyOf(given: unknown): unknown
  /** Whether the bodies are read with the request: what is wrong in one then fails all of it. */
  readonly areBodiesRead: boolean
}

async function answerItems(
  services: Services,
  request: RouteRequest,
  items: readonly Item[],
  bodies: Bodies,
): Promise<RouteAnswer> {
  const startedAtMs = performance.now()
  const answers: Buffer[] = new Array<Buffer>(items.length)
  let next = 0
  const work = async () => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at]
      if (item) answers[at] = await answer(services, request, item, bodies)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrentMax, items.length) }, work))
  const took = Math.round(performance.now() - startedAtMs)
  const joined = answers.flatMap((each, at) => (at === 0 ? [each] : [Buffer.from(','), each]))
  return { jsonBytes: Buffer.concat([Buffer.from(`{"took":${took},"responses":[`), ...joined, Buffer.from(']}')]) }
}

async function answer(
  services: Services,
  request: RouteRequest,
  item: Item,
  { bodyOf, areBodiesRead }: Bodies,
): Promise<Buffer> {
  try {
    const { index } = item.header
    const json = await runSearch(services, {
      scope: request.scope,
      signal: request.signal,
      expression: index === undefined || index === null ? (request.params['index'] ?? '') : [index].flat().join(','),
      query: { ...request.query, ...options(item.header) },
      body: bodyOf(item.body),
      route: 'search',
    })
    return Buffer.concat([json.subarray(0, -1), Buffer.from(',"status":200}')])
  } catch (thrown) {
    if (!isAppError(thrown) || request.signal.aborted || (areBodiesRead && isOfRequest(thrown))) throw thrown
    const { body, status } = renderError(thrown, { trace: request.errorTrace === true })
    return Buffer.from(JSON.stringify({ ...(isObject(body) ? body : {}), status }))
  }
}

/** The options of an item's header in the form that parameters of the URL have. */
function options(header: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(header)) {
    if (name === 'index' || value === null) continue
    if (name === 'expand_wildcards') read[name] = Array.isArray(value) ? value : String(value).split(',')
    else read[name] = value === 'true' ? true : value === 'false' ? false : value
  }
  return read
}

function readItems(body: Buffer): Item[] {
  if (body.length === 0) throw validationError('no requests added')
  const lines = body.toString('utf8').split(/\r?\n/u)
  if (lines.at(-1) !== '') throw parsingError('The msearch request must be terminated by a newline [\n]')
  lines.pop()
  const items: Item[] = []
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const header = lines[at]?.trim() === '' ? {} : parseLine(lines[at] ?? '')
    if (!isObject(header)) throw parsingError('an item of _msearch begins with an object')
    for (const key of Object.keys(header))
      if (!headerKeys.has(key)) throw illegalArgument(`key [${key}] is not supported in the metadata section`)
    items.push({ header, body: parseLine(lines[at + 1] ?? '') })
  }
  if (items.length === 0) throw validationError('no requests added')
  if (items.length > searchesMax) throw validationError(`more than [${searchesMax}] searches in one request`)
  return items
}

function parseLine(line: string): unknown {
  try {
    return parseExactJson(line)
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown
    throw jsonFaultError(line)
  }
}
