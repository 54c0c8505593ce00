import { AppError, searchErrors } from '@logstack/errors'
import { compareValues, evaluate, leavesAt, readValue, type Value, type ValueType } from '@logstack/rules'
import { createLowerContext } from '../../dsl/lower-context.ts'
import { readSort, type SortCriterion, sortSchema } from '../../dsl/sort/read-sort.ts'
import { resolvedFields } from '../../indices/resolved-fields.ts'
import { isObject } from '../../json/json-object.ts'
import type { FieldMapping } from '../../model/mapping.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { validationError } from '../../refusals/validation-error.ts'
import { type FieldKind, readFields, unreadable } from './read-fields.ts'
import { type Aggregated, aggregateRecords } from './record-aggregations.ts'

const clauses = new Set([
  ...[
    'bool',
    'exists',
    'ids',
    'match',
    'match_all',
    'prefix',
    'range',
    'simple_query_string',
    'term',
    'terms',
    'wildcard',
  ],
])
const windowMax = 10_000
const sizeDefault = 10

/** One kind of what security keeps, as queries see it. */
export interface RecordKind {
  /** As requests are called in errors, and what they ask for. */
  readonly request: string
  readonly what: string
  /** The fields that are queried. */
  readonly properties: Readonly<Record<string, FieldMapping>>
  /** An object whose members are fields too, whatever they are. */
  readonly open?: string
  /** Whether aggregations are made over them. */
  readonly aggregates?: true
  /** The fields that are sorted by; without them all that are queried. */
  readonly sorted?: readonly string[]
}

/** A record, its id, and what queries see of it. */
export interface Listed<T> {
  readonly record: T
  readonly id: string
  readonly source: Readonly<Record<string, unknown>>
}

interface Found<T> {
  readonly record: T
  readonly sort: readonly (Value | null)[] | undefined
}

interface Answered<T> {
  readonly total: number
  readonly found: readonly Found<T>[]
  /** Of all that match, where they were asked for. */
  readonly aggregations: Readonly<Record<string, unknown>> | undefined
}

const payload = {
  query: 'object',
  from: 'any',
  size: 'any',
  sort: 'any',
  search_after: 'any',
} as const satisfies Readonly<Record<string, FieldKind>>

function negative(name: string, value: unknown): string[] {
  return typeof value === 'number' && value < 0 ? [`[${name}] parameter cannot be negative but was [${value}]`] : []
}

/** The records that a query finds, one page of them in order. Throws `illegal_argument_exception` for clauses and fields that they do not have. */
export function queryRecords<T>(
  kind: RecordKind,
  listed: readonly Listed<T>[],
  given: unknown,
  nowMs: number,
  { typedKeys = false } = {},
): Answered<T> {
  const body = given === undefined ? {} : given
  const what = `${kind.request}_payload`
  const {
    query,
    from = 0,
    size = sizeDefault,
    sort: sorting,
    search_after: after,
    ...more
  } = readFields(what, body, {
    ...payload,
    ...(kind.aggregates === true ? { aggs: 'object', aggregations: 'object' } : {}),
  })
  const faults = [
    ...negative('size', size),
    ...negative('from', from),
    ...(after !== undefined && from !== 0 ? ['[from] parameter must be set to 0 when [search_after] is used'] : []),
  ]
  if (faults.length > 0) throw validationError(...faults)
  const window = wholeOf(what, 'from', from) + wholeOf(what, 'size', size)
  if (window > windowMax)
    throw illegalArgument(
      `Result window is too large, from + size must be less than or equal to: [${windowMax}] but was [${window}].`,
    )
  const matching = query === undefined ? listed : matches(kind, listed, query, nowMs)
  const sort = sortOf(kind, sorting)
  const typeOf = (field: string) => valueTypeOf(kind, field)
  const rows = matching.map(({ record, source }) => ({
    record,
    values: sort.map((one) => sortedBy(source, one.field, typeOf)),
  }))
  const ordered = sort.length === 0 ? rows : rows.sort((a, b) => compareRows(a.values, b.values, sort, typeOf))
  const later =
    after === undefined
      ? ordered
      : ordered.filter(({ values }) => compareRows(values, afterOf(after, sort, typeOf), sort, typeOf) > 0)
  const page = later.slice(wholeOf(what, 'from', from), window)
  const aggs = more['aggs'] ?? more['aggregations']
  const over: Aggregated<Listed<T>> = {
    what: kind.what,
    sourceOf: ({ source }) => source,
    typeOf(field) {
      refuseField(kind, field)
      return typeOf(field)
    },
    matching: (records, inner) => matches(kind, records, inner, nowMs),
  }
  return {
    total: matching.length,
    aggregations: aggs === undefined ? undefined : aggregateRecords(over, matching, aggs, typedKeys),
    found: page.map(({ record, values }) => ({
      record,
      sort: sort.length === 0 ? undefined : values.map(({ shown }) => shown),
    })),
  }
}

function wholeOf(what: string, name: string, given: unknown): number {
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0) return given
  throw unreadable(
    `[${what}] failed to parse field [${name}]`,
    new AppError(searchErrors.number_format_exception, `For input string: "${String(given)}"`),
  )
}

type TypeOf = (field: string) => ValueType

