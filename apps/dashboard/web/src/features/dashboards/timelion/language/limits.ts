/** What an expression may be and make. Real ones have a dozen calls; past these the page would stand still. */
export const limits = {
  /** Letters of an expression. */
  letters: 20_000,
  /** Calls of functions in an expression. */
  calls: 1_000,
  /** How deep chains, groups and references stand in each other. */
  depth: 50,
  /** Different searches of one panel. */
  searches: 50,
  /** Series of one list. */
  series: 500,
  /** Points of time of a chart, as Kibana has it (`timelion:max_buckets`). */
  buckets: 2_000,
  /** Points that all calls of an expression make together. */
  points: 3_000_000,
  /** Axes of values of a chart. */
  axes: 8,
} as const
