import { AppError, searchErrors } from '@logstack/errors'
import type { ResolvedIndex } from '../indices/catalogue.ts'
import type { Script } from '../painless/script.ts'
import type { Services } from '../services.ts'
import { indicesOptionParameters, requireIndices, resolveAuthorized, resolveOptions } from './authorized-indices.ts'
import { type ByQueryOptions, type MakeWrite, runByQuery, runScript } from './by-query-run.ts'
import { defineRoute, type Route, type RouteRequest } from './define-route.ts'
import { findMatching, type MatchRequest } from './matching-documents.ts'
import { isObject, objectBody } from './read-request.ts'
import { validationError } from './render-error.ts'
import { bodySourceChoice, type SourceChoice, shownSource } from './source-filter.ts'
import { requestScript, writeParameters } from './write-documents.ts'

const batchSizeDefault = 1000
const batchSizeMax = 10_000

/** Parameters of all three; those about how the work is cut up change nothing in its result. */
const byQueryParameters = {
  ...writeParameters,
  conflicts: 'string',
  max_docs: 'integer',
  requests_per_second: 'string',
  scroll: 'time',
  slices: 'string',
  wait_for_completion: 'boolean',
} as const

const queryParameters = {
  ...byQueryParameters,
  ...indicesOptionParameters,
  scroll_size: 'integer',
  search_timeout: 'time',
  search_type: 'string',
  preference: 'string',
  request_cache: 'boolean',
  size: 'integer',
  q: 'string',
  df: 'string',
  default_operator: ['AND', 'OR', 'and', 'or'],
  analyzer: 'string',
  analyze_wildcard: 'boolean',
  lenient: 'boolean',
} as const

type Body = Readonly<Record<string, unknown>>

function options(request: RouteRequest, body: Body, kind: ByQueryOptions['kind'], make: MakeWrite): ByQueryOptions {
  const { query } = request
  if (query['wait_for_completion'] === false) {
    throw new AppError(
      searchErrors.illegal_argument_exception,
      '[wait_for_completion] must be true: there is no list of tasks to come back to yet',
    )
  }
  if (query['routing'] !== undefined) throw invalid('[routing] of by-query requests is not supported')
  const maxDocs = readMaxDocs([query['max_docs'], query['size'], body['max_docs'], body['size']])
  checkSlices(query['slices'], maxDocs)
  return {
    kind,
    make,
    scope: request.scope,
    signal: request.signal,
    maxDocs,
    proceed: readProceed(query['conflicts'] ?? body['conflicts']),
    rate: readRate(query['requests_per_second']),
    activeShards: query['wait_for_active_shards'],
  }
}

/** However the work is cut up, it is done as one; the number of slices only must make sense. */
function checkSlices(given: unknown, maxDocs: number): void {
  if (given === undefined || given === 'auto') return
  const slices = Number(given)
  if (!Number.isInteger(slices) || slices < 1) {
    throw invalid('[slices] must be a positive integer or the string "auto"')
  }
  if (maxDocs < slices) throw invalid(`[max_docs] should be >= [slices]`)
}

function readProceed(given: unknown): boolean {
  if (given === undefined || given === 'abort') return false
  if (given === 'proceed') return true
  throw invalid(`conflicts may only be "proceed" or "abort" but was [${String(given)}]`)
}

