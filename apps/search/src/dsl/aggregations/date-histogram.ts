import { isAppError } from '@logstack/errors'
import { z } from 'zod'
import { type TimeZone, timeZone, utc } from '../../dates/date-format.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { illegalArgument, memberError } from '../../refusals/refuse.ts'
import { num, type Sql, sql } from '../../sql/sql.ts'
import {
  type Aggregation,
  defineAggregation,
  type FoundBucket,
  type KeyPart,
  type RowField,
  type RowSource,
} from '../define-aggregation.ts'
import { formatNumber } from '../number-format.ts'
import {
  calendarRounding,
  type DateRounding,
  fixedIntervalMs,
  fixedRounding,
  isCalendarInterval,
  offsetMs,
} from '../shapes/date-rounding.ts'
import { dateValue, isDate } from '../shapes/field-value.ts'
import { cellNumber } from '../shapes/metric-values.ts'
import { flag, scalar, whole } from '../shapes/scalars.ts'
import { datePrinter } from './bucket-key.ts'
import { bucketOrder, orderCriteria, orderSql } from './bucket-order.ts'
import { checkBounds, fillGaps, reordered } from './fill-gaps.ts'
import { numberTypes, requireField, unsupportedType, valued } from './metric-cells.ts'
import { spanOf } from './rate-length.ts'
import { holdsSpans, outerEnds, spanKey } from './span-keys.ts'

const bounds = z.strictObject({ min: scalar.optional(), max: scalar.optional() })

/** What `date_histogram` and the source of that name in `composite` have in common. */
export const dateIntervalSchema = z.strictObject({
  field: z.string().optional(),
  calendar_interval: z.string().optional(),
  fixed_interval: z.string().optional(),
  /** The old name of either of the two. */
  interval: z.string().optional(),
  time_zone: z.string().optional(),
  offset: z.union([z.string(), z.number()]).optional(),
  format: z.string().optional(),
})
export type DateInterval = z.infer<typeof dateIntervalSchema>

const schema = dateIntervalSchema.extend({
  min_doc_count: whole.optional(),
  extended_bounds: bounds.optional(),
  hard_bounds: bounds.optional(),
  keyed: flag.optional(),
  missing: scalar.optional(),
  order: bucketOrder.optional(),
})
type DateHistogram = z.infer<typeof schema>

/** `date_histogram`: buckets of equal time, by the calendar of a zone or of a fixed length; gaps are filled unless `min_doc_count` says otherwise. */
export const dateHistogram: Aggregation<DateHistogram> = defineAggregation<DateHistogram>({
  name: 'date_histogram',
  kind: 'bucket',
  schema,
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  check(parameters, _name, written) {
    checkIntervals(parameters, written)
    const { time_zone: zone } = parameters
    if (zone !== undefined) asMember('time_zone', () => timeZone(zone))
  },
  prepare({ field: path, time_zone: zone }, source) {
    const field = source.field(requireField(path))
    if (holdsSpans(field)) return outerEnds(field)
    refuseField(field, zone)
    return []
  },
  plan(parameters, source, prepared, name) {
    const field = source.field(requireField(parameters.field))
    const { rounding, zone } = roundingOf(parameters)
    const read = (given: z.infer<typeof scalar> | undefined, roundUp: boolean) =>
      boundMs(given, field, parameters, source, roundUp)
    const criteria = orderCriteria(parameters.order, { path: '_key', descending: false })
    const minimumCount = parameters.min_doc_count ?? 0
    const byMetric = criteria.some(({ path }) => path !== '_key' && path !== '_count')
    const hard = parameters.hard_bounds
    const extended = {
      min: read(parameters.extended_bounds?.min, false),
      max: read(parameters.extended_bounds?.max, false),
    }
    checkBounds(extended, name)
    const limits = {
      missing: read(parameters.missing, false),
      hardMin: read(hard?.min, false),
      hardMax: read(hard?.max, false),
    }
    const part = holdsSpans(field)
      ? spanKey(
          field,
          {
            from: limits.hardMin ?? cellNumber(prepared[0]) ?? undefined,
            to: limits.hardMax ?? cellNumber(prepared[1]) ?? undefined,
            bucketsMax: source.bucketsMax,
          },
          rounding,
          'long',
          (start) => rounding.rawOf(start),
        )
      : dateKey(field, rounding, limits)
    return {
      parts: [part],
      ...(holdsSpans(field) ? {} : { spans: [{ part: 0, span: spanOf(rounding) }] }),
      minimumCount,
      ...(byMetric ? { order: (columns: Parameters<typeof orderSql>[1]) => orderSql(criteria, columns) } : {}),
      render(found, empty) {
        const starts = found.map((bucket) => ({ start: rounding.startOf(Number(bucket.key[0])), bucket }))
        const filled =
          minimumCount > 0 || byMetric ? starts : fillGaps(starts, rounding, extended, empty, source.bucketsMax)
        const ordered = byMetric ? filled : reordered(filled, criteria)
        return renderDates(ordered, field, parameters, zone)
      },
    }
  },
})

