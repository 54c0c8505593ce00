import { once } from '../../sql/once.ts'
import { num, type Sql, sql } from '../../sql/sql.ts'
import { defineFunction, type FunctionCall } from '../define-function.ts'
import { missingReason } from '../faults.ts'
import { dateTypes, type EsqlType, stringTypes } from '../types.ts'
import { refuse, type Value } from '../value.ts'
import { dayOf, dayOfMonth, monthOf, timeOfDay, yearOf } from './calendar-sql.ts'

const months = { year: 12, quarter: 3, month: 1 } as const
const nanos = {
  dayofyear: 86_400_000_000_000n,
  day: 86_400_000_000_000n,
  week: 604_800_000_000_000n,
  weekday: 86_400_000_000_000n,
  hour: 3_600_000_000_000n,
  minute: 60_000_000_000n,
  second: 1_000_000_000n,
  millisecond: 1_000_000n,
  microsecond: 1_000n,
  nanosecond: 1n,
} as const

type Unit = keyof typeof months | keyof typeof nanos

const names: Readonly<Record<Unit, readonly string[]>> = {
  year: ['years', 'yy', 'yyyy'],
  quarter: ['quarters', 'qq', 'q'],
  month: ['months', 'mm', 'm'],
  dayofyear: ['dy', 'y'],
  day: ['days', 'dd', 'd'],
  week: ['weeks', 'wk', 'ww'],
  weekday: ['weekdays', 'dw'],
  hour: ['hours', 'hh'],
  minute: ['minutes', 'mi', 'n'],
  second: ['seconds', 'ss', 's'],
  millisecond: ['milliseconds', 'ms'],
  microsecond: ['microseconds', 'mcs'],
  nanosecond: ['nanoseconds', 'ns'],
}
const unitOf = new Map(
  (Object.keys(names) as Unit[]).flatMap((unit) => [unit, ...names[unit]].map((name) => [name, unit] as const)),
)

/** `date_diff(unit, from, to)`: how many whole units lie between two moments; null where an integer cannot say. */
export const dateDiff = defineFunction({
  name: 'date_diff',
  params: [
    { name: 'unit', types: stringTypes, constant: true },
    { name: 'startTimestamp', types: dateTypes },
    { name: 'endTimestamp', types: dateTypes },
  ],
  fault(call, { sql: answer }) {
    const count = counted(call)
    const reason = sql`concat('org.elasticsearch.xpack.esql.core.InvalidArgumentException: [', toString(${count}), '] out of [integer] range')`
    return missingReason(answer, call.sql.slice(1), reason)
  },
  compile: (call) => ({ type: 'integer', sql: sql`toInt64(accurateCastOrNull(${counted(call)}, 'Int32'))` }),
})

/** How many units there are, perhaps more than an integer holds. */
function counted({ sql: [, start = sql`NULL`, end = sql`NULL`], values: [name, from, to] }: FunctionCall): Sql {
  const [fromType, toType] = [from?.type ?? 'date', to?.type ?? 'date']
  // A literal of null is told by its type only where it stands alone.
  const unit = name && name.literal !== undefined && name.literal !== null ? readUnit(name) : 'day'
  const count =
    unit === 'year' || unit === 'quarter' || unit === 'month'
      ? once('diff_a', start, (a) =>
          once('diff_b', end, (b) => {
            const between = monthsBetween(partsOf(a, fromType), partsOf(b, toType))
            return sql`intDiv(${between}, ${num(months[unit])})`
          }),
        )
      : sql`intDiv(${inNanos(end, toType)} - ${inNanos(start, fromType)}, toInt128(${num(nanos[unit])}))`
  return count
}

function readUnit(name: Value): Unit {
  const text = String(name.literal)
  return (
    unitOf.get(text.toLowerCase()) ??
    refuse(
      name,
      `A value of [${Object.keys(names)
        .map((unit) => unit.toUpperCase())
        .join(', ')}] or their aliases is required; received [${text}]`,
    )
  )
}

/** A moment in nanoseconds, wide enough for the whole range of moments. */
function inNanos(moment: Sql, type: EsqlType): Sql {
  return type === 'date_nanos' ? sql`toInt128(${moment})` : sql`(toInt128(${moment}) * 1000000)`
}

/** The day of a moment, and the nanoseconds since it began. */
interface Parts {
  readonly day: Sql
  readonly time: Sql
}

function partsOf(moment: Sql, type: EsqlType): Parts {
  const time = timeOfDay(moment, type)
  return { day: dayOf(moment, type), time: type === 'date_nanos' ? time : sql`(${time} * 1000000)` }
}

/** A month is over when its day and its time of day are reached; the last day that is not over does not count, as in `java.time`. */
function monthsBetween(from: Parts, to: Parts): Sql {
  return once('diff_from', from.day, (start) =>
    once('diff_to', to.day, (end) => {
      const late = sql`toInt64(${end} > ${start} AND ${to.time} < ${from.time})`
      const early = sql`toInt64(${end} < ${start} AND ${to.time} > ${from.time})`
      return once('diff_whole', sql`(${end} - ${late} + ${early})`, (whole) => {
        const packed = (day: Sql) => sql`((${yearOf(day)} * 12 + ${monthOf(day)}) * 32 + ${dayOfMonth(day)})`
        return sql`intDiv(${packed(whole)} - ${packed(start)}, 32)`
      })
    }),
  )
}
