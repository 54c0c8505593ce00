import type { SearchRequest } from '../../dsl/search-request.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { columnsOf } from '../../sql/predicate-to-sql.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import { columnLookup, type Leaf } from '../leaves/leaves.ts'

type CollapsedRequest = Pick<SearchRequest, 'collapse' | 'searchAfter' | 'sort'>

const groupable = new Set(['string', 'long', 'unsigned', 'double'])
/** Types that are kept as texts and are no keywords. */
const otherTexts = new Set(['version', 'flattened', 'geo_point', 'geo_shape'])

/** The value a leaf's rows are collapsed by, as text behind a mark; the empty text where there is none. Throws for fields that are neither keywords nor numbers. */
export function collapseValue(services: Pick<PlanServices, 'catalogue'>, leaf: Leaf, path: string): Sql {
  const field = leaf.context.field(path)
  if (!field) throw illegalArgument(`no mapping found for \`${path}\` in order to collapse on`)
  const { valueType, wireType, parameters } = field
  const isOther = otherTexts.has(wireType) || wireType.startsWith('_')
  if (valueType === undefined || !groupable.has(valueType) || isOther)
    throw illegalArgument(`collapse is not supported for the field [${path}] of the type [${wireType}]`)
  if (parameters['doc_values'] === false)
    throw illegalArgument(`cannot collapse on field \`${path}\` without \`doc_values\``)
  return singleValue(services, leaf, field)
}

/** The field by which a request's hits are collapsed. Throws where it goes on behind a hit in another order: what of a group was shown would not be known. */
export function collapsePath({ collapse, searchAfter, sort }: CollapsedRequest): string | undefined {
  if (collapse && searchAfter && (sort.length !== 1 || sort[0]?.field !== collapse.field))
    throw illegalArgument(
      'Cannot use [collapse] in conjunction with [search_after] unless the search is sorted on the same field. Multiple sort fields are not allowed.',
    )
  return collapse?.field
}

/** A row's value of a field as text behind a mark; the empty text where there is none. */
export function singleValue(services: Pick<PlanServices, 'catalogue'>, leaf: Leaf, field: ResolvedField): Sql {
  const { path, valueType } = field
  const columns = valueType && columnsOf({ path, type: valueType }, columnLookup(services, leaf))
  return columns ? sql`ifNull(concat('=', toString(${columns.one})), '')` : sql`''`
}

/** How a collapse value is shown, and looked for again: numbers as numbers. */
export function collapseKey(leaf: Leaf, path: string, text: string): unknown {
  if (text === '') return null
  const value = text.slice(1)
  const type = leaf.context.field(path)?.valueType
  if (type === 'long' || type === 'unsigned') return Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value)
  return type === 'double' ? Number(value) : value
}