/** Refuses intervals that are none, and two of them: the one that is written last is refused then. */
function checkIntervals(parameters: DateHistogram, written: readonly string[]): void {
  const { calendar_interval: calendar, fixed_interval: fixed } = parameters
  if (calendar !== undefined) asMember('calendar_interval', () => calendarRounding(calendar, utc, 0))
  if (fixed !== undefined) asMember('fixed_interval', () => fixedIntervalMs(fixed))
  if (calendar === undefined || fixed === undefined) return
  const isCalendarLast = written.indexOf('calendar_interval') > written.indexOf('fixed_interval')
  const [last, first] = isCalendarLast
    ? ['calendar_interval', 'fixed_interval']
    : ['fixed_interval', 'calendar_interval']
  const reason = `Cannot use [${last}] with [${first}] configuration option.`
  throw memberError('date_histogram', last, illegalArgument(reason))
}

function asMember(member: string, read: () => unknown): void {
  try {
    read()
  } catch (thrown) {
    throw isAppError(thrown) ? memberError('date_histogram', member, thrown) : thrown
  }
}

/** The rounding an interval asks for; throws where there is none. */
export function roundingOf(parameters: DateInterval): { readonly rounding: DateRounding; readonly zone: TimeZone } {
  const zone = parameters.time_zone === undefined ? utc : timeZone(parameters.time_zone)
  const offset = offsetMs(parameters.offset)
  const { calendar_interval: calendar, fixed_interval: fixed } = parameters
  if (calendar !== undefined) return { rounding: calendarRounding(calendar, zone, offset), zone }
  const { interval } = parameters
  if (interval !== undefined && fixed === undefined) return { rounding: namedRounding(interval, zone, offset), zone }
  if (fixed === undefined) throw illegalArgument('Invalid interval specified, must be non-null and non-empty')
  return { rounding: fixedRounding(fixedIntervalMs(fixed), zone, offset), zone }
}

function namedRounding(interval: string, zone: TimeZone, offset: number): DateRounding {
  return isCalendarInterval(interval)
    ? calendarRounding(interval, zone, offset)
    : fixedRounding(fixedIntervalMs(interval), zone, offset)
}

