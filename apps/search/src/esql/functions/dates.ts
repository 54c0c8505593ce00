import { isSpan } from '@logstack/esql'
import { once } from '../../sql/once.ts'
import { num, sql } from '../../sql/sql.ts'
import { defineFunction, type EsqlFunction } from '../define-function.ts'
import { dateDiff } from '../time/date-diff.ts'
import { dateFormatFunction, dateParse } from '../time/date-formats.ts'
import { chronoFields, takenApart } from '../time/date-parts.ts'
import { printed } from '../time/date-printing.ts'
import { checkSpan, truncated } from '../time/date-trunc.ts'
import { dateTypes, spanTypes, stringTypes } from '../types.ts'
import { nullOf, refuse, type Value } from '../value.ts'

const dateTrunc = defineFunction({
  name: 'date_trunc',
  params: [
    { name: 'interval', types: spanTypes, constant: true, shown: 'dateperiod or timeduration' },
    { name: 'date', types: dateTypes },
  ],
  compile({ sql: [, moment = sql`NULL`], values: [interval, date] }) {
    const type = date?.type === 'date_nanos' ? 'date_nanos' : 'date'
    const span = interval?.literal
    if (!interval || !span || !isSpan(span)) return { type, sql: nullOf(type) }
    checkSpan(interval, span)
    return { type, sql: truncated(moment, type, span) }
  },
})

const dateExtract = defineFunction({
  name: 'date_extract',
  params: [
    { name: 'datePart', types: stringTypes, constant: true },
    { name: 'date', types: dateTypes },
  ],
  compile({ sql: [, moment = sql`NULL`], values: [part, date], text }) {
    const name = String(part?.literal ?? 'year')
    const field = Object.hasOwn(chronoFields, name.toLowerCase()) ? chronoFields[name.toLowerCase()] : undefined
    if (!field) return refuse(part as Value, `invalid date field for [${text}]: ${name}`)
    return {
      type: 'long',
      sql: once('extract_at', moment, (at) => field(takenApart(at, date?.type ?? 'date'))),
    }
  },
})

const now = defineFunction({
  name: 'now',
  params: [],
  compile: ({ nowMs }) => ({ type: 'date', sql: sql`toInt64(${num(nowMs)})`, literal: BigInt(nowMs) }),
})

function named(name: string, pattern: string): EsqlFunction {
  return defineFunction({
    name,
    params: [{ name: 'date', types: dateTypes }],
    compile: ({ sql: [moment = sql`NULL`], values: [date] }) => ({
      type: 'keyword',
      sql: printed(moment, date?.type ?? 'date', pattern),
    }),
  })
}

/** Functions of moments. */
export const dateFunctions: readonly EsqlFunction[] = [
  dateTrunc,
  dateExtract,
  dateDiff,
  dateFormatFunction,
  dateParse,
  now,
  named('day_name', 'EEEE'),
  named('month_name', 'MMMM'),
]
