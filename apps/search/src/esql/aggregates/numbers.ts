import { type Sql, sql } from '../../sql/sql.ts'
import { defineAggregate, type EsqlAggregate, over } from '../define-aggregate.ts'
import { finite, held } from '../operators.ts'
import { comparableTypes, type EsqlType, numericTypes } from '../types.ts'
import { nullOf, single, type Value } from '../value.ts'

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

/** The sum: of doubles with what is rounded off made good, of whole numbers exact. */
function total(value: Value): Sql {
  if (value.type === 'double') return over(value, sql`sumKahanOrNull`, sql`sumKahanOrNullArray`)
  // Fewer than 2^32 rows of 32 bits do not leave 64.
  const wide =
    value.type === 'integer'
      ? value.sql
      : value.many
        ? sql`arrayMap(v -> toInt128(v), ${value.sql})`
        : sql`toInt128(${value.sql})`
  return over({ ...value, sql: wide }, sql`sumOrNull`, sql`sumOrNullArray`)
}

const sum = numbers('sum', (value) => {
  if (value.type === 'double') return { type: 'double', sql: finite(total(value)) }
  const type = value.type === 'unsigned_long' ? 'unsigned_long' : 'long'
  return { type, sql: held(type, total(value)) }
})

const avg = numbers('avg', (value) => ({
  type: 'double',
  sql: finite(
    sql`(toFloat64(${total(value)}) / ${value.many ? sql`sum(length(${value.sql}))` : sql`count(${value.sql})`})`,
  ),
}))

/** Welford's way, which loses nothing where numbers are great and near each other. */
const stdDev = numbers('std_dev', (value) => ({
  type: 'double',
  sql: finite(over(value, sql`stddevPopStableOrNull`, sql`stddevPopStableOrNullArray`)),
}))

const variance = numbers('variance', (value) => ({
  type: 'double',
  sql: finite(over(value, sql`varPopStableOrNull`, sql`varPopStableOrNullArray`)),
}))

const weightedAvg = defineAggregate({
  name: 'weighted_avg',
  params: [
    { name: 'number', types: numericTypes },
    { name: 'weight', types: numericTypes },
  ],
  compile({ values: [value, weight] }) {
    if (!value || !weight || value.type === 'null' || weight.type === 'null')
      return { type: 'double', sql: nullOf('double') }
    const [x, w] = [value, weight].map((each) => sql`toFloat64(${single(each)})`) as [Sql, Sql]
    return { type: 'double', sql: finite(sql`avgWeightedOrNull(${x}, ${w})`) }
  },
})

/** Aggregates of numbers, and the least and the greatest of what has an order. */
export const numberAggregates: readonly EsqlAggregate[] = [
  sum,
  avg,
  stdDev,
  variance,
  weightedAvg,
  extreme('min', sql`minOrNull`, sql`minOrNullArray`),
  extreme('max', sql`maxOrNull`, sql`maxOrNullArray`),
]
