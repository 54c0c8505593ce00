import { z } from 'zod'
import { illegalArgument } from '../../refusals/refuse.ts'
import { num, type Sql, sql } from '../../sql/sql.ts'
import type { KeyPart, RowField, RowSource } from '../define-aggregation.ts'
import { boxOf } from '../shapes/geo-box.ts'
import { whole } from '../shapes/scalars.ts'
import { pointField, pointsWhere, touches } from './geo-cells.ts'
import { tilePlace, tileSides, tileZooms } from './geotile-grid.ts'

/** The body of a `geotile_grid` among the sources of `composite`, beside what all sources have. */
export const tileSourceSchema = z.strictObject({
  field: z.string(),
  precision: whole.optional(),
  bounds: z.unknown().optional(),
})

/** Rows of a zoom's tiles: the number of a tile is its column times this, plus its row, so that tiles are in Elasticsearch's order. */
const rowsOfColumn = 2 ** tileZooms.most

/** A part of a composite key: the map tile of a point, shown as `zoom/x/y`. */
interface TilePart {
  readonly part: KeyPart
  show(raw: unknown): string
  /** The number of a tile as it is shown. */
  raw(shown: unknown): number
}

/** The tile of a field's points as a part of a key. Throws `illegal_argument_exception` for a zoom or a tile that there is not. */
export function tilePart(
  { field: path, precision: zoom = tileZooms.otherwise, bounds }: z.infer<typeof tileSourceSchema>,
  source: RowSource,
): TilePart {
  const { least, most } = tileZooms
  if (zoom < least || zoom > most)
    throw illegalArgument(`Invalid geotile_grid precision of ${zoom}. Must be between ${least} and ${most}.`)
  const within = bounds === undefined ? undefined : tileSides(boxOf(bounds, 'geotile_grid', 'aggregation'), zoom)
  const isWithin = within && ((point: Sql) => touches(tilePlace(point, zoom), within))
  const all = pointField(source.field(path), 'geotile_grid')
  const field = pointsWhere(all, isWithin)
  const tile = (point: Sql) => {
    const { x, y } = tilePlace(point, zoom)
    return sql`toInt64(${x} * ${num(rowsOfColumn)} + ${y})`
  }
  const key = field.many
    ? sql`arrayMap(x -> ${tile(sql`x`)}, ${field.sql})`
    : sql`if(isNull(${field.sql}), NULL, toNullable(${tile(sql`assumeNotNull(${field.sql})`)}))`
  return {
    part: isWithin ? partWithin(all, field, key) : { sql: key, many: field.many, type: 'long' },
    show: (raw) => `${zoom}/${Math.floor(Number(raw) / rowsOfColumn)}/${Number(raw) % rowsOfColumn}`,
    raw(shown) {
      const [, at, x, y] = /^(\d{1,2})\/(\d{1,9})\/(\d{1,9})$/u.exec(String(shown)) ?? []
      if (Number(at) === zoom && Number(x) < 2 ** zoom && Number(y) < 2 ** zoom)
        return Number(x) * rowsOfColumn + Number(y)
      throw illegalArgument(
        `Invalid geotile_grid hash string of ${String(shown)}. Must be three integers in a form "zoom/x/y".`,
      )
    },
  }
}

/** Points outside of the bounds are not missing: their documents have no key. */
function partWithin(all: RowField, within: RowField, key: Sql): KeyPart {
  if (all.many) return { sql: key, many: true, type: 'long', isMissing: sql`empty(${all.sql})` }
  const keys = sql`if(isNull(${within.sql}), [], [assumeNotNull(${key})])`
  return { sql: keys, many: true, type: 'long', isMissing: sql`isNull(${all.sql})` }
}
