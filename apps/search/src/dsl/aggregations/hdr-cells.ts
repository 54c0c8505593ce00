/** The base-2 logarithm of how many cells of a power of two `digits` significant digits need. */
function halfCells(digits: number): number {
  return Math.ceil(Math.log2(2 * 10 ** digits)) - 1
}

/**
 * The highest value of the cell of an HdrHistogram that holds `value`: its percentiles are such values. `least` is the least value above 0 that it
 * counts, from which its finest cell follows; `digits` are its significant digits.
 */
export function hdrUpperEnd(value: number, least: number, digits: number): number {
  if (value <= 0 || least <= 0) return value
  const half = halfCells(digits)
  const unit = 2 ** (Math.floor(Math.log2(least)) - half)
  const units = Math.floor(value / unit)
  const cell = 2 ** Math.max(0, Math.floor(Math.log2(units)) - half)
  return (Math.floor(units / cell) * cell + cell - 1) * unit
}
