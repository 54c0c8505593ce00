import { z } from 'zod'
import { type TimeZone, timeZone, utc } from '../../indices/date-format.ts'
import { list, num, type Sql, sql } from '../../sql/sql.ts'
import { defineAggregation, type KeyPart, type RowField } from '../define-aggregation.ts'
import { calendarRounding } from '../shapes/date-rounding.ts'
import { illegalArgument } from '../shapes/refuse.ts'
import { whole } from '../shapes/scalars.ts'
import { showDate } from './bucket-key.ts'
import { cellNumber, requireField, unsupportedType } from './metric-cells.ts'

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
/** Most buckets that may be asked for, so that no unit makes more than the limit of buckets. */
const bucketsMost = 10_000

/** `auto_date_histogram`: as many buckets of equal time as there may be, in a round interval. All parents share the interval. */
export const autoDateHistogram = defineAggregation({
  name: 'auto_date_histogram',
  kind: 'bucket',
  schema: z.strictObject({
    field: z.string().optional(),
    buckets: whole.optional(),
    minimum_interval: z.enum(['second', 'minute', 'hour', 'day', 'month', 'year']).optional(),
    format: z.string().optional(),
    time_zone: z.string().optional(),
  }),
  uses: ({ field }) => ({ fields: [requireField(field, 'auto_date_histogram')] }),
  prepare({ field: path }, source) {
    const field = source.field(requireField(path, 'auto_date_histogram'))
    if (field.type === undefined) return []
    const ms = field.type === 'date_nanos' ? 1_000_000 : 1
    const scaled = (cell: typeof field.sql) => (ms === 1 ? cell : sql`intDiv(${cell}, 1000000)`)
    return field.many
      ? [scaled(sql`minOrNullArray(${field.sql})`), scaled(sql`maxOrNullArray(${field.sql})`)]
      : [scaled(sql`minOrNull(${field.sql})`), scaled(sql`maxOrNull(${field.sql})`)]
  },
  plan(parameters, source, prepared) {
    const { buckets: most = 10, time_zone: named, format } = parameters
    if (most <= 0) throw illegalArgument('buckets must be greater than 0 for [auto_date_histogram]')
    if (most > bucketsMost) throw illegalArgument(`buckets must be less than ${bucketsMost}`)
    const field = source.field(requireField(parameters.field, 'auto_date_histogram'))
    if (field.type !== undefined && field.type !== 'date' && field.type !== 'date_nanos')
      throw unsupportedType(field, 'auto_date_histogram')
    const zone = named === undefined ? utc : timeZone(named)
    const { starts, interval } = intervalFor(
      cellNumber(prepared[0]),
      cellNumber(prepared[1]),
      most,
      zone,
      parameters.minimum_interval,
    )
    return {
      parts: [keyOf(field, starts)],
      render(found, empty) {
        const byStart = new Map(found.map((bucket) => [Number(bucket.key[0]), bucket]))
        const first = Number(found[0]?.key[0] ?? Number.POSITIVE_INFINITY)
        const last = Number(found.at(-1)?.key[0] ?? Number.NEGATIVE_INFINITY)
        const shown = starts.filter((start) => start >= first && start <= last)
        const buckets = shown.map((start) => ({
          key_as_string: showDate(start, field, format, zone),
          key: start,
          doc_count: byStart.get(start)?.count ?? 0,
          ...(byStart.get(start)?.body ?? empty()),
        }))
        return { buckets, interval }
      },
    }
  },
})

/** The last start that is no later than the moment. */
function keyOf(field: RowField, starts: readonly number[]): KeyPart {
  const all = list(starts.map(num))
  const ms = (value: Sql) => (field.type === 'date_nanos' ? sql`intDiv(${value}, 1000000)` : value)
  const startOf = (value: Sql) => sql`arrayLast(start -> start <= ${value}, ${all})`
  if (starts.length === 0) return { sql: sql`CAST(NULL, 'Nullable(Int64)')`, many: false, type: 'long' }
  if (field.many)
    return { sql: sql`arrayMap(x -> toInt64(${startOf(ms(sql`x`))}), ${field.sql})`, many: true, type: 'long' }
  const known = sql`toInt64(${startOf(sql`assumeNotNull(${ms(field.sql)})`)})`
  return { sql: sql`if(isNull(${field.sql}), NULL, ${known})`, many: false, type: 'long' }
}

/** The finest round interval that makes no more buckets than wanted, and their starts. */
function intervalFor(min: number | null, max: number | null, most: number, zone: TimeZone, least: string | undefined) {
  const from = Math.max(
    0,
    units.findIndex(({ name }) => name === least),
  )
  if (min === null || max === null) return { starts: [], interval: `1${units[from]?.letter ?? 's'}` }
  for (const unit of units.slice(from)) {
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
      }
  }
  throw new Error('BUG: no interval is coarse enough')
}
