/** Up to so many values of a bucket percentiles and ranks are those of the values themselves, as Elasticsearch keeps them. */
export const exactValuesMax = 1000

/** The values of a cell in order; undefined of a cell that holds no list, or one that was cut. */
export function sortedValues(cell: unknown): readonly number[] | undefined {
  if (!Array.isArray(cell) || cell.length > exactValuesMax) return undefined
  return cell.map(Number).sort((a, b) => a - b)
}

/** The value that so many of a hundred are below: between the two next to that place. */
export function percentileOf(sorted: readonly number[], percent: number): number | undefined {
  const place = (percent / 100) * (sorted.length - 1)
  const below = sorted[Math.floor(place)]
  const above = sorted[Math.min(sorted.length - 1, Math.floor(place) + 1)]
  return below === undefined || above === undefined ? undefined : below + (above - below) * (place - Math.floor(place))
}

/** The value at the place that a sketch of counts has for so many of a hundred. */
export function countedPercentileOf(sorted: readonly number[], percent: number): number | undefined {
  const count = Math.max(1, Math.floor((percent / 100) * sorted.length + 0.5))
  return sorted[Math.min(sorted.length, count) - 1]
}

/** How many of a hundred values lie below one: each value reaches half way to those beside it, the last as far up as down. */
export function rankOf(sorted: readonly number[], value: number): number | null {
  const count = sorted.length
  const [least] = sorted
  const most = sorted.at(-1)
  if (least === undefined || most === undefined) return null
  if (value < least) return 0
  if (value > most) return 100
  if (count === 1) return 50
  for (const [at, held] of sorted.entries()) {
    const next = sorted[at + 1]
    const before = sorted[at - 1]
    const right = next === undefined ? (held - (before ?? held)) / 2 : (next - held) / 2
    if (next !== undefined && value >= held + right) continue
    const left = before === undefined ? right : (held - before) / 2
    const share = left + right === 0 ? 0.5 : (value - (held - left)) / (left + right)
    return (100 * (at + Math.min(1, Math.max(0, share)))) / count
  }
  return 100
}
