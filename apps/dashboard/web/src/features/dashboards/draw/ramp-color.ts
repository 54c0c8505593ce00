/** The colour at a share (0 to 1) of the way through a ramp of `#rrggbb` colours. */
export function rampColor(ramp: readonly string[], share: number): string {
  const at = Math.max(0, Math.min(1, share)) * (ramp.length - 1)
  const [left, right] = [ramp[Math.floor(at)] ?? '', ramp[Math.ceil(at)] ?? '']
  const [from, to] = [channels(left), channels(right)]
  if (!from || !to) return left
  const part = at - Math.floor(at)
  const mixed = from.map((channel, index) => Math.round(channel + ((to[index] ?? 0) - channel) * part))
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** A value's share of a range; the upper end where the range is a point. */
export function shareOf(value: number, min: number, max: number): number {
  return max > min ? (value - min) / (max - min) : 1
}

function channels(color: string): number[] | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return undefined
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}