function invalid(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

function readMaxDocs(all: readonly unknown[]): number {
  const [given, other] = [...new Set(all.filter((value) => value !== undefined))]
  if (other !== undefined) {
    throw invalid(`[max_docs] set to two different values [${String(other)}] and [${String(given)}]`)
  }
  if (given === undefined || given === -1) return Number.POSITIVE_INFINITY
  if (typeof given === 'number' && Number.isInteger(given) && given > 0) return given
  throw validationError(
    `[max_docs] parameter cannot be negative, found [${String(given)}], it limits the documents and -1 means all of them`,
  )
}

function readRate(given: unknown): number {
  if (given === undefined || given === '-1') return Number.POSITIVE_INFINITY
  const rate = Number(given)
  if (rate > 0) return rate
  throw new AppError(
    searchErrors.illegal_argument_exception,
    '[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.',
  )
}

function batchSize(given: unknown): number {
  if (given === undefined) return batchSizeDefault
  if (typeof given === 'number' && given > 0 && given <= batchSizeMax) return given
  throw validationError(`batch size must be greater than 0 and at most ${batchSizeMax}, not [${String(given)}]`)
}

/** The query of a request: its body's, and what `q` says in the query string. */
function queryOf(request: RouteRequest, body: Body): unknown {
  const { q, df, default_operator, analyze_wildcard, lenient } = request.query
  if (typeof q !== 'string') return body['query']
  return {
    query_string: {
      query: q,
      ...(df === undefined ? {} : { default_field: df }),
      ...(default_operator === undefined ? {} : { default_operator: String(default_operator).toLowerCase() }),
      ...(analyze_wildcard === undefined ? {} : { analyze_wildcard }),
      ...(lenient === undefined ? {} : { lenient }),
    },
  }
}

function find(
  request: RouteRequest,
  services: Services,
  route: string,
  privilege: string,
  expression: string,
): readonly ResolvedIndex[] {
  const asked = { expand: ['open'], forbidClosed: true } as const
  const found = resolveAuthorized(request, services, {
    route,
    privilege,
    expression,
    options: resolveOptions(request.query, asked),
  })
  requireIndices(
    request.scope,
    route,
    'read',
    found.map(({ index }) => index.name),
  )
  return found
}

const bodyKeys = {
  update_by_query: ['query', 'script', 'max_docs', 'conflicts', 'size'],
  delete_by_query: ['query', 'max_docs', 'conflicts', 'size'],
} as const

function readBody(request: RouteRequest, route: keyof typeof bodyKeys): Body {
  const given = request.json() ?? {}
  const body = objectBody(given, route)
  const known: readonly string[] = bodyKeys[route]
  const unknown = Object.keys(body).find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw new AppError(searchErrors.parsing_exception, `unknown field [${unknown}]`, { detail: { line: 1, col: 1 } })
  return body
}

const concurrency = (seqNo: number) => ({ ifSeqNo: seqNo, ifPrimaryTerm: 1 })

/** Rewrites a document, after its script when there is one. */
function updating(script: Script | undefined, nowMs: number, pipeline: unknown): MakeWrite {
  return (document) => {
    const { index, id, seqNo, routing } = document
    const target = {
      ...(typeof pipeline === 'string' ? { pipeline } : {}),
      index: index.name,
      id,
      ...(routing === '' ? {} : { routing }),
      ...concurrency(seqNo),
    }
    if (!script) return { action: 'index', ...target, source: document.source }
    const { op, source } = runScript(script, document, nowMs)
    if (op === 'noop') return 'noop'
    return op === 'delete' ? { action: 'delete', ...target } : { action: 'index', ...target, source }
  }
}

/** Finds and writes; the documents found stay readable until the last of them is written. */
async function runOver(services: Services, run: ByQueryOptions, request: MatchRequest): ReturnType<typeof runByQuery> {
  const release = services.documents.hold()
  try {
    return await runByQuery(services, await findMatching(services, request), run)
  } finally {
    release()
  }
}

const updateByQuery = defineRoute({
  name: 'update_by_query',
  methods: ['POST'],
  paths: ['/{index}/_update_by_query'],
  privilege: { index: 'index' },
  parameters: queryParameters,
  async handle(request, services) {
    const body = readBody(request, 'update_by_query')
    const script = body['script'] === undefined ? undefined : requestScript(services)(body['script'])
    const run = options(request, body, 'update', updating(script, services.now(), request.query['pipeline']))
    const indices = find(request, services, 'update_by_query', 'index', request.params['index'] ?? '')
    return runOver(services, run, {
      indices,
      scope: request.scope,
      query: queryOf(request, body),
      batchSize: batchSize(request.query['scroll_size']),
      signal: request.signal,
    })
  },
})

const deleteByQuery = defineRoute({
  name: 'delete_by_query',
  methods: ['POST'],
  paths: ['/{index}/_delete_by_query'],
  privilege: { index: 'delete' },
  parameters: queryParameters,
  async handle(request, services) {
    const body = readBody(request, 'delete_by_query')
    const query = queryOf(request, body)
    if (query === undefined) throw validationError('query is missing')
    const remove: MakeWrite = ({ index, id, seqNo, routing }) => ({
      action: 'delete',
      index: index.name,
      id,
      ...(routing === '' ? {} : { routing }),
      ...concurrency(seqNo),
    })
    const run = options(request, body, 'delete', remove)
    const indices = find(request, services, 'delete_by_query', 'delete', request.params['index'] ?? '')
    return runOver(services, run, {
      indices,
      scope: request.scope,
      query,
      batchSize: batchSize(request.query['scroll_size']),
      signal: request.signal,
    })
  },
})

const reindexKeys = ['source', 'dest', 'script', 'conflicts', 'max_docs', 'size']

function part(body: Body, name: 'source' | 'dest'): Body {
  const given = body[name]
  if (isObject(given)) {
    const known: readonly string[] = keysOfParts[name]
    const unknown = Object.keys(given).find((key) => !known.includes(key))
    if (unknown !== undefined) {
      throw new AppError(searchErrors.x_content_parse_exception, `[${name}] unknown field [${unknown}]`)
    }
    return given
  }
  throw new AppError(searchErrors.illegal_argument_exception, `Required [${name}]`)
}

/** `dest.routing`: `keep` (as it was), `discard`, or `=text`. */
function readRouting(given: unknown): (own: string | undefined) => { readonly routing?: string } {
  if (given === 'discard') return () => ({})
  if (typeof given === 'string' && given.startsWith('=')) return () => ({ routing: given.slice(1) })
  if (given === undefined || given === 'keep') return (own) => (own === undefined ? {} : { routing: own })
  throw invalid(`routing must be 'keep', 'discard' or '=<text>', not [${String(given)}]`)
}

const keysOfParts = {
  source: ['index', 'query', 'size', 'remote', '_source'],
  dest: ['index', 'op_type', 'version_type', 'pipeline', 'routing'],
} as const

/** Copies a document to another index, after its script when there is one. */
function copying(dest: Body, choice: SourceChoice, script: Script | undefined, nowMs: number): MakeWrite {
  const { index, op_type, version_type, pipeline } = dest
  const reroute = readRouting(dest['routing'])
  const action = op_type === 'create' ? 'create' : 'index'
  return (found) => {
    const document = { ...found, source: shownSource(found.source, choice) ?? Buffer.from('{}') }
    const scripted = script && runScript(script, document, nowMs, String(index))
    if (scripted?.op === 'noop') return 'noop'
    const unscripted = {
      _index: index,
      _id: document.id,
      _version: document.version,
      _routing: document.routing || null,
    }
    const { _index, _id, _version, _routing } = { ...unscripted, ...scripted?.ctx }
    const target = {
      index: String(_index),
      ...(_id === null ? {} : { id: String(_id) }),
      ...reroute(typeof _routing === 'string' ? _routing : undefined),
      ...(typeof pipeline === 'string' ? { pipeline } : {}),
      ...(version_type === 'external' || version_type === 'external_gte'
        ? ({ versionType: version_type, version: Number(_version) } as const)
        : {}),
    }
    if (scripted?.op === 'delete') return { action: 'delete', ...target }
    return { action, ...target, source: scripted?.source ?? document.source }
  }
}

const reindex = defineRoute({
  name: 'reindex',
  methods: ['POST'],
  paths: ['/_reindex'],
  privilege: 'authenticated',
  parameters: byQueryParameters,
  async handle(request, services) {
    const body = objectBody(request.json(), 'reindex')
    const unknown = Object.keys(body).find((key) => !reindexKeys.includes(key))
    if (unknown !== undefined)
      throw new AppError(searchErrors.x_content_parse_exception, `[reindex] unknown field [${unknown}]`)
    const source = part(body, 'source')
    const dest = part(body, 'dest')
    if (source['remote'] !== undefined)
      throw new AppError(searchErrors.illegal_argument_exception, '[source.remote] is not supported yet')
    const names = (
      Array.isArray(source['index']) ? source['index'] : source['index'] === undefined ? [] : [source['index']]
    ).map(String)
    if (names.length === 0) throw validationError('use _all if you really want to copy from all existing indexes')
    if (typeof dest['index'] !== 'string') throw validationError('index is missing')
    const script = body['script'] === undefined ? undefined : requestScript(services)(body['script'])
    const run = options(
      request,
      body,
      'reindex',
      copying(dest, bodySourceChoice(source['_source']) ?? true, script, services.now()),
    )
    const indices = find(request, services, 'reindex', 'read', names.join(','))
    if (indices.some(({ index }) => index.name === dest['index'])) {
      throw validationError(`reindex cannot write into an index its reading from [${dest['index']}]`)
    }
    return runOver(services, run, {
      indices,
      scope: request.scope,
      query: source['query'],
      batchSize: batchSize(source['size']),
      signal: request.signal,
    })
  },
})

/** Writes to what a query finds. */
export const byQueryRoutes: readonly Route[] = [updateByQuery, deleteByQuery, reindex]
