import { z } from 'zod'
import { Double } from '../../json/print-json.ts'
import { sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { cellNumber } from '../shapes/metric-values.ts'
import { flag } from '../shapes/scalars.ts'
import { coordinates, pointField } from './geo-cells.ts'
import { requireField } from './metric-cells.ts'

const west = sql`x < 0`
const east = sql`x >= 0`

/** `geo_bounds`: the smallest box that holds all points; unless `wrap_longitude` is false it may cross the date line. */
export const geoBounds = defineAggregation({
  name: 'geo_bounds',
  kind: 'metric',
  schema: z.strictObject({ field: z.string().optional(), wrap_longitude: flag.optional() }),
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  plan({ field: path, wrap_longitude: wraps = true }, source) {
    const { lat, lon } = coordinates(pointField(source.field(requireField(path)), 'geo_bounds'))
    return {
      cells: [
        sql`maxOrNullArray(${lat})`,
        sql`minOrNullArray(${lat})`,
        ...[west, east].flatMap((side) => [
          sql`minOrNullArray(arrayFilter(x -> ${side}, ${lon}))`,
          sql`maxOrNullArray(arrayFilter(x -> ${side}, ${lon}))`,
        ]),
      ],
      render(cells) {
        const [top, bottom, ...sides] = cells.map(cellNumber)
        if (top == null || bottom == null) return {}
        const [left, right] = leftAndRight(sides, wraps)
        const corner = (north: number, west: number) => ({ lat: new Double(north), lon: new Double(west) })
        return { bounds: { top_left: corner(top, left), bottom_right: corner(bottom, right) } }
      },
      orderCell: () => undefined,
    }
  },
})

/** The narrower of the boxes over Greenwich and over the date line, of the least and greatest longitudes of either half of the earth. */
function leftAndRight(sides: readonly (number | null)[], wraps: boolean): [left: number, right: number] {
  const [westMin, westMax, eastMin, eastMax] = sides
  if (westMin == null || westMax == null) return [Number(eastMin), Number(eastMax)]
  if (eastMin == null || eastMax == null) return [westMin, westMax]
  const overDateLine = 360 - eastMin + westMax
  return wraps && overDateLine < eastMax - westMin ? [eastMin, westMax] : [westMin, eastMax]
}
