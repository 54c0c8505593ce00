import { illegalArgument } from '../../refusals/refuse.ts'
import { num, type Sql, sql, str } from '../../sql/sql.ts'
import type { BucketSpan, TimeUnit } from '../define-aggregation.ts'
import type { CalendarStep, DateRounding } from '../shapes/date-rounding.ts'
import { addUnits, floorToUnit } from '../shapes/date-units.ts'

const dayMs = 86_400_000
const units: readonly TimeUnit[] = [
  { name: 'second', ms: 1_000 },
  { name: 'minute', ms: 60_000 },
  { name: 'hour', ms: 3_600_000 },
  { name: 'day', ms: dayMs },
  { name: 'week', ms: 7 * dayMs },
  { name: 'month', months: 1 },
  { name: 'quarter', months: 3 },
  { name: 'year', months: 12 },
]

/** The units of rates by what a request calls them: those of `calendar_interval`. */
export const timeUnits: ReadonlyMap<string, TimeUnit> = new Map(
  units.flatMap((unit) => [[unit.name, unit] as const, [`1${unit.name === 'month' ? 'M' : unit.name[0]}`, unit]]),
)

/**
 * How long the buckets of a rounding are. Units of the clock are as long as they mostly are, so a day is 24 hours where clocks change, too; a month counted in
 * these is as long as it is.
 */
export function spanOf({ step, startOf }: DateRounding): BucketSpan {
  if (!('unit' in step))
    return {
      lengthSql: () => undefined,
      length(unit) {
        if (unit.ms !== undefined) return step.ms / unit.ms
        throw illegalArgument(
          `Cannot use month-based rate unit [${unit.name}] with fixed interval based histogram, only week, day, hour, minute and second are supported for this histogram`,
        )
      },
    }
  return {
    length: (unit, key) => calendarLength(step, unit, key === undefined ? undefined : startOf(Number(key))),
    lengthSql: (unit, key) => monthsLength(step, unit, key),
  }
}

function calendarLength(step: CalendarStep, unit: TimeUnit, start: number | undefined): number {
  const own = timeUnits.get(step.unit)
  if (own?.ms !== undefined && unit.ms !== undefined) return own.ms / unit.ms
  if (own?.months !== undefined && unit.months !== undefined) return own.months / unit.months
  if (unit.ms === undefined)
    throw illegalArgument(
      `Cannot use month-based rate unit [${unit.name}] with non-month based calendar interval histogram [${step.unit}] only week, day, hour, minute and second are supported for this histogram`,
    )
  if (start === undefined)
    throw illegalArgument(
      `Cannot use non month-based rate unit [${unit.name}] with calendar interval histogram [${step.unit}] only month, quarter and year are supported for this histogram`,
    )
  // A bucket that was moved counts to the end of the month it begins in, as Elasticsearch counts it.
  const next = addUnits(floorToUnit(start, step.unit, step.zone), 1, step.unit, step.zone)
  return (next - start) / unit.ms
}

/** The lengths of months, quarters and years in a unit of the clock, of raw keys: the beginning by the zone's calendar, in milliseconds. */
function monthsLength({ unit: own, zone, offset }: CalendarStep, unit: TimeUnit, key: Sql): Sql | undefined {
  const months = timeUnits.get(own)?.months
  if (months === undefined || unit.ms === undefined) return undefined
  const shown = sql`fromUnixTimestamp64Milli(toInt64(${key}), 'UTC')`
  const utc = (local: Sql) => sql`toUnixTimestamp64Milli(toDateTime64(toString(${local}), 3, ${str(zone.id)}))`
  const begin = zone.fixedOffsetMs === undefined ? utc(shown) : sql`toInt64(${key})`
  const later = sql`addMonths(${shown}, ${num(months)})`
  const end = zone.fixedOffsetMs === undefined ? utc(later) : sql`toUnixTimestamp64Milli(${later})`
  const length = offset < 0 ? num(-offset) : sql`(${end} - ${begin} - ${num(offset)})`
  return sql`${length} / ${num(unit.ms)}`
}
