import { AppError, searchErrors } from '@logstack/errors'
import { refuseBlocked } from '../../indices/blocks.ts'
import type { ResolvedIndex } from '../../indices/resolve.ts'
import { resolveOptions } from '../../indices/resolve-options.ts'
import { shardsOf } from '../../indices/shards.ts'
import { isObject } from '../../json/json-object.ts'
import { validationError } from '../../refusals/validation-error.ts'
import type { Services } from '../../services.ts'
import type { RouteRequest } from '../define-route.ts'
import { indicesOptionParameters, requireIndices, resolveAuthorized } from '../resources/authorized-indices.ts'
import {
  queryOfParameters,
  sortOfParameter,
  queryParameters as urlQueryParameters,
} from '../search/search-parameters.ts'
import type { ByQueryMatch, ByQueryOptions } from './by-query-run.ts'
import { writeParameters, writeWaitsOf } from './write-documents.ts'

const batchSizeDefault = 1000
const batchSizeMax = 10_000
/** What `slices=auto` comes to at most, as in Elasticsearch. */
const autoSlicesMax = 20
const slicesMax = 1024

/** Parameters of all by-query requests. */
export const byQueryParameters = {
  ...writeParameters,
  conflicts: 'string',
  max_docs: 'integer',
  requests_per_second: 'string',
  scroll: 'time',
  slices: 'string',
  wait_for_completion: 'boolean',
} as const

/** Parameters of `_update_by_query` and `_delete_by_query`. */
export const queryParameters = {
  ...byQueryParameters,
  ...indicesOptionParameters,
  ...urlQueryParameters,
  from: 'integer',
  scroll_size: 'integer',
  search_timeout: 'time',
  search_type: 'string',
  preference: 'string',
  request_cache: 'boolean',
  size: 'integer',
  sort: 'string',
  stats: 'list',
  terminate_after: 'integer',
  version: 'boolean',
} as const

/** The body of a by-query request. */
export type ByQueryBody = Readonly<Record<string, unknown>>

