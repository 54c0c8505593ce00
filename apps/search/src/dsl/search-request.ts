import { AppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import { timeUnitsMs } from '../cluster-settings/unit-values.ts'
import { type DerivedObject, derivedObjects, resolveDerivedFields } from '../indices/derived-fields.ts'
import { jsonToken } from '../indices/json-token.ts'
import type { ResolvedField } from '../indices/model.ts'
import { resolveRuntimeFields } from '../indices/runtime-fields.ts'
import { type IndicesBoost, readIndicesBoost } from '../plan/indices-boost.ts'
import { readSuggest, type SuggestRequest } from '../suggest/read-suggest.ts'
import { readAggregations } from './aggregations/read.ts'
import { type Collapse, collapseSchema } from './collapse.ts'
import type { AggregationNode } from './define-aggregation.ts'
import { type HighlightField, readHighlight } from './highlight-request.ts'
import { type Rescore, rescoreSchema } from './rescore.ts'
import { illegalArgument, parsingError } from './shapes/refuse.ts'
import { decimal, flag, oneOrMany, scalar, whole } from './shapes/scalars.ts'
import { type Slice, sliceSchema } from './slice.ts'
import { readSort, type SortCriterion, sortSchema } from './sort/read-sort.ts'
import { readSourceFilter, type SourceFilter, sourceFilterSchema } from './source-filter.ts'

const fieldAndFormat = z.union([
  z.string().transform((field) => ({ field, format: undefined })),
  z
    .strictObject({ field: z.string(), format: z.string().optional(), include_unmapped: flag.optional() })
    .transform(({ field, format }) => ({ field, format })),
])
const scriptField = z.strictObject({ script: z.unknown(), ignore_failure: flag.optional() })

const schema = z.strictObject({
  query: z.unknown().optional(),
  post_filter: z.unknown().optional(),
  aggs: z.unknown().optional(),
  aggregations: z.unknown().optional(),
  size: whole.optional(),
  from: whole.optional(),
  sort: sortSchema.optional(),
  search_after: z.array(scalar.nullable()).optional(),
  _source: sourceFilterSchema.optional(),
  fields: z.array(fieldAndFormat).optional(),
  docvalue_fields: z.array(fieldAndFormat).optional(),
  stored_fields: oneOrMany(z.string()).optional(),
  script_fields: z.record(z.string(), scriptField).optional(),
  runtime_mappings: z.unknown().optional(),
  derived: z.unknown().optional(),
  track_total_hits: z.union([flag, whole]).optional(),
  track_scores: flag.optional(),
  min_score: decimal.optional(),
  version: flag.optional(),
  seq_no_primary_term: flag.optional(),
  explain: flag.optional(),
  rescore: rescoreSchema.optional(),
  profile: flag.optional(),
  collapse: collapseSchema.optional(),
  slice: sliceSchema.optional(),
  timeout: z.string().optional(),
  terminate_after: whole.optional(),
  highlight: z.unknown().optional(),
  suggest: z.unknown().optional(),
  indices_boost: z.unknown().optional(),
  stats: z.array(z.string()).optional(),
  pit: z.strictObject({ id: z.string(), keep_alive: z.string().optional() }).optional(),
})
const unsupported = new Set(['knn', 'rank', 'retriever', 'ext'])
/** Java's greatest int. */
const intMax = 2_147_483_647
/** Hits that are counted unless the request says otherwise. */
const totalHitsDefault = 10_000

/** A field to show with each hit, and how. */
export interface FieldAndFormat {
  readonly field: string
  readonly format: string | undefined
}

/** What a script gives for each hit, under a name of the request. */
export interface ScriptField {
  readonly name: string
  readonly script: unknown
  readonly ignoreFailure: boolean
}

/** A search as it was asked for, read strictly; queries are read when they are lowered. */
export interface SearchRequest {
  readonly query: unknown
  readonly postFilter: unknown
  readonly aggregations: readonly AggregationNode[]
  readonly size: number
  readonly from: number
  readonly sort: readonly SortCriterion[]
  readonly searchAfter: readonly (z.infer<typeof scalar> | null)[] | undefined
  readonly source: SourceFilter
  readonly fields: readonly FieldAndFormat[]
  readonly docvalueFields: readonly FieldAndFormat[]
  readonly scriptFields: readonly ScriptField[]
  /** `runtime_mappings` and `derived` by path; undefined without any. */
  readonly runtime: ReadonlyMap<string, ResolvedField> | undefined
  /** Objects among `derived`, whose fields depend on what their scripts emit. */
  readonly derivedObjects: readonly DerivedObject[]
  /** How far hits are counted: a number, all, or not at all. */
  readonly trackTotal: number | 'all' | 'none'
  readonly trackScores: boolean
  /** Whether `matched_queries` says what each clause scores. */
  readonly namedScores: boolean
  readonly explain: boolean
  readonly rescore: readonly Rescore[]
  /** Patterns of fields mapped with `store: true` that are shown as they are in the source. */
  readonly storedFields: readonly string[]
  /** Whether hits show neither their ids nor anything else that is kept with documents (`stored_fields: _none_`). */
  readonly hidesStored: boolean
  readonly minScore: number | undefined
  readonly version: boolean
  readonly sequence: boolean
  /** How long the search may take, in milliseconds; undefined is without end. */
  readonly timeoutMs: number | undefined
  readonly terminateAfter: number
  readonly profile: boolean
  readonly collapse: Collapse | undefined
  readonly slice: Slice | undefined
  readonly highlight: readonly HighlightField[]
  readonly suggest: readonly SuggestRequest[]
  readonly indicesBoost: IndicesBoost
  readonly pit: { readonly id: string; readonly keepAlive: string | undefined } | undefined
}

/** Reads the body of `_search`; throws `parsing_exception` for an unknown key, `illegal_argument_exception` for what is not supported. */
export function readSearchRequest(body: unknown): SearchRequest {
  const given = readBody(body)
  const { size = 10, from = 0 } = given
  for (const number of [size, from])
    if (Math.abs(number) > intMax)
      throw new AppError(
        searchErrors.input_coercion_exception,
        `Numeric value (${number}) out of range of int (-2147483648 - 2147483647)`,
      )
  if (from < 0) throw illegalArgument(`[from] parameter cannot be negative, found [${from}]`)
  if (size < 0) throw illegalArgument(`[size] parameter cannot be negative, found [${size}]`)
  if (given.aggs !== undefined && given.aggregations !== undefined)
    throw parsingError('Found both [aggs] and [aggregations]')
  const aggregations = given.aggs ?? given.aggregations
  const sort = sortOf(given)
  checkSearchAfter(given.search_after, sort, from)
  // Who asks for suggestions alone gets no hits.
  const suggestsOnly = given.suggest !== undefined && given.query === undefined && aggregations === undefined
  return {
    query: suggestsOnly ? { match_none: {} } : given.query,
    postFilter: given.post_filter,
    aggregations: aggregations === undefined ? [] : readAggregations(aggregations),
    size,
    from,
    sort,
    searchAfter: given.search_after,
    source: sourceOf(given),
    fields: given.fields ?? [],
    docvalueFields: given.docvalue_fields ?? [],
    scriptFields: scriptFieldsOf(given.script_fields),
    runtime: runtimeOf(given.runtime_mappings, given.derived),
    derivedObjects: derivedObjects(given.derived),
    trackTotal: trackTotal(given.track_total_hits),
    trackScores: given.track_scores ?? false,
    namedScores: false,
    explain: given.explain ?? false,
    rescore: rescoreOf(given, sort),
    storedFields: (given.stored_fields ?? []).filter((name) => name !== '_source' && name !== '_none_'),
    hidesStored: hidesStored(given),
    minScore: given.min_score,
    version: given.version ?? false,
    sequence: given.seq_no_primary_term ?? false,
    timeoutMs: timeoutOf(given.timeout),
    terminateAfter: terminateAfter(given.terminate_after),
    profile: given.profile ?? false,
    collapse: given.collapse,
    slice: given.slice,
    highlight: readHighlight(given.highlight),
    suggest: readSuggest(given.suggest),
    indicesBoost: readIndicesBoost(given.indices_boost),
    pit: given.pit && { id: given.pit.id, keepAlive: given.pit.keep_alive },
  }
}

function readBody(body: unknown): z.infer<typeof schema> {
  if (body === undefined) return {}
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw parsingError('Expected [START_OBJECT] but found something else')
  const read = schema.safeParse(body)
  if (read.success) return read.data
  const [issue] = read.error.issues
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0) {
    const key = issue.keys[0] ?? ''
    if (unsupported.has(key)) throw illegalArgument(`[${key}] is not supported`)
    throw parsingError(
      `Unknown key for a ${jsonToken(Object.entries(body).find(([name]) => name === key)?.[1])} in [${key}].`,
    )
  }
  throw parsingError(`failed to parse [${issue?.path.join('.') ?? ''}]: ${issue?.message ?? 'malformed'}`)
}

