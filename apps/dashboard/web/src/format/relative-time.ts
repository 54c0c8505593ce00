const steps: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
]

/** How long before or after `nowMs` an instant is, in its largest unit: `2 hours ago`. */
export function relativeTime(ms: number, nowMs: number): string {
  const apart = ms - nowMs
  const [unit, unitMs] = steps.find(([, one]) => Math.abs(apart) >= one) ?? ['second', 1_000]
  return new Intl.RelativeTimeFormat('en-US').format(Math.round(apart / unitMs), unit)
}
