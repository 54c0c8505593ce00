import { join, list, num, type Sql, sql, str } from '../../sql/sql.ts'
import type { KeyPart } from '../define-aggregation.ts'

/** Values from `from` on up to `to`, which is not one of them; undefined is without end. */
export interface Bounds<Bound> {
  readonly from: Bound | undefined
  readonly to: Bound | undefined
}

/** How values are compared with bounds. */
export interface Comparison<Bound> {
  /** The least that a value may be. */
  readonly least: Bound
  /** A bound as the values are. */
  literal(bound: Bound): Sql
  /** A value, and many bounds, as `roundDown` takes them. */
  rounded(value: Sql): Sql
  bounds(bounds: readonly Bound[]): Sql
}

/** Values that are doubles. */
export const doubles: Comparison<number> = {
  least: Number.NEGATIVE_INFINITY,
  literal: num,
  rounded: (value) => value,
  // Of two zeros only one is found again. As texts they are one literal for the engine to read, not a call each.
  bounds: (bounds) => sql`CAST(${list(bounds.map((bound) => str(printed(bound + 0))))}, 'Array(Float64)')`,
}

function printed(value: number): string {
  return Number.isFinite(value) ? String(value) : value > 0 ? 'inf' : '-inf'
}

/** A span and its position among all. */
interface Placed<Bound> extends Bounds<Bound> {
  readonly at: number
}

/** With so many spans comparisons cost as much as looking bounds up. */
const comparedMax = 12
/** Numbers of layers that stand in one list for a row. */
const layersAtOnce = 32

/**
 * The positions of the spans that a row's values lie in. Spans that do not overlap are a layer, of which a value lies in one at most: it is looked up among their bounds, so that
 * a thousand spans cost what a few do, and only what overlaps costs more.
 */
export function rangeKey<Bound extends number | bigint>(
  spans: readonly Bounds<Bound>[],
  values: { readonly sql: Sql; readonly many: boolean },
  comparison: Comparison<Bound>,
): KeyPart {
  const layers = layersOf(spans, comparison.least)
  const [only] = layers
  if (!values.many && layers.length <= 1)
    return {
      sql: sql`nullIf(${only ? placeIn(only, values.sql, comparison) : num(-1)}, -1)`,
      many: false,
      type: 'long',
    }
  const places = layers.map((layer) =>
    values.many
      ? sql`arrayMap(x -> ${placeIn(layer, sql`x`, comparison)}, ${values.sql})`
      : placeIn(layer, values.sql, comparison),
  )
  const held: Sql[] = []
  for (let at = 0; at < places.length; at += layersAtOnce) {
    const some = places.slice(at, at + layersAtOnce)
    const all = values.many ? sql`arrayConcat(${join(some, ', ')})` : list(some)
    held.push(sql`arrayFilter(x -> x >= 0, ${all})`)
  }
  return {
    sql: held.length === 0 ? sql`CAST([], 'Array(Int64)')` : sql`arrayConcat(${join(held, ', ')})`,
    many: true,
    type: 'long',
  }
}

/** Spans in as few layers as can be, each in order and without overlaps. Spans without any value are left out. */
function layersOf<Bound extends number | bigint>(spans: readonly Bounds<Bound>[], least: Bound): Placed<Bound>[][] {
  const placed = spans
    .map((span, at) => ({ ...span, at }))
    .filter(({ from = least, to }) => to === undefined || from < to)
    .sort((a, b) => compare(a.from ?? least, b.from ?? least))
  const layers: Placed<Bound>[][] = []
  // Layers by where they end, the first end first; those without end take no more.
  const open: { readonly end: Bound; readonly layer: Placed<Bound>[] }[] = []
  for (const span of placed) {
    const [first] = open
    const layer = first && first.end <= (span.from ?? least) ? (open.shift()?.layer ?? []) : []
    if (layer.length === 0) layers.push(layer)
    layer.push(span)
    if (span.to !== undefined) open.splice(placeOf(open, span.to), 0, { end: span.to, layer })
  }
  return layers
}

/** Where an end belongs among others, which ascend. */
function placeOf<Bound extends number | bigint>(open: readonly { readonly end: Bound }[], end: Bound): number {
  let [low, high] = [0, open.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const found = open[middle]
    if (found && found.end < end) low = middle + 1
    else high = middle
  }
  return low
}

function compare<Bound extends number | bigint>(a: Bound, b: Bound): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The position of the span of a layer that a value lies in, -1 of none; what is NULL lies in none. */
function placeIn<Bound extends number | bigint>(
  layer: readonly Placed<Bound>[],
  value: Sql,
  comparison: Comparison<Bound>,
): Sql {
  if (layer.length <= comparedMax) {
    const cases = layer.map(({ from, to, at }) => {
      const bounds = [
        ...(from === undefined ? [] : [sql`${value} >= ${comparison.literal(from)}`]),
        ...(to === undefined ? [] : [sql`${value} < ${comparison.literal(to)}`]),
      ]
      return sql`${bounds.length === 0 ? sql`isNotNull(${value})` : join(bounds, ' AND ')}, ${num(at)}`
    })
    return sql`multiIf(${join(cases, ', ')}, -1)`
  }
  const beginnings: Bound[] = []
  const places: number[] = []
  const begin = (bound: Bound, place: number) => {
    if (beginnings.at(-1) === bound) places.pop()
    else beginnings.push(bound)
    places.push(place)
  }
  begin(comparison.least, -1)
  for (const { from = comparison.least, to, at } of layer) {
    begin(from, at)
    if (to !== undefined) begin(to, -1)
  }
  const bounds = comparison.bounds(beginnings)
  return sql`transform(roundDown(${comparison.rounded(value)}, ${bounds}), ${bounds}, ${list(places.map(num))}, -1)`
}