function checkSearchAfter(after: readonly unknown[] | undefined, sort: readonly SortCriterion[], from: number): void {
  if (after === undefined) return
  if (from > 0) throw illegalArgument('`from` parameter must be set to 0 when `search_after` is used.')
  if (after.length === 0) throw illegalArgument('Values must contains at least one value.')
  if (sort.length === 0) throw illegalArgument('Sort must contain at least one field.')
  if (after.length !== sort.length)
    throw illegalArgument(`search_after has ${after.length} value(s) but sort has ${sort.length}.`)
}

/** In a point in time the order of arrival is the last criterion, so that its value is in every hit's `sort`. */
function sortOf(given: z.infer<typeof schema>): SortCriterion[] {
  const sort = readSort(given.sort)
  if (!given.pit && sort.some(({ field }) => field === '_shard_doc'))
    throw new AppError(
      searchErrors.action_request_validation_exception,
      'Validation Failed: 1: [_shard_doc] sort field cannot be used without [point in time]: open a PIT and give it as [pit];',
    )
  // The order by score alone is that of no sort, and shows no values to go on from.
  if (
    !given.pit &&
    given.search_after === undefined &&
    sort.every(({ field, descending }) => field === '_score' && descending)
  )
    return []
  if (!given.pit || sort.length === 0 || sort.some(({ field }) => field === '_shard_doc')) return sort
  return [...sort, ...readSort(['_shard_doc'])]
}

