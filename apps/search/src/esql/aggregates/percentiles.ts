import { num, type Sql, sql, str } from '../../sql/sql.ts'
import { defineAggregate, type EsqlAggregate, over } from '../define-aggregate.ts'
import { finite } from '../operators.ts'
import { numericTypes } from '../types.ts'
import { nullOf, refuse, type Value } from '../value.ts'

/** Values of a group from which percentiles are exact; of more they are estimates, so that memory is bounded. */
const exactValuesMax = 10_000
/** Values of a group whose distances from their median are looked at. */
const distancesMax = 100_000

/** Some values of a group, all of them where there are no more than `max`. */
function some(value: Value, max: number): Sql {
  const sample = sql`groupArraySample(${num(max)})(${value.sql})`
  return value.many ? sql`groupArraySampleArray(${num(max)})(${value.sql})` : sample
}

function count(value: Value): Sql {
  return value.many ? sql`sum(length(${value.sql}))` : sql`count(${value.sql})`
}

/** A share of the numbers lies at or below this one; between two of them, in proportion. */
function quantile(value: Value, share: number): Sql {
  const exact = sql`arrayReduce(${str(`quantileExactInclusive(${share})`)}, ${some(value, exactValuesMax)})`
  const level = num(share)
  const estimate = over(value, sql`quantileTDigest(${level})`, sql`quantileTDigestArray(${level})`)
  return finite(
    sql`multiIf(${count(value)} = 0, NULL, ${count(value)} <= ${num(exactValuesMax)}, toFloat64(${exact}), toFloat64(${estimate}))`,
  )
}

/** No value of any group. */
const nullAgg = sql`CAST(any(NULL), 'Nullable(Float64)')`

const percentile = defineAggregate({
  name: 'percentile',
  params: [
    { name: 'number', types: numericTypes, many: true, shown: 'numeric except unsigned_long' },
    { name: 'percentile', types: numericTypes, constant: true, shown: 'numeric except unsigned_long' },
  ],
  compile({ values: [value, percent], text }) {
    if (!value || !percent || value.type === 'null' || percent.type === 'null')
      return { type: 'double', sql: nullOf('double') }
    const asked = Number(percent.literal)
    if (Number.isNaN(asked))
      refuse(percent, `second argument of [${text}] must be a number, received [${percent.text}]`)
    // No number has such a place, as in Elasticsearch.
    if (asked < 0 || asked > 100) return { type: 'double', sql: nullAgg }
    return { type: 'double', sql: quantile(value, asked / 100) }
  },
})

const median = defineAggregate({
  name: 'median',
  params: [{ name: 'number', types: numericTypes, many: true, shown: 'numeric except unsigned_long or counter types' }],
  compile: ({ values: [value] }) => ({
    type: 'double',
    sql: value && value.type !== 'null' ? quantile(value, 0.5) : nullOf('double'),
  }),
})

const medianAbsoluteDeviation = defineAggregate({
  name: 'median_absolute_deviation',
  params: [{ name: 'number', types: numericTypes, many: true, shown: 'numeric except unsigned_long or counter types' }],
  compile({ values: [value] }) {
    if (!value || value.type === 'null') return { type: 'double', sql: nullOf('double') }
    const all = some(value, distancesMax)
    const middle = (of: Sql) => sql`arrayReduce('quantileExactInclusive(0.5)', ${of})`
    const distances = sql`arrayMap(v -> abs(toFloat64(v) - ${middle(all)}), ${all})`
    return { type: 'double', sql: sql`if(empty(${all}), NULL, ${finite(middle(distances))})` }
  },
})

/** What lies in the middle of numbers, or at another share of them. */
export const percentileAggregates: readonly EsqlAggregate[] = [percentile, median, medianAbsoluteDeviation]