function matches<T>(kind: RecordKind, listed: readonly Listed<T>[], query: unknown, nowMs: number): Listed<T>[] {
  refuseClauses(query)
  const context = createLowerContext({
    index: undefined,
    fields: resolvedFields({ mapping: { properties: withOpen(kind, listed) }, settings: {} }),
    scope: { canSeeField: () => true },
    nowMs,
  })
  const predicate = context.lower(query)
  for (const { kind: traced, asked, found } of context.trace)
    if (traced === 'field' && found === '') refuseField(kind, asked)
  return listed.filter(({ id, source }) => evaluate(predicate, source, { _id: id }))
}

function refuseOptions(clause: string, body: unknown): void {
  if (!isObject(body)) return
  const values = Object.values(body)
  if (clause === 'terms' && values.some(isObject))
    throw illegalArgument('terms query with terms lookup is not currently supported in this context')
  if (clause === 'range' && values.some((value) => isObject(value) && 'relation' in value))
    throw illegalArgument('range query with relation is not currently supported in this context')
}

/** Every clause of a query, wherever it stands. */
function refuseClauses(query: unknown): void {
  if (!isObject(query)) return
  for (const [name, body] of Object.entries(query)) {
    if (!clauses.has(name)) throw illegalArgument(`Query type [${name}] is not currently supported in this context`)
    refuseOptions(name, body)
    if (name !== 'bool' || !isObject(body)) continue
    for (const occur of ['must', 'filter', 'should', 'must_not'])
      for (const inner of [body[occur] ?? []].flat() as unknown[]) refuseClauses(inner)
  }
}

/** Throws for a field that records do not have. */
function refuseField(kind: RecordKind, field: string): void {
  if (!Object.hasOwn(kind.properties, field) && !isOpen(kind, field))
    throw illegalArgument(`Field [${field}] is not allowed for querying or aggregation`)
}

function isOpen({ open }: RecordKind, field: string): boolean {
  return open !== undefined && field.startsWith(`${open}.`)
}

/** What is open is what its owners made it: each value is found as a word. */
function withOpen<T>({ properties, open }: RecordKind, listed: readonly Listed<T>[]): Record<string, FieldMapping> {
  const found: Record<string, FieldMapping> = {}
  const walk = (value: Readonly<Record<string, unknown>>): Record<string, FieldMapping> =>
    Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        isObject(inner) ? { properties: walk(inner) } : { type: 'keyword' },
      ]),
    )
  for (const { source } of listed) {
    const value = open === undefined ? undefined : source[open]
    if (isObject(value)) Object.assign(found, walk(value))
  }
  return {
    ...properties,
    ...(open === undefined || Object.keys(found).length === 0 ? {} : { [open]: { properties: found } }),
  }
}

function sortOf(kind: RecordKind, given: unknown): readonly SortCriterion[] {
  if (given === undefined) return []
  const isNested = (one: unknown) => isObject(one) && Object.values(one).some((by) => isObject(by) && 'nested' in by)
  if ([given].flat().some(isNested)) throw illegalArgument('nested sorting is not currently supported in this context')
  const read = sortSchema.safeParse(given)
  if (!read.success) throw illegalArgument('[sort] expects a field, an object of fields or a list of these')
  const criteria = readSort(read.data)
  for (const { field } of criteria) {
    refuseField(kind, field)
    if (kind.sorted?.includes(field) === false) throw illegalArgument(`sorting is not supported for field [${field}]`)
  }
  return criteria
}

interface SortValue {
  readonly value: Value | undefined
  readonly shown: Value | null
}

function sortedBy(source: unknown, field: string, typeOf: TypeOf): SortValue {
  const [leaf] = leavesAt(source, field)
  return sortValue(leaf, typeOf(field))
}

function valueTypeOf({ properties }: RecordKind, field: string): ValueType {
  const type = properties[field]?.type
  return type === 'date' || type === 'boolean' ? type : 'string'
}

function sortValue(leaf: unknown, type: ValueType): SortValue {
  const value = leaf === undefined || leaf === null ? undefined : readValue(leaf, type)
  return { value, shown: value === undefined ? null : typeof value === 'boolean' ? Number(value) : value }
}

function afterOf(given: unknown, sort: readonly SortCriterion[], typeOf: TypeOf): SortValue[] {
  if (!Array.isArray(given) || given.length !== sort.length)
    throw illegalArgument(
      `search_after has ${Array.isArray(given) ? given.length : 1} value(s) but sort has ${sort.length}.`,
    )
  return sort.map(({ field }, at) => {
    const [leaf, type] = [given[at] as unknown, typeOf(field)]
    return sortValue(type === 'boolean' && typeof leaf === 'number' ? leaf !== 0 : leaf, type)
  })
}

/** What is missing comes last, whatever the direction. */
function compareRows(
  a: readonly SortValue[],
  b: readonly SortValue[],
  sort: readonly SortCriterion[],
  typeOf: TypeOf,
): number {
  for (const [at, { descending, field }] of sort.entries()) {
    const [one, other] = [a[at]?.value, b[at]?.value]
    if (one === undefined || other === undefined) {
      if (one !== other) return one === undefined ? 1 : -1
      continue
    }
    const order = compareValues(one, other, typeOf(field))
    if (order !== 0) return descending ? -order : order
  }
  return 0
}
