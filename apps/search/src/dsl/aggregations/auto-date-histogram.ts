import { z } from 'zod'
import { timeZone, utc } from '../../dates/date-format.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { list, num, type Sql, sql } from '../../sql/sql.ts'
import { defineAggregation, type FoundBucket, type KeyPart, type RowField } from '../define-aggregation.ts'
import { cellNumber } from '../shapes/metric-values.ts'
import { whole } from '../shapes/scalars.ts'
import { groupedMs, intervalFor, noInterval, type TimeSpan, type Wanted } from './auto-intervals.ts'
import { showDate } from './bucket-key.ts'
import { requireField, unsupportedType } from './metric-cells.ts'

/** Most buckets that may be asked for, so that no unit makes more than the limit of buckets. */
const bucketsMost = 10_000

const schema = z.strictObject({
  field: z.string().optional(),
  buckets: whole.optional(),
  minimum_interval: z.enum(['second', 'minute', 'hour', 'day', 'month', 'year']).optional(),
  format: z.string().optional(),
  time_zone: z.string().optional(),
})
type Parameters = z.infer<typeof schema>

/**
 * `auto_date_histogram`: as many buckets of equal time as there may be, in a round interval. All parents share the interval. It depends on the first and
 * the last moment, so these are looked for beforehand; where the query says between which moments they are, rows are counted by short groups of time on the
 * way, and these are most often put together to the buckets.
 */
export const autoDateHistogram = defineAggregation({
  name: 'auto_date_histogram',
  kind: 'bucket',
  schema,
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  look(parameters, source, rows) {
    const wanted = wantedOf(parameters)
    const field = source.field(requireField(parameters.field))
    if (!isDated(field)) return undefined
    if (field.many) {
      const [first, last] = [sql`minOrNullArray(${field.sql})`, sql`maxOrNullArray(${field.sql})`]
      return sql`SELECT ${inMs(first, field)}, ${inMs(last, field)}, countIf(notEmpty(${field.sql})), count() FROM ${rows.with([first])}`
    }
    const value = inMs(field.sql, field)
    const from = rows.with([value])
    const bounds = rows.isAlone ? source.span(field.path) : undefined
    const step = bounds && groupedMs(bounds, wanted)
    return step === undefined
      ? sql`SELECT minOrNull(${value}), maxOrNull(${value}), count(${value}), count() FROM ${from}`
      : // Of a group the plain ones are NULL, too, and cost a sixth less of the whole.
        sql`SELECT min(${value}), max(${value}), count(), count() FROM ${from} GROUP BY intDiv(${value}, ${num(step)})`
  },
  plan(parameters, source, prepared) {
    const wanted = wantedOf(parameters)
    const field = source.field(requireField(parameters.field))
    if (field.type !== undefined && !isDated(field)) throw unsupportedType(field, 'auto_date_histogram')
    const { rows, groups } = groupsOf(prepared)
    const span = spanOf(groups)
    const { starts, interval } = span ? intervalFor(span, wanted) : noInterval(wanted)
    return {
      parts: [keyOf(field, starts, span?.to ?? 0)],
      ...(prepared.length === 0 ? {} : { looked: { rows, buckets: folded(groups, starts) } }),
      render(found, empty) {
        const byStart = new Map(found.map((bucket) => [Number(bucket.key[0]), bucket]))
        const first = Number(found[0]?.key[0] ?? Number.POSITIVE_INFINITY)
        const last = Number(found.at(-1)?.key[0] ?? Number.NEGATIVE_INFINITY)
        const shown = starts.filter((start) => start >= first && start <= last)
        const buckets = shown.map((start) => ({
          key_as_string: showDate(start, field, parameters.format, wanted.zone),
          key: start,
          doc_count: byStart.get(start)?.count ?? 0,
          ...(byStart.get(start)?.body ?? empty()),
        }))
        return { buckets, interval }
      },
    }
  },
})

/** The last start that is no later than a moment; the first is no later than any, and `to` the last moment. */
function keyOf(field: RowField, starts: readonly number[], to: number): KeyPart {
  const [first = 0, second = first] = starts
  const step = second - first
  // The last of a month's or a zone's buckets may be longer than the others.
  const isEven = to - (starts.at(-1) ?? to) < step && starts.every((start, at) => start === first + at * step)
  const all = sql`CAST(${list(starts.map(num))}, 'Array(Int64)')`
  // Reckoned, or found by halving: looking through the starts one by one was most of what such a search cost.
  const startOf = (value: Sql) =>
    isEven
      ? sql`intDiv(${value} - ${num(first)}, ${num(step)}) * ${num(step)} + ${num(first)}`
      : sql`roundDown(${value}, ${all})`
  if (starts.length === 0) return { sql: sql`CAST(NULL, 'Nullable(Int64)')`, many: false, type: 'long' }
  if (field.many)
    return { sql: sql`arrayMap(x -> ${startOf(inMs(sql`x`, field))}, ${field.sql})`, many: true, type: 'long' }
  return { sql: startOf(inMs(field.sql, field)), many: false, type: 'long' }
}

function isDated({ type }: RowField): boolean {
  return type === 'date' || type === 'date_nanos'
}

function inMs(value: Sql, { type }: RowField): Sql {
  return type === 'date_nanos' ? sql`intDiv(${value}, 1000000)` : value
}

function wantedOf({ buckets: most = 10, time_zone: named, minimum_interval: least }: Parameters): Wanted {
  if (most <= 0) throw illegalArgument('buckets must be greater than 0 for [auto_date_histogram]')
  if (most > bucketsMost) throw illegalArgument(`buckets must be less than ${bucketsMost}`)
  return { most, zone: named === undefined ? utc : timeZone(named), least }
}

/** Rows that lie together, and the first and the last of their moments. */
interface Group extends TimeSpan {
  readonly count: number
}

/** What was seen beforehand: groups, and how many rows there are, with those that have no value. */
function groupsOf(prepared: readonly unknown[]): { readonly rows: number; readonly groups: readonly Group[] } {
  const read = prepared.flatMap((row) => (Array.isArray(row) ? [row.map(cellNumber)] : []))
  const groups = read.flatMap(([from, to, count]) =>
    from == null || to == null ? [] : [{ from, to, count: count ?? 0 }],
  )
  return {
    rows: read.reduce((sum, [, , , rows]) => sum + (rows ?? 0), 0),
    groups: groups.sort((one, other) => one.from - other.from),
  }
}

function spanOf(groups: readonly Group[]): TimeSpan | undefined {
  const [first] = groups
  const last = groups.at(-1)
  return first && last && { from: first.from, to: last.to }
}

/** The buckets as sums of groups; undefined where a group lies in two of them. */
function folded(
  groups: readonly Group[],
  starts: readonly number[],
): readonly Pick<FoundBucket, 'key' | 'count'>[] | undefined {
  const counts = new Map<number, number>()
  let at = 0
  for (const { from, to, count } of groups) {
    while ((starts[at + 1] ?? Number.POSITIVE_INFINITY) <= from) at++
    const start = starts[at]
    if (start === undefined || to >= (starts[at + 1] ?? Number.POSITIVE_INFINITY)) return undefined
    counts.set(start, (counts.get(start) ?? 0) + count)
  }
  return [...counts].map(([start, count]) => ({ key: [start], count }))
}
