import { z } from 'zod'
import { Double } from '../../json/print-json.ts'
import { sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { cellNumber } from '../shapes/metric-values.ts'
import { coordinates, pointField } from './geo-cells.ts'
import { requireField } from './metric-cells.ts'

/** `geo_centroid`: the mean of all points. */
export const geoCentroid = defineAggregation({
  name: 'geo_centroid',
  kind: 'metric',
  schema: z.strictObject({ field: z.string().optional() }),
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  plan({ field: path }, source) {
    const { lat, lon } = coordinates(pointField(source.field(requireField(path)), 'geo_centroid'))
    return {
      cells: [sql`sum(length(${lat}))`, sql`sumArray(${lat})`, sql`sumArray(${lon})`],
      render([counted, north, east]) {
        const count = cellNumber(counted) ?? 0
        if (count === 0) return { count: 0 }
        const mean = (sum: unknown) => new Double((cellNumber(sum) ?? 0) / count)
        return { location: { lat: mean(north), lon: mean(east) }, count }
      },
      orderCell: () => undefined,
    }
  },
})
