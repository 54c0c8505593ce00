import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import { type DerivedObject, derivedObjects, resolveDerivedFields } from '../indices/derived-fields.ts'
import { resolveRuntimeFields } from '../indices/runtime-fields.ts'
import { jsonToken } from '../json/json-token.ts'
import type { ResolvedField } from '../model/mapping.ts'
import {
  contentError,
  firstIssue,
  illegalArgument,
  ofRequest,
  parsingError,
  refusalIn,
  refusing,
} from '../refusals/refuse.ts'
import { validationError } from '../refusals/validation-error.ts'
import { timeUnitsMs } from '../values/unit-values.ts'
import { readAggregations } from './aggregations/read.ts'
import { type Collapse, collapseSchema } from './collapse.ts'
import type { AggregationNode } from './define-aggregation.ts'
import { type HighlightField, readHighlight } from './highlight-request.ts'
import { type IndicesBoost, readIndicesBoost } from './indices-boost.ts'
import { type Rescore, rescoreSchema } from './rescore.ts'
import { cutWhole, decimal, flag, oneOrMany, scalar, whole } from './shapes/scalars.ts'
import { type Slice, sliceSchema } from './slice.ts'
import { readSort, type SortCriterion, sortSchema } from './sort/read-sort.ts'
import { readSourceFilter, type SourceFilter, sourceFilterSchema } from './source-filter.ts'
import { readSuggest, type SuggestRequest } from './suggesters/read-suggest.ts'

const formatted = z
  .strictObject({ field: z.string(), format: z.string().optional(), include_unmapped: flag.optional() })
  .transform(({ field, format, include_unmapped: unmapped = false }) => ({ field, format, unmapped }))
const fieldAndFormat = z.union([
  z.string().transform((field) => ({ field, format: undefined, unmapped: false })),
  refusing(formatted, (given) => {
    const unknown = Object.keys(Object(given)).find((key) => !['field', 'format', 'include_unmapped'].includes(key))
    if (unknown !== undefined) return contentError(`[fetch_field_and_format] unknown field [${unknown}]`)
    return Object(given).field === undefined
      ? illegalArgument('Required [field]')
      : contentError(`[fetch_field_and_format] field doesn't support values of type: ${jsonToken(Object(given).field)}`)
  }),
])
const afterValue = refusing(scalar.nullable(), (given) =>
  parsingError(
    `Expected [VALUE_STRING] or [VALUE_NUMBER] or [VALUE_BOOLEAN] or [VALUE_NULL] but found [${jsonToken(given)}] inside search_after.`,
  ),
)
const scriptField = z.strictObject({ script: z.unknown(), ignore_failure: flag.optional() })

