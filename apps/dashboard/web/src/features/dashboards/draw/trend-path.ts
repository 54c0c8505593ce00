/** The outline of the area below numbers along time, for an SVG of 100 by 30; where there is no number it lies on the ground. */
export function trendPath(points: readonly (number | null)[]): string {
  const most = points.reduce<number>((max, value) => Math.max(max, value ?? 0), 0)
  const least = points.reduce<number>((min, value) => Math.min(min, value ?? 0), 0)
  const span = most - least || 1
  const step = 100 / Math.max(1, points.length - 1)
  const heights = points.map((value) => 30 - (27 * ((value ?? 0) - least)) / span)
  const tops = heights.map((height, at) => `L${round(at * step)} ${round(height)}`)
  return `M0 30${tops.join('')}L${round(step * Math.max(0, points.length - 1))} 30Z`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
