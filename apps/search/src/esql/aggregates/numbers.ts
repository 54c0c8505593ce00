import { type Sql, sql } from '../../sql/sql.ts'
import { defineAggregate, type EsqlAggregate, over } from '../define-aggregate.ts'
import { finite } from '../operators.ts'
import { comparableTypes, type EsqlType, numericTypes } from '../types.ts'
import { nullOf, single, type Value } from '../value.ts'

/** An aggregate of the numbers of a field. */
function numbers(
  name: string,
  compile: (value: Value) => { readonly type: EsqlType; readonly sql: Sql },
): EsqlAggregate {
  return defineAggregate({
    name,
    params: [{ name: 'number', types: numericTypes, many: true }],
    compile: ({ values: [value] }) =>
      value && value.type !== 'null' ? compile(value) : { type: 'double', sql: nullOf('double') },
  })
}

function extreme(name: 'min' | 'max', one: Sql, ofLists: Sql): EsqlAggregate {
  return defineAggregate({
    name,
    params: [{ name: 'field', types: comparableTypes, many: true }],
    compile: ({ values: [value] }) =>
      value && value.type !== 'null'
        ? { type: value.type === 'text' ? 'keyword' : value.type, sql: over(value, one, ofLists) }
        : { type: 'null', sql: nullOf('null') },
  })
}

/** The value with each of its numbers made something else. */
function mapped(value: Value, of: (one: Sql) => Sql): Value {
  return { ...value, sql: value.many ? sql`arrayMap(v -> ${of(sql`v`)}, ${value.sql})` : of(value.sql) }
}

const asDoubles = (value: Value): Value => mapped(value, (one) => sql`toFloat64(${one})`)

/** Sums are wide; one that its type cannot hold is none. */
const sum = numbers('sum', (value) => {
  if (value.type === 'double') return { type: 'double', sql: finite(over(value, sql`sumOrNull`, sql`sumOrNullArray`)) }
  const wide = over(
    mapped(value, (one) => sql`toInt128(${one})`),
    sql`sumOrNull`,
    sql`sumOrNullArray`,
  )
  return value.type === 'unsigned_long'
    ? { type: 'unsigned_long', sql: sql`accurateCastOrNull(${wide}, 'UInt64')` }
    : { type: 'long', sql: sql`accurateCastOrNull(${wide}, 'Int64')` }
})

const doubles = (name: string, one: Sql, ofLists: Sql): EsqlAggregate =>
  numbers(name, (value) => ({ type: 'double', sql: finite(over(asDoubles(value), one, ofLists)) }))

const median = sql`quantileExactInclusiveOrNull(0.5)`
const medianOfLists = sql`quantileExactInclusiveOrNullArray(0.5)`

/** The median of how far the numbers are from their median. */
const deviation = numbers('median_absolute_deviation', (value) => {
  const given = asDoubles(value)
  const all = over(given, sql`groupArray`, sql`groupArrayArray`)
  const middle = over(given, median, medianOfLists)
  const far = sql`arrayMap((a, m) -> arrayReduce('quantileExactInclusiveOrNull(0.5)', arrayMap(v -> abs(v - assumeNotNull(m)), a)), [${all}], [${middle}])[1]`
  return { type: 'double', sql: far }
})

/** Of a list the average counts, so that it weighs once. */
const weightedAvg = defineAggregate({
  name: 'weighted_avg',
  params: [
    { name: 'number', types: numericTypes },
    { name: 'weight', types: numericTypes },
  ],
  compile({ values: [number, weight] }) {
    if (!number || !weight) return { type: 'double', sql: nullOf('double') }
    const [value, by] = [number, weight].map((each) => sql`toFloat64(${single(each)})`)
    return {
      type: 'double',
      sql: finite(sql`avgWeightedOrNull(${value ?? nullOf('double')}, ${by ?? nullOf('double')})`),
    }
  },
})

/** Aggregates of numbers, and the least and the greatest of what has an order. */
export const numberAggregates: readonly EsqlAggregate[] = [
  sum,
  doubles('avg', sql`avgOrNull`, sql`avgOrNullArray`),
  doubles('median', median, medianOfLists),
  doubles('std_dev', sql`stddevPopStableOrNull`, sql`stddevPopStableOrNullArray`),
  doubles('variance', sql`varPopStableOrNull`, sql`varPopStableOrNullArray`),
  deviation,
  weightedAvg,
  extreme('min', sql`minOrNull`, sql`minOrNullArray`),
  extreme('max', sql`maxOrNull`, sql`maxOrNullArray`),
]
