import { type Sql, sql } from '../../sql/sql.ts'
import { defineAggregate, type EsqlAggregate } from '../define-aggregate.ts'
import { coordinate, keptCoordinate } from '../functions/points.ts'
import { nullOf } from '../value.ts'

const centroid = defineAggregate({
  name: 'st_centroid_agg',
  params: [{ name: 'field', types: ['geo_point'], many: true, shown: 'geo_point or cartesian_point' }],
  compile({ values: [value] }) {
    if (!value || value.type === 'null') return { type: 'geo_point', sql: nullOf('geo_point') }
    const read = value.field === undefined ? coordinate : keptCoordinate
    const each = (at: 1 | 2): Sql =>
      value.many
        ? sql`avgArray(arrayMap(v -> ${read(sql`v`, at)}, ${value.sql}))`
        : sql`avg(if(isNull(${value.sql}), NULL, ${read(sql`assumeNotNull(${value.sql})`, at)}))`
    const text = sql`concat(toString(${each(1)}), ',', toString(${each(2)}))`
    // The mean of nothing is no number.
    return { type: 'geo_point', sql: sql`if(isFinite(ifNull(${each(1)}, nan)), ${text}, NULL)` }
  },
})

/** Aggregates of points on the earth. */
export const pointAggregates: readonly EsqlAggregate[] = [centroid]
