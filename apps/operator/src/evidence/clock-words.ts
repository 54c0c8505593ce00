const units = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
] as const

/** How far a clock is off (milliseconds, above 0 ahead) in words: `3 days ahead`, `40 minutes behind`. */
export function clockWords(offsetMs: number): string {
  const [size, unit] = units.find(([each]) => Math.abs(offsetMs) >= 2 * each) ?? [1000, 'second']
  const count = Math.round(Math.abs(offsetMs) / size)
  return `${count} ${unit}${count === 1 ? '' : 's'} ${offsetMs > 0 ? 'ahead' : 'behind'}`
}
