import { z } from 'zod'
import { Double } from '../../plan/json.ts'
import { sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { flag } from '../shapes/scalars.ts'
import { coordinates, pointField } from './geo-cells.ts'
import { cellNumber, requireField } from './metric-cells.ts'

/** `geo_bounds`: the smallest box that holds all points. It does not cross the date line. */
export const geoBounds = defineAggregation({
  name: 'geo_bounds',
  kind: 'metric',
  schema: z.strictObject({ field: z.string().optional(), wrap_longitude: flag.optional() }),
  uses: ({ field }) => ({ fields: [requireField(field, 'geo_bounds')] }),
  plan({ field: path }, source) {
    const { lat, lon } = coordinates(pointField(source.field(requireField(path, 'geo_bounds')), 'geo_bounds'))
    return {
      cells: [
        sql`maxOrNullArray(${lat})`,
        sql`minOrNullArray(${lon})`,
        sql`minOrNullArray(${lat})`,
        sql`maxOrNullArray(${lon})`,
      ],
      render(cells) {
        const [top, left, bottom, right] = cells.map(cellNumber)
        if (top == null || left == null || bottom == null || right == null) return {}
        const corner = (north: number, west: number) => ({ lat: new Double(north), lon: new Double(west) })
        return { bounds: { top_left: corner(top, left), bottom_right: corner(bottom, right) } }
      },
      orderCell: () => undefined,
    }
  },
})