/** The raw key of a date field under a rounding. */
export function dateKey(
  field: RowField,
  rounding: DateRounding,
  limits: {
    readonly missing?: number | undefined
    readonly hardMin?: number | undefined
    readonly hardMax?: number | undefined
  } = {},
): KeyPart {
  refuseField(field)
  const { hardMin, hardMax } = limits
  // Whole numbers are counted as milliseconds, and what stands for a missing one is one of them.
  const missing = limits.missing === undefined ? undefined : Math.trunc(limits.missing)
  const conditions = (value: Sql) => [
    // From the bucket that the lower one lies in to that before the one of the upper one.
    ...(hardMin === undefined ? [] : [sql`${value} >= ${num(rounding.floor(hardMin))}`]),
    ...(hardMax === undefined ? [] : [sql`${value} < ${num(rounding.floor(hardMax))}`]),
  ]
  const ms = (value: Sql) => msOf(field, value)
  if (field.many) {
    const values = sql`arrayMap(x -> ${ms(sql`x`)}, ${field.sql})`
    const filled = missing === undefined ? values : sql`if(empty(${field.sql}), [${num(missing)}], ${values})`
    const kept = conditions(sql`x`).reduce((list, condition) => sql`arrayFilter(x -> ${condition}, ${list})`, filled)
    return { sql: sql`arrayMap(x -> ${rounding.sql(sql`x`)}, ${kept})`, many: true, type: 'long' }
  }
  const nullable = field.type === undefined ? sql`CAST(NULL, 'Nullable(Int64)')` : ms(field.sql)
  const value = missing === undefined ? nullable : sql`ifNull(${nullable}, ${num(missing)})`
  const kept = conditions(value).reduce((inner, condition) => sql`if(${condition}, ${inner}, NULL)`, value)
  return { sql: rounding.sql(kept), many: false, type: 'long' }
}

/** Refuses what is no time: numbers and truths are milliseconds, in no zone. */
function refuseField(field: RowField, zone?: string): void {
  if (field.type === undefined || isDateType(field)) return
  if (!numberTypes.has(field.type)) throw unsupportedType(field, 'date_histogram')
  valued(field)
  if (zone === undefined) return
  const type = field.field?.wireType
  throw illegalArgument(`Field [${field.path}] of type [${type}] does not support custom time zones`)
}

/** A value as whole milliseconds. */
function msOf({ type }: RowField, value: Sql): Sql {
  if (type === 'date_nanos') return sql`intDiv(${value}, 1000000)`
  return type === 'date' || type === 'long' ? value : sql`toInt64(${value})`
}

function isDateType(field: RowField): boolean {
  return field.type === 'date' || field.type === 'date_nanos'
}

/** Prints the start of a bucket; numbers have no text unless they are given a format. */
function startPrinter(
  field: RowField,
  format: string | undefined,
  zone: TimeZone,
): ((start: number) => string) | undefined {
  if (field.type === undefined || isDateType(field) || holdsSpans(field)) return datePrinter(field, format, zone)
  return format === undefined ? undefined : (start) => formatNumber(format, start)
}

function boundMs(
  given: z.infer<typeof scalar> | undefined,
  field: RowField,
  parameters: DateInterval,
  source: RowSource,
  roundUp: boolean,
): number | undefined {
  if (given === undefined) return undefined
  const dated = field.field?.wireType === 'date_range' ? { ...field.field, valueType: 'date' as const } : field.field
  if (!dated || !isDate(dated)) return typeof given === 'number' ? given : undefined
  if (typeof given === 'number') return given
  const value = dateValue(given, dated, {
    nowMs: source.nowMs,
    roundUp,
    format: parameters.format,
    timeZone: parameters.time_zone,
  })
  return dated.valueType === 'date_nanos' ? Number(BigInt(value) / 1_000_000n) : Number(value)
}

function renderDates(
  buckets: readonly { readonly start: number; readonly bucket: Pick<FoundBucket, 'count' | 'body'> }[],
  field: RowField,
  { format, keyed }: DateHistogram,
  zone: TimeZone,
): JsonObject {
  const print = startPrinter(field, format, zone)
  // No literal that begins with a spread: V8 takes fifty times longer for one, and there are thousands of buckets.
  const head = (start: number, count: number): { key_as_string?: string; key: number; doc_count: number } =>
    print ? { key_as_string: print(start), key: start, doc_count: count } : { key: start, doc_count: count }
  const rendered = buckets.map(({ start, bucket }) => Object.assign(head(start, bucket.count), bucket.body))
  if (keyed !== true) return { buckets: rendered }
  return { buckets: Object.fromEntries(rendered.map((bucket) => [bucket.key_as_string ?? String(bucket.key), bucket])) }
}
