/** Letters of a pattern that an error repeats. */
const shownLettersMax = 1_000

/** A pattern that somebody else wrote, as errors repeat it: no more than its beginning. */
export function shownPattern(pattern: string): string {
  return pattern.slice(0, shownLettersMax)
}
