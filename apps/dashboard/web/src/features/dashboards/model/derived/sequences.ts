type Value = number | null

/** What a calculation along the rows of a group is told besides its values. */
export interface SequenceOptions {
  /** How many rows a window or a lag spans. */
  readonly window: number
}

/** Each value less the one so many rows before it. */
function differences(values: readonly Value[], { window }: SequenceOptions): Value[] {
  return values.map((value, at) => {
    const before = values[at - window] ?? null
    return value === null || before === null ? null : value - before
  })
}

/** How much a counter rose; one that fell began anew at zero. */
function counterRise(values: readonly Value[]): Value[] {
  return values.map((value, at) => {
    const before = values[at - 1] ?? null
    if (value === null || before === null) return null
    return value >= before ? value - before : value
  })
}

function cumulativeSum(values: readonly Value[]): Value[] {
  let sum = 0
  return values.map((value) => {
    if (value === null) return null
    sum += value
    return sum
  })
}

/** The mean of the rows before each, without itself, as Lens has it. */
function movingAverage(values: readonly Value[], { window }: SequenceOptions): Value[] {
  return values.map((_, at) => {
    const before = values.slice(Math.max(0, at - window), at).filter((value) => value !== null)
    return before.length === 0 ? null : total(before) / before.length
  })
}

/** The mean of each row and those before it, as TSVB's moving average has it. */
function trailingAverage(values: readonly Value[], { window }: SequenceOptions): Value[] {
  return values.map((_, at) => {
    const seen = values.slice(Math.max(0, at - window + 1), at + 1).filter((value) => value !== null)
    return seen.length === 0 ? null : total(seen) / seen.length
  })
}

const positiveOnly = (values: readonly Value[]): Value[] =>
  values.map((value) => (value === null ? null : Math.max(0, value)))

function total(values: readonly number[]): number {
  let sum = 0
  for (const value of values) sum += value
  return sum
}

/** One number of all rows of a group, on each of them. */
const overall =
  (calculate: (values: readonly number[]) => number) =>
  (values: readonly Value[]): Value[] => {
    const known = values.filter((value) => value !== null)
    const result = known.length === 0 ? null : calculate(known)
    return values.map(() => result)
  }

/** The calculations along the rows of a group, by name. */
export const sequences = {
  differences,
  counter_rise: counterRise,
  cumulative_sum: cumulativeSum,
  moving_average: movingAverage,
  trailing_average: trailingAverage,
  positive_only: positiveOnly,
  overall_sum: overall(total),
  overall_average: overall((values) => total(values) / values.length),
  overall_min: overall((values) => Math.min(...values)),
  overall_max: overall((values) => Math.max(...values)),
} as const satisfies Record<string, (values: readonly Value[], options: SequenceOptions) => Value[]>

/** The name of a calculation along rows. */
export type SequenceName = keyof typeof sequences
