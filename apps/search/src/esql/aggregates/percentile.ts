import { num, sql } from '../../sql/sql.ts'
import { defineAggregate, type EsqlAggregate, over } from '../define-aggregate.ts'
import { finite } from '../operators.ts'
import { numericTypes } from '../types.ts'
import { nullOf, refuse } from '../value.ts'

/** The number below which so many of a hundred lie, exactly: between two neighbours by their distance. */
const percentile = defineAggregate({
  name: 'percentile',
  params: [
    { name: 'number', types: numericTypes, many: true },
    { name: 'percentile', types: numericTypes, constant: true },
  ],
  compile({ values: [value, percent] }) {
    const share = Number(percent?.literal) / 100
    if (percent && !(share >= 0 && share <= 1))
      refuse(percent, `percentile must be between 0 and 100, found [${percent.text}]`)
    if (!value || value.type === 'null') return { type: 'double', sql: nullOf('double') }
    const level = sql`(${num(share === 0 || share === 1 ? share : Number(share.toPrecision(15)))})`
    const doubles = value.many ? sql`arrayMap(v -> toFloat64(v), ${value.sql})` : sql`toFloat64(${value.sql})`
    const cells = over(
      { ...value, sql: doubles },
      sql`quantileExactInclusiveOrNull${level}`,
      sql`quantileExactInclusiveOrNullArray${level}`,
    )
    return { type: 'double', sql: finite(cells) }
  },
})

/** Percentiles. */
export const percentileAggregates: readonly EsqlAggregate[] = [percentile]
