/** Milliseconds of the units of durations, by their short names. */
export const durationUnits: Readonly<Record<string, number>> = {
  ps: 1e-9,
  ns: 1e-6,
  us: 0.001,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  months: 2_592_000_000,
  years: 31_536_000_000,
}
