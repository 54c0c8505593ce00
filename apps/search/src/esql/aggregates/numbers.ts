import { type Sql, sql } from '../../sql/sql.ts'
import { versionKey } from '../../sql/version-order.ts'
import { defineAggregate, type EsqlAggregate, over } from '../define-aggregate.ts'
import { calculate, finite, held } from '../operators.ts'
import { comparableTypes, type EsqlType, numericTypes } from '../types.ts'
import { nullOf, refuse, type Value } from '../value.ts'
import { greatestOf, leastOf } from '../version-order.ts'

const numeric = 'numeric except unsigned_long or counter types'
/** As messages name what they take. */
const shownNumbers: Readonly<Record<string, string>> = {
  sum: `aggregate_metric_double or ${numeric}`,
  avg: `aggregate_metric_double or ${numeric}`,
}

function numbers(
  name: string,
  compile: (value: Value) => { readonly type: EsqlType; readonly sql: Sql },
): EsqlAggregate {
  return defineAggregate({
    name,
    params: [{ name: 'number', types: numericTypes, many: true, shown: shownNumbers[name] ?? numeric }],
    compile: ({ values: [value] }) =>
      value && value.type !== 'null' ? compile(value) : { type: 'double', sql: nullOf('double') },
  })
}

/** The least or greatest in the order of versions, which is not that of their texts. */
function ofVersions(name: 'min' | 'max', value: Value): Sql {
  const choose = name === 'min' ? leastOf : greatestOf
  const one = value.many ? choose(value.type, value.sql) : value.sql
  return sql`${name === 'min' ? sql`argMinOrNull` : sql`argMaxOrNull`}(${one}, ${versionKey(one)})`
}

function extreme(name: 'min' | 'max', one: Sql, ofLists: Sql): EsqlAggregate {
  return defineAggregate({
    name,
    params: [
      {
        name: 'field',
        types: comparableTypes,
        many: true,
        shown: 'representable except unsigned_long and spatial types',
      },
    ],
    compile({ values: [value] }) {
      if (!value || value.type === 'null') return { type: 'null', sql: nullOf('null') }
      const type = value.type === 'text' ? 'keyword' : value.type
      return { type, sql: type === 'version' ? ofVersions(name, value) : over(value, one, ofLists) }
    },
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

function count(value: Value): Sql {
  return value.many ? sql`sum(length(${value.sql}))` : sql`count(${value.sql})`
}

const sum = numbers('sum', (value) => {
  if (value.type === 'double') return { type: 'double', sql: finite(total(value)) }
  const type = value.type === 'unsigned_long' ? 'unsigned_long' : 'long'
  return { type, sql: held(type, total(value)) }
})

const avg = numbers('avg', (value) => ({
  type: 'double',
  // Of whole numbers their sum is a long, too.
  sql: finite(
    sql`(toFloat64(${value.type === 'integer' || value.type === 'long' ? held('long', total(value)) : total(value)}) / ${count(value)})`,
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
    { name: 'number', types: numericTypes, many: true, shown: numeric },
    { name: 'weight', types: numericTypes, many: true, shown: numeric },
  ],
  compile(call) {
    const [value, weight] = call.values
    if (!value || !weight || value.type === 'null' || weight.type === 'null')
      return { type: 'double', sql: nullOf('double') }
    if (weight.literal === 0n || weight.literal === 0)
      return refuse(weight, `SECOND argument of [${call.text}] cannot be null or 0, received [${weight.text}]`)
    // A weight that is the same everywhere weighs nothing.
    if (typeof weight.literal === 'bigint' || typeof weight.literal === 'number') return avg.compile(call)
    // The sum of the products that there are by the sum of all weights: one that no value stands beside counts, too.
    const product = total(calculate(call, '*', [value, weight]))
    return { type: 'double', sql: finite(sql`(toFloat64(${product}) / toFloat64(${total(weight)}))`) }
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
