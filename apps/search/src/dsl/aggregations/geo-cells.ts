import { z } from 'zod'
import { illegalArgument, memberError } from '../../refusals/refuse.ts'
import { latitudeSql, longitudeSql } from '../../sql/geo-to-sql.ts'
import { num, type Sql, sql } from '../../sql/sql.ts'
import {
  type Aggregation,
  type BucketPlan,
  defineAggregation,
  type FoundBucket,
  type RowField,
} from '../define-aggregation.ts'
import { type Box, boxOf } from '../shapes/geo-box.ts'
import { whole } from '../shapes/scalars.ts'
import { requireField, unsupportedType } from './metric-cells.ts'

/** A point field; throws `illegal_argument_exception` for a field of another type. */
export function pointField(field: RowField, name: string): RowField {
  if (field.field !== undefined && field.field.wireType !== 'geo_point') throw unsupportedType(field, name)
  return field
}

/** Latitude and longitude of a field's points, one array each. */
export function coordinates(field: RowField): { readonly lat: Sql; readonly lon: Sql } {
  const points = field.many ? field.sql : sql`if(isNull(${field.sql}), [], [assumeNotNull(${field.sql})])`
  return {
    lat: sql`arrayMap(x -> ${latitudeSql(sql`x`)}, ${points})`,
    lon: sql`arrayMap(x -> ${longitudeSql(sql`x`)}, ${points})`,
  }
}

const gridSchema = z.strictObject({
  field: z.string().optional(),
  precision: whole.optional(),
  size: whole.optional(),
  shard_size: whole.optional(),
  bounds: z.unknown().optional(),
})

/** A grid of the earth: its precisions, and the cell of a point. */
interface Grid {
  readonly name: string
  readonly precision: { readonly least: number; readonly most: number; readonly otherwise: number }
  /** What a wrong precision is called. */
  readonly called: string
  cell(point: Sql, precision: number): Sql
  /** Column and row of the cell of a point, counted from the west and the north. */
  place(point: Sql, precision: number): { readonly x: Sql; readonly y: Sql }
  /** Where the sides of a box lie, in columns and rows. */
  sides(box: Box, precision: number): Box
}

/** Declares an aggregation of points by the cells of a grid. */
export function defineGrid({
  name,
  precision: allowed,
  called,
  cell,
  place,
  sides,
}: Grid): Aggregation<z.infer<typeof gridSchema>> {
  return defineAggregation({
    name,
    kind: 'bucket',
    schema: gridSchema,
    uses: ({ field }) => ({ fields: [requireField(field)] }),
    check({ precision = allowed.otherwise }) {
      if (precision >= allowed.least && precision <= allowed.most) return
      const reason = `Invalid ${called} of ${precision}. Must be between ${allowed.least} and ${allowed.most}.`
      throw memberError(name, 'precision', illegalArgument(reason))
    },
    plan({ field: path, precision = allowed.otherwise, size = 10_000, bounds }, source) {
      const field = pointField(source.field(requireField(path)), name)
      const within = bounds === undefined ? undefined : sides(boxOf(bounds, name, 'aggregation'), precision)
      const isWithin = within && ((point: Sql) => touches(place(point, precision), within))
      return gridPlan(pointsWhere(field, isWithin), (point) => cell(point, precision), size)
    },
  })
}

/** Elasticsearch tells places apart by so many bits each way: cells that touch a box by less share nothing with it. */
const placesEachWay = 2 ** 32

/**
 * The sides of a box in columns and rows, given their shares of the way around the earth and from the upper edge of the map to the lower, moved in by what counts
 * as an edge.
 */
export function sidesOf({ top, left, bottom, right }: Omit<Box, 'kind'>, columns: number, rows: number): Box {
  const [across, down] = [columns / placesEachWay, rows / placesEachWay]
  return {
    kind: 'box',
    top: top * rows + down,
    left: left * columns + across,
    bottom: bottom * rows - down,
    right: right * columns - across,
  }
}

/** Degrees of longitude as a share of the way around the earth. */
export const columnShare = (longitude: number) => (longitude + 180) / 360

/** Whether a cell shares more than an edge with a box, both in columns and rows. */
export function touches({ x, y }: { readonly x: Sql; readonly y: Sql }, { top, left, bottom, right }: Box): Sql {
  const isInColumns = sql`${x} + 1 > ${num(left)} ${left > right ? sql`OR` : sql`AND`} ${x} < ${num(right)}`
  return sql`(${y} + 1 > ${num(top)} AND ${y} < ${num(bottom)} AND (${isInColumns}))`
}

/** The points of a field that meet a condition, or all without one. */
export function pointsWhere(field: RowField, meets: ((point: Sql) => Sql) | undefined): RowField {
  if (!meets) return field
  const { sql: points, many } = field
  return {
    ...field,
    sql: many
      ? sql`arrayFilter(x -> ${meets(sql`x`)}, ${points})`
      : sql`if(isNotNull(${points}) AND ${meets(sql`assumeNotNull(${points})`)}, ${points}, NULL)`,
  }
}

/** A plan of one bucket a cell of a grid; the fullest cells first. */
function gridPlan(field: RowField, cell: (point: Sql) => Sql, size: number): BucketPlan {
  const key = field.many
    ? sql`arrayMap(x -> ${cell(sql`x`)}, ${field.sql})`
    : sql`if(isNull(${field.sql}), NULL, toNullable(${cell(sql`assumeNotNull(${field.sql})`)}))`
  return {
    parts: [{ sql: key, many: field.many, type: 'string' }],
    size,
    // Of cells as full the one whose number is greater comes first: names of one precision order as their numbers.
    order: ({ count, keys }) => [sql`${count} DESC`, sql`${byNumber(keys[0] ?? num(0))} DESC`],
    render: (found) => ({ buckets: found.map(gridBucket) }),
  }
}

/** A name of numbers with slashes between them as a list of these; of a geohash its letters order as its number does. */
function byNumber(key: Sql): Sql {
  return sql`tuple(if(position(${key}, '/') > 0, arrayMap(x -> toUInt64OrZero(x), splitByChar('/', ${key})), []), ${key})`
}

function gridBucket({ key, count, body }: FoundBucket) {
  return { key: String(key[0]), doc_count: count, ...body }
}
