import type { AppError } from '@logstack/errors'
import type { ValueType } from '@logstack/rules'
import { indexLimit } from '../dsl/index-limits.ts'
import type { TracedContext } from '../dsl/lower-context.ts'
import type { SearchRequest } from '../dsl/search-request.ts'
import { valuesRefusal } from '../indices/field-types/values-refusal.ts'
import type { ResolvedIndex } from '../indices/resolve.ts'
import { showsSources } from '../model/kept-source.ts'
import type { ResolvedField } from '../model/mapping.ts'
import { illegalArgument } from '../refusals/refuse.ts'
import type { Snapshots } from './leaves/leaf-request.ts'

/** What is checked of a search as a whole. */
interface Checked {
  readonly request: SearchRequest
  readonly indices: readonly ResolvedIndex[]
  readonly snapshots?: Snapshots
}

/** The default of `index.max_result_window`. */
const resultWindowDefault = 10_000

/** Fields that are read for every hit are limited by the index. */
export function checkShown({ docvalueFields, fields }: SearchRequest, context: TracedContext): void {
  for (const { field: pattern } of docvalueFields) {
    for (const field of fieldsOf(pattern, context)) {
      const refusal = field && valuesRefusal(field, context.reportedIndex)
      if (refusal !== undefined) throw illegalArgument(refusal)
    }
  }
  checkFormats(fields, context)
  checkKeptFormats(docvalueFields, context)
  const most = indexLimit(context, 'max_docvalue_fields_search')
  if (docvalueFields.length > most)
    throw illegalArgument(
      `Trying to retrieve too many docvalue_fields. Must be less than or equal to: [${most}] but was [${docvalueFields.length}]. This limit can be set by changing the [index.max_docvalue_fields_search] index level setting.`,
    )
}

function fieldsOf(pattern: string, context: TracedContext): readonly (ResolvedField | undefined)[] {
  return pattern.includes('*') ? context.fieldsMatching(pattern) : [context.field(pattern)]
}

/** Types whose values `fields` shows in the format that is asked for. */
const formatted = new Set(['date', 'date_nanos', 'date_range', 'geo_point', 'geo_shape'])

/** Refuses formats of values that have one form only, and the source as one of its fields. */
function checkFormats(asked: SearchRequest['fields'], context: TracedContext): void {
  for (const { field: pattern, format } of asked) {
    if (pattern === '_source' && context.hasIndex)
      throw unfetched(pattern, 'Cannot fetch values for internal field [_source].')
    if (format === undefined) continue
    const plain = fieldsOf(pattern, context).find((field) => field && !formatted.has(field.wireType))
    if (plain) throw unfetched(plain.path, `Field [${plain.path}] of type [${plain.wireType}] doesn't support formats.`)
  }
}

/** Types whose kept values have a format. */
const formattedValues = new Set<ValueType>(['long', 'unsigned', 'double', 'date', 'date_nanos'])

/** Refuses formats of what is kept in one form only. */
function checkKeptFormats(asked: SearchRequest['docvalueFields'], context: TracedContext): void {
  for (const { field: pattern, format } of asked) {
    if (format === undefined) continue
    const plain = fieldsOf(pattern, context).find((field) => field?.valueType && !formattedValues.has(field.valueType))
    if (plain)
      throw illegalArgument(`Field [${plain.path}] of type [${plain.wireType}] does not support custom formats`)
  }
}

function unfetched(path: string, reason: string): AppError {
  return illegalArgument(`error fetching [${path}]: ${reason}`, illegalArgument(reason))
}

/** `fields` are read from sources. */
export function checkSources({ request, indices }: Checked): void {
  const sourceless = request.fields.length > 0 ? indices.find(({ index }) => !showsSources(index)) : undefined
  if (sourceless)
    throw illegalArgument(
      `Unable to retrieve the requested [fields] since _source is disabled in the mappings for index [${sourceless.index.name}]`,
    )
}

/** So many hits are scored anew at most, by the limit of their index. */
export function checkRescore({ rescore }: SearchRequest, context: TracedContext): void {
  const most = indexLimit(context, 'max_rescore_window')
  for (const { window } of rescore)
    if (window > most)
      throw illegalArgument(
        `Rescore window [${window}] is too large. It must be less than [${most}]. This prevents allocating massive heaps for storing the results to be rescored. This limit can be set by changing the [index.max_rescore_window] index level setting.`,
      )
}

/** Refuses members of a request that do not go together. */
export function checkTogether({ request: { searchAfter, sort, rescore, runtimeFault } }: Checked): void {
  if (runtimeFault) throw runtimeFault
  if (searchAfter && sort.length === 0) throw illegalArgument('Sort must contain at least one field.')
  if (searchAfter && searchAfter.length !== sort.length)
    throw illegalArgument(`search_after has ${searchAfter.length} value(s) but sort has ${sort.length}.`)
  if (rescore.length > 0 && sort.some(({ field }) => field !== '_score'))
    throw illegalArgument('Cannot use [sort] option in conjunction with [rescore].')
}

/** A page may end so far from the first hit. */
export function checkWindow({ request, indices, snapshots }: Checked): void {
  const limits = indices.map(({ index }) => Number(index.settings['max_result_window'] ?? resultWindowDefault))
  const most = limits.length === 0 ? resultWindowDefault : Math.min(...limits)
  const asked = request.from + request.size
  if (asked <= most) return
  if (snapshots)
    throw illegalArgument(
      `Batch size is too large, size must be less than or equal to: [${most}] but was [${asked}]. Scroll batch sizes cost as much memory as result windows so they are controlled by the [index.max_result_window] index level setting.`,
    )
  throw illegalArgument(
    `Result window is too large, from + size must be less than or equal to: [${most}] but was [${asked}]. See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.`,
  )
}
