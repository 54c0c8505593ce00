import { isSpan } from '@logstack/esql'
import { type Sql, sql, str } from '../../sql/sql.ts'
import { defineFunction, type EsqlFunction, type FunctionCall, textOf } from '../define-function.ts'
import { calendarField } from '../time/calendar-fields.ts'
import { dateDifference } from '../time/date-difference.ts'
import { formattedDate, parsedDate } from '../time/date-patterns.ts'
import { truncated } from '../time/truncate.ts'
import { dateTypes, type EsqlType, spanTypes, stringTypes } from '../types.ts'
import { nullOf, refuse, type Value } from '../value.ts'

const nothing = sql`NULL`
const nanosPerMs = sql`toInt64(1000000)`

/** A moment in milliseconds. */
export function msOf(value: Value | undefined, one: Sql): Sql {
  return value?.type === 'date_nanos' ? sql`intDiv(${one}, ${nanosPerMs})` : one
}

/** Milliseconds as a moment of that type. */
export function ofMs(type: EsqlType, ms: Sql): Sql {
  return type === 'date_nanos' ? sql`(${ms} * ${nanosPerMs})` : ms
}

const dateTrunc = defineFunction({
  name: 'date_trunc',
  params: [
    { name: 'interval', types: spanTypes, shown: 'dateperiod or timeduration', constant: true },
    { name: 'date', types: dateTypes },
  ],
  compile({ values: [interval, date], sql: [, moment = nothing] }) {
    const type = date?.type === 'date_nanos' ? 'date_nanos' : 'date'
    const span = interval?.literal
    if (interval === undefined || span === undefined || span === null || !isSpan(span))
      return { type, sql: nullOf(type) }
    if (span.amount <= 0) refuse(interval, 'Zero or negative time interval is not supported')
    return { type, sql: ofMs(type, truncated(span, msOf(date, moment))) }
  },
})

const dateExtract = defineFunction({
  name: 'date_extract',
  params: [
    { name: 'datePart', types: stringTypes, constant: true },
    { name: 'date', types: dateTypes },
  ],
  compile({ values: [part, date], sql: [, moment = nothing] }) {
    const nanos = date?.type === 'date_nanos' ? sql`toInt64(positiveModulo(${moment}, ${nanosPerMs}))` : sql`0`
    const field = calendarField(textOf(part), msOf(date, moment), nanos)
    if (!field && part)
      refuse(
        part,
        `Invalid date field for [${part.text}]: No enum constant java.time.temporal.ChronoField.${textOf(part).toUpperCase()}`,
      )
    return { type: 'long', sql: field ?? nullOf('long') }
  },
})

const dateDiff = defineFunction({
  name: 'date_diff',
  params: [
    { name: 'unit', types: stringTypes, constant: true },
    { name: 'startTimestamp', types: dateTypes },
    { name: 'endTimestamp', types: dateTypes },
  ],
  compile({ values: [unit, start, end], sql: [, from = nothing, to = nothing] }) {
    const nanosOf = (value: Value | undefined, one: Sql) =>
      value?.type === 'date_nanos' ? one : sql`(toInt128(${one}) * ${nanosPerMs})`
    const found = dateDifference(textOf(unit), {
      ms: [msOf(start, from), msOf(end, to)],
      nanos: [nanosOf(start, from), nanosOf(end, to)],
    })
    if (!found && unit)
      refuse(
        unit,
        `A value of [YEAR, QUARTER, MONTH, DAYOFYEAR, DAY, WEEK, WEEKDAY, HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND, NANOSECOND] or their aliases is required; received [${textOf(unit)}]`,
      )
    return { type: 'integer', sql: sql`toInt64(accurateCastOrNull(${found ?? nothing}, 'Int32'))` }
  },
})

/** The pattern, where one was given, and what it is of: the last argument. */
function patternAnd({ values, sql: cells }: FunctionCall) {
  const last = values.length - 1
  return { pattern: last === 0 ? undefined : values[0], value: values[last], cell: cells[last] ?? nothing }
}

const dateFormat = defineFunction({
  name: 'date_format',
  params: [
    { name: 'dateFormat', types: [...stringTypes, ...dateTypes], shown: 'string or datetime' },
    { name: 'date', types: dateTypes, optional: true },
  ],
  compile(call) {
    const { pattern, value, cell } = patternAnd(call)
    if (pattern && pattern.literal === undefined)
      refuse(pattern, `first argument of [${call.text}] must be a constant, received [${pattern.text}]`)
    if (value && !dateTypes.includes(value.type))
      refuse(
        value,
        `argument of [${call.text}] must be [datetime or date_nanos], found value [${value.text}] type [${value.type}]`,
      )
    const text = formattedDate(pattern && textOf(pattern), msOf(value, cell))
    if (text === undefined)
      refuse(pattern ?? call, `Invalid pattern for [${call.text}]: [${textOf(pattern)}] is not supported`)
    return { type: 'keyword', sql: text ?? nothing }
  },
})

const dateParse = defineFunction({
  name: 'date_parse',
  params: [
    { name: 'datePattern', types: stringTypes },
    { name: 'dateString', types: stringTypes, optional: true },
  ],
  compile(call) {
    const { pattern, cell } = patternAnd(call)
    if (pattern && pattern.literal === undefined)
      refuse(pattern, `first argument of [${call.text}] must be a constant, received [${pattern.text}]`)
    const parsed = parsedDate(pattern && textOf(pattern), cell)
    if (parsed === undefined)
      refuse(pattern ?? call, `Invalid pattern for [${call.text}]: [${textOf(pattern)}] is not supported`)
    return { type: 'date', sql: parsed ?? nothing }
  },
})

const now = defineFunction({
  name: 'now',
  params: [],
  compile: ({ nowMs }) => ({ type: 'date', sql: sql`toInt64(${str(String(nowMs))})` }),
})

function nameFunction(name: string, pattern: string): EsqlFunction {
  return defineFunction({
    name,
    params: [{ name: 'date', types: dateTypes }],
    compile: ({ values: [value], sql: [cell = nothing] }) => ({
      type: 'keyword',
      sql: formattedDate(pattern, msOf(value, cell)) ?? nothing,
    }),
  })
}

/** Functions of moments. */
export const dateFunctions: readonly EsqlFunction[] = [
  dateTrunc,
  dateExtract,
  dateDiff,
  dateFormat,
  dateParse,
  now,
  nameFunction('day_name', 'EEEE'),
  nameFunction('month_name', 'MMMM'),
]
