import { z } from 'zod'
import { Double, printDouble } from '../../json/print-json.ts'
import { distanceSql } from '../../sql/geo-to-sql.ts'
import { num, type Sql, sql } from '../../sql/sql.ts'
import { metresOf, pointOf } from '../../values/geo.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { decimal, flag } from '../shapes/scalars.ts'
import { pointField } from './geo-cells.ts'
import { requireField } from './metric-cells.ts'
import { rangesOf, renderRanges, sortedRanges } from './range-buckets.ts'
import { doubles, rangeKey } from './range-key.ts'

/** `geo_distance`: a bucket a ring around a point, `from` included and `to` excluded. */
export const geoDistanceRanges = defineAggregation({
  name: 'geo_distance',
  kind: 'bucket',
  schema: z.strictObject({
    field: z.string().optional(),
    origin: z.unknown(),
    unit: z.string().optional(),
    distance_type: z.enum(['arc', 'plane']).optional(),
    keyed: flag.optional(),
    ranges: rangesOf(z.strictObject({ key: z.string().optional(), from: decimal.nullish(), to: decimal.nullish() })),
  }),
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  plan({ field: path, origin, unit = 'm', ranges, keyed = false }, source) {
    const field = pointField(source.field(requireField(path)), 'geo_distance')
    const start = pointOf(origin)
    const away = (point: Sql) => sql`(${distanceSql(point, start)} / ${num(metresOf(unit))})`
    const values = field.many
      ? { sql: sql`arrayMap(x -> ${away(sql`x`)}, ${field.sql})`, many: true }
      : { sql: sql`if(isNull(${field.sql}), NULL, ${away(field.sql)})`, many: false }
    const spans = sortedRanges(
      ranges.map(({ key, from, to }) => {
        const bounds = { from: from ?? undefined, to: to ?? undefined }
        const text = (bound: number | undefined) => (bound === undefined ? '*' : printDouble(bound))
        const shown = {
          from: new Double(bounds.from ?? 0),
          ...(bounds.to === undefined ? {} : { to: new Double(bounds.to) }),
        }
        return { ...bounds, key: key ?? `${text(bounds.from)}-${text(bounds.to)}`, shown }
      }),
    )
    return {
      parts: [rangeKey(spans, values, doubles)],
      render: (found, empty) => renderRanges(spans, keyed, found, empty),
    }
  },
})
