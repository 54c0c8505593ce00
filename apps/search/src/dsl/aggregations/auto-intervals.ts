import type { TimeZone } from '../../dates/date-format.ts'
import { calendarRounding } from '../shapes/date-rounding.ts'

interface Unit {
  readonly name: string
  /** How `interval` writes it: `7d`. */
  readonly letter: string
  readonly ms: number
  readonly steps: readonly number[]
}

const units: readonly Unit[] = [
  { name: 'second', letter: 's', ms: 1000, steps: [1, 5, 10, 30] },
  { name: 'minute', letter: 'm', ms: 60_000, steps: [1, 5, 10, 30] },
  { name: 'hour', letter: 'h', ms: 3_600_000, steps: [1, 3, 12] },
  { name: 'day', letter: 'd', ms: 86_400_000, steps: [1, 7] },
  { name: 'month', letter: 'M', ms: 86_400_000 * 30, steps: [1, 3] },
  { name: 'year', letter: 'y', ms: 86_400_000 * 365, steps: [1, 5, 10, 20, 50, 100] },
]
const dayMs = 86_400_000
/** Groups that are looked at beforehand: so many where they can be that long, and never more than the latter. */
const groupsWanted = 1_024
const groupsMost = 10_000

/** A span of time in milliseconds, both ends included. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** What is asked of an interval: at most so many buckets, by the clocks of a zone, and no finer than a unit. */
export interface Wanted {
  readonly most: number
  readonly zone: TimeZone
  readonly least: string | undefined
}

interface Interval {
  /** Where buckets begin, ascending. */
  readonly starts: readonly number[]
  /** As it is answered: `7d`. */
  readonly interval: string
  /** About how long one is of the unit it is counted in. */
  readonly unitMs: number
}

function unitsFrom(least: string | undefined): readonly Unit[] {
  return units.slice(
    Math.max(
      0,
      units.findIndex(({ name }) => name === least),
    ),
  )
}

/** The interval of no documents. */
export function noInterval({ least }: Wanted): Interval {
  const [unit] = unitsFrom(least)
  return { starts: [], interval: `1${unit?.letter ?? 's'}`, unitMs: unit?.ms ?? 1000 }
}

/** The finest round interval that makes no more buckets of a span than wanted. */
export function intervalFor({ from: min, to: max }: TimeSpan, { most, zone, least }: Wanted): Interval {
  for (const unit of unitsFrom(least)) {
    const greatest = unit.steps.at(-1) ?? 1
    // The last unit is taken whatever it makes.
    if (unit !== units.at(-1) && (max - min) / unit.ms > most * greatest * 2) continue
    const rounding = calendarRounding(unit.name, zone, 0)
    const all: number[] = []
    for (let start = rounding.floor(min); start <= max; start = rounding.next(start)) all.push(start)
    const step = unit.steps.find((each) => Math.ceil(all.length / each) <= most)
    if (step !== undefined || unit === units.at(-1))
      return {
        starts: all.filter((_, at) => at % (step ?? greatest) === 0),
        interval: `${step ?? greatest}${unit.letter}`,
        unitMs: unit.ms,
      }
  }
  throw new Error('BUG: no interval is coarse enough')
}

/**
 * How long groups of time should be that rows within `bounds` are counted by, so that the buckets can be put together of them: a part of the unit which the
 * interval of all the bounds is counted in, and as short as it may be for data that fill only some of them. Undefined where there would be too many.
 */
export function groupedMs(bounds: TimeSpan, wanted: Wanted): number | undefined {
  const length = bounds.to - bounds.from
  if (!(wanted.most > 0) || !(length >= 0) || length > groupsMost * dayMs) return undefined
  const unitMs = Math.min(dayMs, intervalFor(bounds, wanted).unitMs)
  const offset = wanted.zone.offsetMs(bounds.from)
  const lengths = units
    .flatMap(({ ms, steps }) => steps.map((step) => ms * step))
    .filter((ms) => unitMs % ms === 0 && offset % ms === 0 && length / ms <= groupsMost)
  return lengths.find((ms) => length / ms <= groupsWanted) ?? lengths.at(-1)
}
