import { compareValues, leavesAt, readValue, type Value, type ValueType } from '@logstack/rules'
import { isObject } from '../../json/json-object.ts'
import { illegalArgument } from '../../refusals/refuse.ts'

type Body = Readonly<Record<string, unknown>>
type Source = Readonly<Record<string, unknown>>

/** What aggregations ask of the records they are over. */
export interface Aggregated<T> {
  /** What the records are called in errors. */
  readonly what: string
  readonly sourceOf: (record: T) => Source
  /** Throws for a field that there is not. */
  readonly typeOf: (field: string) => ValueType
  /** Those that a query finds. */
  readonly matching: (records: readonly T[], query: unknown) => readonly T[]
}

const bucketsDefault = 10
const bucketsMax = 10_000

/** The answers of aggregations over records, by name; with `typedKeys` the kind stands before it. Throws `illegal_argument_exception` for kinds that are not for records. */
export function aggregateRecords<T>(
  over: Aggregated<T>,
  records: readonly T[],
  given: unknown,
  typedKeys = false,
): Record<string, unknown> {
  if (!isObject(given)) throw illegalArgument('[aggs] expects an object')
  return Object.fromEntries(
    Object.entries(given).map(([name, body]) => {
      const { kind, parameters, below } = readAggregation(name, body)
      const aggregate = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
      if (!aggregate) throw illegalArgument(`Unsupported ${over.what}s agg [${name}] of type [${kind}]`)
      const inner = (found: readonly T[]) =>
        below === undefined ? {} : aggregateRecords(over, found, below, typedKeys)
      const { shown, answer } = aggregate({ name, parameters, inner }, over as Aggregated<unknown>, records) as Answer
      return [typedKeys ? `${shown}#${name}` : name, answer]
    }),
  )
}

function readAggregation(name: string, body: unknown) {
  if (!isObject(body)) throw illegalArgument(`aggregation [${name}] expects an object`)
  const { aggs, aggregations, meta: _meta, ...rest } = body
  const [[kind, parameters] = ['', {}], ...others] = Object.entries(rest)
  if (others.length > 0 || !isObject(parameters))
    throw illegalArgument(`aggregation [${name}] expects one kind of aggregation`)
  return { kind, parameters, below: aggs ?? aggregations }
}

interface Asked {
  readonly name: string
  readonly parameters: Body
  readonly inner: (found: readonly never[]) => Record<string, unknown>
}

interface Answer {
  /** The kind as `typed_keys` has it. */
  readonly shown: string
  readonly answer: unknown
}

type Aggregate = (asked: Asked, over: Aggregated<unknown>, records: readonly unknown[]) => Answer

const kinds: Readonly<Record<string, Aggregate>> = {
  terms,
  filter: ({ parameters, inner }, { matching }, records) => {
    const found = matching(records, parameters)
    return { shown: 'filter', answer: { doc_count: found.length, ...inner(found as never[]) } }
  },
  filters: ({ parameters, inner }, { matching }, records) => {
    const { filters } = parameters
    if (!isObject(filters)) throw illegalArgument('[filters] expects an object of filters')
    const buckets = Object.entries(filters).map(([key, query]) => {
      const found = matching(records, query)
      return [key, { doc_count: found.length, ...inner(found as never[]) }] as const
    })
    return { shown: 'filters', answer: { buckets: Object.fromEntries(buckets) } }
  },
  missing: (asked, over, records) => {
    const found = records.filter((record) => valuesOf(asked, over, record).length === 0)
    return { shown: 'missing', answer: { doc_count: found.length, ...asked.inner(found as never[]) } }
  },
  cardinality: (asked, over, records) => {
    const values = new Set(records.flatMap((record) => valuesOf(asked, over, record)).map(String))
    return { shown: 'cardinality', answer: { value: values.size } }
  },
  value_count: (asked, over, records) => {
    const value = records.flatMap((record) => valuesOf(asked, over, record)).length
    return { shown: 'value_count', answer: { value } }
  },
}

function fieldOf({ name, parameters }: Asked): string {
  const { field, script, ...others } = parameters
  if (script !== undefined) throw illegalArgument(`Unsupported script value source for [${name}] agg`)
  if (typeof field !== 'string') throw illegalArgument(`aggregation [${name}] needs a [field]`)
  const unknown = Object.keys(others).find((option) => !['size', 'order'].includes(option))
  if (unknown !== undefined) throw illegalArgument(`[${unknown}] of aggregation [${name}] is not supported here`)
  return field
}

function valuesOf(asked: Asked, { typeOf, sourceOf }: Aggregated<unknown>, record: unknown): Value[] {
  const field = fieldOf(asked)
  const type = typeOf(field)
  const read = [...leavesAt(sourceOf(record), field)].flatMap((leaf) => {
    const value = leaf === null || leaf === undefined ? undefined : readValue(leaf, type)
    return value === undefined ? [] : [value]
  })
  return [...new Set(read)]
}

function terms(asked: Asked, over: Aggregated<unknown>, records: readonly unknown[]): Answer {
  const type = over.typeOf(fieldOf(asked))
  const found = new Map<Value, unknown[]>()
  for (const record of records)
    for (const value of valuesOf(asked, over, record)) found.set(value, [...(found.get(value) ?? []), record])
  const { size = bucketsDefault } = asked.parameters
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 1 || size > bucketsMax)
    throw illegalArgument(`[size] of aggregation [${asked.name}] must be between [1] and [${bucketsMax}]`)
  const ordered = [...found].sort(orderOf(asked, type))
  const shown = ordered.slice(0, size)
  const buckets = shown.map(([value, held]) => ({
    ...keyOf(value, type),
    doc_count: held.length,
    ...asked.inner(held as never[]),
  }))
  const rest = ordered.slice(size).reduce((sum, [, held]) => sum + held.length, 0)
  const kind = type === 'string' ? 'sterms' : 'lterms'
  return { shown: kind, answer: { doc_count_error_upper_bound: 0, sum_other_doc_count: rest, buckets } }
}

type Bucket = readonly [Value, readonly unknown[]]

function orderOf({ name, parameters }: Asked, type: ValueType): (a: Bucket, b: Bucket) => number {
  const { order = { _count: 'desc' } } = parameters
  const [[by, direction] = ['', ''], ...others] = isObject(order) ? Object.entries(order) : []
  if (others.length > 0 || !['_count', '_key'].includes(by))
    throw illegalArgument(`[order] of aggregation [${name}] is by [_count] or [_key] here`)
  const sign = direction === 'desc' ? -1 : 1
  const byKey = (a: Bucket, b: Bucket) => compareValues(a[0], b[0], type)
  return by === '_key' ? (a, b) => sign * byKey(a, b) : (a, b) => sign * (a[1].length - b[1].length) || byKey(a, b)
}

function keyOf(value: Value, type: ValueType): object {
  if (type === 'boolean') return { key: value === true ? 1 : 0, key_as_string: String(value) }
  return type === 'date' ? { key: value, key_as_string: String(value) } : { key: value }
}