function invalid(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

/** What all by-query requests have in common: their options, and what they are about, which is looked for when the options have been read. */
export function readOptions(
  request: RouteRequest,
  body: ByQueryBody,
  find: () => readonly ResolvedIndex[],
): { readonly options: Omit<ByQueryOptions, 'kind' | 'make'>; readonly indices: readonly ResolvedIndex[] } {
  const { query } = request
  if (query['routing'] !== undefined) throw invalid('[routing] of by-query requests is not supported')
  const maxDocs = readMaxDocs([query['max_docs'], query['size'], body['max_docs'], body['size']])
  const asked = readSlices(query['slices'])
  if (asked !== 'auto' && maxDocs < asked) throw invalid(`[max_docs] should be >= [slices]`)
  const rate = query['requests_per_second']
  const shared = {
    scope: request.scope,
    maxDocs,
    proceed: readProceed(query['conflicts'] ?? body['conflicts']),
    rate: rate === undefined ? Number.POSITIVE_INFINITY : readRate(rate),
    waits: writeWaitsOf(query),
  }
  const indices = find()
  return { options: { ...shared, slices: asked === 'auto' ? autoSlices(indices, maxDocs) : asked }, indices }
}

/** As many as the index with the fewest shards has. */
function autoSlices(indices: readonly ResolvedIndex[], maxDocs: number): number {
  const shards = indices.map(({ index }) => shardsOf(index).primaries)
  return Math.max(1, Math.min(autoSlicesMax, maxDocs, ...shards))
}

function readSlices(given: unknown): number | 'auto' {
  if (given === undefined) return 1
  if (given === 'auto') return 'auto'
  const slices = Number(given)
  if (!Number.isInteger(slices) || slices < 1) {
    throw invalid('[slices] must be a positive integer or the string "auto"')
  }
  if (slices > slicesMax)
    throw invalid(`The number of slices [${slices}] is too large. It must be less than [${slicesMax}].`)
  return slices
}

/** Reads `conflicts`: whether to go on after a version conflict. */
export function readProceed(given: unknown): boolean {
  if (given === undefined || given === 'abort') return false
  if (given === 'proceed') return true
  throw invalid(`conflicts may only be "proceed" or "abort" but was [${shown(given)}]`)
}

function readMaxDocs(all: readonly unknown[]): number {
  const [given, other] = [...new Set(all.filter((value) => value !== undefined))]
  if (other !== undefined) {
    throw invalid(`[max_docs] set to two different values [${shown(other)}] and [${shown(given)}]`)
  }
  if (given === undefined || given === -1) return Number.POSITIVE_INFINITY
  if (typeof given === 'number' && Number.isInteger(given) && given > 0) return given
  throw validationError(
    `[max_docs] parameter cannot be negative, found [${shown(given)}], it limits the documents and -1 means all of them`,
  )
}

/** What was sent, in an error about it; an object's own `toString` is not asked. */
function shown(given: unknown): string {
  return typeof given === 'string' ? given : JSON.stringify(given)
}

/** Reads how many documents are worked on at a time, without what stands behind the point. */
export function readBatchSize(given: unknown): number {
  if (given === undefined) return batchSizeDefault
  if (typeof given === 'string') {
    const size = /^[+-]?\d+$/.test(given) ? Number(given) : undefined
    if (size !== undefined) return readBatchSize(size)
    const cause = new AppError(searchErrors.number_format_exception, `For input string: "${given}"`)
    throw new AppError(searchErrors.x_content_parse_exception, '[reindex] failed to parse field [source]', { cause })
  }
  const size = typeof given === 'number' ? Math.trunc(given) : 0
  if (size > 0 && size <= batchSizeMax) return size
  throw validationError(`batch size must be greater than 0 and at most ${batchSizeMax}, not [${shown(given)}]`)
}

/**
 * Which documents a request is about: its body's query or what `q` says in the URL, in the order of both their sorts, those alone of one slice, and no more of
 * each shard than `terminate_after`.
 */
export function readSelection({ query }: RouteRequest, body: ByQueryBody): Selection {
  const { sort, terminate_after } = query
  const given = body['sort'] === undefined ? [] : [body['sort']].flat()
  const sorts = [...given, ...(typeof sort === 'string' ? sortOfParameter(sort) : [])]
  return {
    query: queryOfParameters(query) ?? body['query'],
    slice: readSlice(body['slice'], query['slices']),
    sort: sorts.length === 0 ? undefined : sorts,
    terminateAfter: readTerminateAfter(terminate_after ?? body['terminate_after']),
    batchSize: readBatchSize(query['scroll_size']),
  }
}

/** What `readSelection` says of documents. */
type Selection = Pick<ByQueryMatch, 'query' | 'slice' | 'sort' | 'terminateAfter' | 'batchSize'>

function readTerminateAfter(given: unknown): number {
  if (given === undefined || given === 0) return Number.POSITIVE_INFINITY
  if (typeof given === 'number' && Number.isInteger(given) && given > 0) return given
  throw invalid('terminateAfter must be > 0')
}

/** Reads `slice: { id, max }` of a body: the part of the documents a client takes for itself. Workers (`slices`) would each take another. */
export function readSlice(given: unknown, slices: unknown): { readonly id: number; readonly max: number } | undefined {
  if (given === undefined) return undefined
  if (slices !== undefined && slices !== '1')
    throw validationError("can't specify both manual and automatic slicing at the same time")
  if (!isObject(given)) throw new AppError(searchErrors.parsing_exception, '[slice] must be an object')
  const { id, max, field: _field } = given
  if (typeof id !== 'number' || !Number.isInteger(id) || id < 0) throw invalid('id must be greater than or equal to 0')
  if (typeof max !== 'number' || !Number.isInteger(max) || max <= 1) throw invalid('max must be greater than 1')
  if (id >= max) throw invalid('max must be greater than id')
  return { id, max }
}

/** The indices of a by-query request: the caller may read them, and do `privilege` to them. */
export function findSources(
  request: RouteRequest,
  services: Services,
  route: string,
  privilege: string,
  expression: string,
): readonly ResolvedIndex[] {
  const options = resolveOptions(request.query, { expand: ['open'], forbidClosed: true })
  const found = resolveAuthorized(request, services, { route, privilege, expression, options })
  const names = found.map(({ index }) => index.name)
  requireIndices(request.scope, route, 'read', names)
  for (const { index } of found) refuseBlocked(index, 'read')
  return found
}

const kinds: readonly (readonly [(value: unknown) => boolean, string])[] = [
  [Array.isArray, 'START_ARRAY'],
  [(value) => value === null, 'VALUE_NULL'],
  [(value) => typeof value === 'object', 'START_OBJECT'],
  [(value) => typeof value === 'boolean', 'VALUE_BOOLEAN'],
  [(value) => typeof value === 'string', 'VALUE_STRING'],
  [() => true, 'VALUE_NUMBER'],
]

/** Refuses keys that searches know but jobs cannot use, and those that nobody knows, in Elasticsearch's words. */
export function checkSearchKeys(body: ByQueryBody, known: readonly string[]): void {
  for (const name of ['from', 'stored_fields']) {
    if (body[name] !== undefined && !known.includes(name))
      throw validationError(`${name} is not supported in this context`)
  }
  const unknown = Object.keys(body).find((key) => !known.includes(key))
  if (unknown === undefined) return
  const kind = kinds.find(([is]) => is(body[unknown]))?.[1]
  throw new AppError(searchErrors.parsing_exception, `Unknown key for a ${kind} in [${unknown}].`, {
    detail: { line: 1, col: 1 },
  })
}

/** Reads `requests_per_second`: documents a second, Infinity for `-1`. */
export function readRate(given: unknown): number {
  if (given === '-1') return Number.POSITIVE_INFINITY
  const rate = typeof given === 'string' && given.trim() !== '' ? Number(given) : Number.NaN
  if (rate > 0 && Number.isFinite(rate)) return rate
  throw new AppError(
    searchErrors.illegal_argument_exception,
    '[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.',
  )
}
