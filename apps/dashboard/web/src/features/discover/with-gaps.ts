import type { Interval } from '../../time/interval.ts'
import type { ResolvedRange } from '../../time/time-range.ts'
import type { Bar } from './use-discover.ts'

/**
 * The bars and an empty one for every other interval that begins in the range, in order. The chart makes all bars as wide as the
 * narrowest distance of two: without the empty ones a lone bar would have no width of its own. Calendar intervals differ in length
 * and stay as they are.
 */
export function withGaps(bars: readonly Bar[], interval: Interval, range: ResolvedRange): Bar[] {
  const [first] = bars
  if (!first || interval.calendar) return [...bars]
  const counts = new Map(bars.map(({ ms, count }) => [ms, count]))
  const addEmpty = (ms: number): void => {
    if (!counts.has(ms)) counts.set(ms, 0)
  }
  for (let ms = first.ms - interval.ms; ms >= range.fromMs; ms -= interval.ms) addEmpty(ms)
  for (let ms = first.ms + interval.ms; ms < range.toMs; ms += interval.ms) addEmpty(ms)
  return [...counts].map(([ms, count]) => ({ ms, count })).sort((left, right) => left.ms - right.ms)
}