const schema = z.strictObject({
  query: z.unknown().optional(),
  post_filter: z.unknown().optional(),
  aggs: z.unknown().optional(),
  aggregations: z.unknown().optional(),
  size: cutWhole.optional(),
  from: cutWhole.optional(),
  sort: sortSchema.optional(),
  search_after: z.array(afterValue).optional(),
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
  /** Whether parts of sources that are mapped to nothing are shown, too. */
  readonly unmapped: boolean
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
  /** What is wrong with them: each shard finds it by itself. */
  readonly runtimeFault?: AppError
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

/** Reads the body of `_search`; throws `parsing_exception` for an unknown key, `illegal_argument_exception` for what is not supported; all of it is of the request. */
export function readSearchRequest(body: unknown): SearchRequest {
  try {
    return readRequest(body)
  } catch (thrown) {
    throw isAppError(thrown) ? ofRequest(thrown) : thrown
  }
}

function readRequest(body: unknown): SearchRequest {
  const given = readBody(body)
  checkQueries(given)
  const { size = 10, from = 0 } = given
  for (const number of [size, from])
    if (Math.abs(number) > intMax)
      throw new AppError(
        searchErrors.input_coercion_exception,
        `Numeric value (${number}) out of range of int (-2147483648 - 2147483647)`,
      )
  if (from < 0) throw illegalArgument(`[from] parameter cannot be negative but was [${from}]`)
  if (size < 0) throw illegalArgument(`[size] parameter cannot be negative, found [${size}]`)
  const aggregations = aggregationsOf(given, body)
  const sort = sortOf(given)
  checkSearchAfter(given.search_after, from)
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
    ...runtimeOf(given.runtime_mappings, given.derived),
    derivedObjects: derivedObjects(given.derived),
    trackTotal: trackTotal(given.track_total_hits),
    trackScores: given.track_scores ?? false,
    namedScores: false,
    explain: given.explain ?? false,
    rescore: given.rescore ?? [],
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
    throw parsingError(`Expected [START_OBJECT] but found [${jsonToken(body)}]`)
  const read = schema.safeParse(body)
  if (read.success) return read.data
  const issue = firstIssue(read.error.issues, body)
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0) {
    const key = issue.keys[0] ?? ''
    if (unsupported.has(key)) throw illegalArgument(`[${key}] is not supported`)
    throw parsingError(
      `Unknown key for a ${jsonToken(Object.entries(body).find(([name]) => name === key)?.[1])} in [${key}].`,
    )
  }
  const refusal = issue && refusalIn(issue, body)
  if (refusal) throw refusal
  const [member, below] = issue?.path ?? []
  const value: unknown = member === undefined ? undefined : Object.entries(body).find(([name]) => name === member)?.[1]
  if (below === undefined && typeof value === 'object')
    throw parsingError(`Unknown key for a ${jsonToken(value)} in [${String(member)}].`)
  throw parsingError(`failed to parse [${issue?.path.join('.') ?? ''}]: ${issue?.message ?? 'malformed'}`)
}

/** Queries are objects; what else is wrong with them is found when they are read for an index. */
function checkQueries(given: z.infer<typeof schema>): void {
  for (const name of ['query', 'post_filter'] as const) {
    const query = given[name]
    if (query === undefined || query === null || (typeof query === 'object' && !Array.isArray(query))) continue
    throw parsingError(`Unknown key for a ${jsonToken(query)} in [${name}].`)
  }
}

/** `aggs` and `aggregations` are two names of one member, of which the last counts. */
function aggregationsOf({ aggs, aggregations }: z.infer<typeof schema>, body: unknown): unknown {
  const last = Object.keys(Object(body)).findLast((name) => name === 'aggs' || name === 'aggregations')
  const given = last === 'aggs' ? aggs : aggregations
  if (given === undefined || (typeof given === 'object' && !Array.isArray(given))) return given
  throw parsingError(`Unknown key for a ${jsonToken(given)} in [${last}].`)
}

function checkSearchAfter(after: readonly unknown[] | undefined, from: number): void {
  if (after === undefined) return
  if (after.length === 0) throw illegalArgument('Values must contains at least one value.')
  if (from > 0)
    throw new AppError(
      searchErrors.action_request_validation_exception,
      'Validation Failed: 1: [from] parameter must be set to 0 when [search_after] is used;',
    )
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

function hidesStored({ stored_fields: stored = [], _source: source, fields = [] }: z.infer<typeof schema>): boolean {
  if (!stored.includes('_none_')) return false
  if (stored.length > 1) throw illegalArgument('cannot combine _none_ with other fields')
  const faults = [
    ...(source === true ? ['[stored_fields] cannot be disabled if [_source] is requested'] : []),
    ...(fields.length > 0 ? ['[stored_fields] cannot be disabled when using the [fields] option'] : []),
  ]
  if (faults.length > 0) throw validationError(...faults)
  return true
}

function sourceOf(given: z.infer<typeof schema>): SourceFilter {
  const { _source: source, stored_fields: stored, script_fields: scripts = {} } = given
  if (source === undefined && stored !== undefined && !stored.includes('_source')) return 'none'
  if (source === undefined && Object.keys(scripts).length > 0) return 'none'
  return readSourceFilter(given._source)
}

function scriptFieldsOf(given: z.infer<typeof schema>['script_fields'] = {}): ScriptField[] {
  return Object.entries(given).map(([name, { script, ignore_failure: ignoreFailure = false }]) => ({
    name,
    script,
    ignoreFailure,
  }))
}

function runtimeOf(runtime: unknown, derived: unknown): Pick<SearchRequest, 'runtime' | 'runtimeFault'> {
  try {
    const fields = [...resolveDerivedFields(derived ?? {}), ...resolveRuntimeFields(runtime ?? {})]
    return { runtime: fields.length === 0 ? undefined : new Map(fields) }
  } catch (thrown) {
    if (!isAppError(thrown) || thrown.code !== 'mapper_parsing_exception') throw thrown
    return { runtime: undefined, runtimeFault: thrown }
  }
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