function hidesStored({ stored_fields: stored = [], _source: source }: z.infer<typeof schema>): boolean {
  if (!stored.includes('_none_')) return false
  if (source === true)
    throw new AppError(
      searchErrors.action_request_validation_exception,
      'Validation Failed: 1: [stored_fields] cannot be disabled if [_source] is requested;',
    )
  return true
}

function sourceOf(given: z.infer<typeof schema>): SourceFilter {
  const { _source: source, stored_fields: stored, script_fields: scripts = {} } = given
  if (source === undefined && stored !== undefined && !stored.includes('_source')) return 'none'
  if (source === undefined && Object.keys(scripts).length > 0) return 'none'
  return readSourceFilter(given._source)
}

function rescoreOf({ rescore = [] }: z.infer<typeof schema>, sort: readonly SortCriterion[]): readonly Rescore[] {
  if (rescore.length > 0 && sort.some(({ field }) => field !== '_score'))
    throw illegalArgument('Cannot use [sort] option in conjunction with [rescore].')
  return rescore
}

function scriptFieldsOf(given: z.infer<typeof schema>['script_fields'] = {}): ScriptField[] {
  return Object.entries(given).map(([name, { script, ignore_failure: ignoreFailure = false }]) => ({
    name,
    script,
    ignoreFailure,
  }))
}

function runtimeOf(runtime: unknown, derived: unknown): SearchRequest['runtime'] {
  const fields = [...resolveDerivedFields(derived ?? {}), ...resolveRuntimeFields(runtime ?? {})]
  return fields.length === 0 ? undefined : new Map(fields)
}

function timeoutOf(given: string | undefined): number | undefined {
  if (given === undefined || given === '-1') return undefined
  const read = /^(\d+(?:\.\d+)?)(nanos|micros|ms|s|m|h|d)$/u.exec(given.trim().toLowerCase())
  if (!read)
    throw illegalArgument(
      `failed to parse setting [timeout] with value [${given}] as a time value: unit is missing or unrecognized`,
    )
  return Number(read[1]) * (timeUnitsMs[read[2] ?? ''] ?? 1)
}

function terminateAfter(given = 0): number {
  if (given < 0) throw illegalArgument('terminateAfter must be > 0')
  return given
}

function trackTotal(given: boolean | number | undefined): SearchRequest['trackTotal'] {
  if (given === undefined) return totalHitsDefault
  if (typeof given === 'boolean') return given ? 'all' : 'none'
  if (given < -1) throw illegalArgument(`[track_total_hits] parameter must be positive or equals to -1, got ${given}`)
  return given === -1 ? 'none' : given
}
