import { type Sql, sql, str } from '../../sql/sql.ts'
import { defineFunction } from '../define-function.ts'
import { missingReason } from '../faults.ts'
import { implicitly } from '../implicit-casts.ts'
import { dateTypes, type EsqlType, stringTypes } from '../types.ts'
import { nullOf, refuse, single, type Value } from '../value.ts'
import { namedPatterns } from './date-patterns.ts'
import { printed, printedEpoch, printedIso, printedMillis, unprintable } from './date-printing.ts'
import { formOf, isoForm, readMoments } from './date-reading.ts'

const isoNames = ['strict_date_optional_time', 'date_optional_time', 'iso8601', 'strict_date_optional_time_nanos']

/** The pattern that a format is; undefined for ISO 8601. */
function patternOf(format: Value): string | undefined {
  const text = String(format.literal)
  if (isoNames.includes(text)) return undefined
  return namedPatterns[text.replace(/^strict_/u, '')] ?? text
}

function constant(at: Value, text: string): void {
  if (at.literal === undefined) refuse(at, `first argument of [${text}] must be a constant here, received [${at.text}]`)
}

/** A moment as ISO 8601: with nanoseconds only where the format says so. */
function printedStandard(moment: Sql, type: EsqlType, format: Value | undefined): Sql {
  return String(format?.literal).endsWith('_nanos') ? printedIso(moment, type) : printedMillis(moment, type)
}

/** `date_format([format,] date)`: a moment as text, in UTC. */
export const dateFormatFunction = defineFunction({
  name: 'date_format',
  params: [
    { name: 'dateFormat', types: [...stringTypes, ...dateTypes] },
    { name: 'date', types: dateTypes, optional: true },
  ],
  takesNull: true,
  compile({ sql: cells, values: [first, second], text }) {
    if (first?.type === 'null' || second?.type === 'null') return { type: 'keyword', sql: nullOf('keyword') }
    const format = second ? first : undefined
    const date = second ?? first
    const moment = date && dateTypes.includes(date.type) ? date : date && implicitly(date, dateTypes)
    if (!date || !moment)
      return refuse(
        date ?? { from: 0, to: 0 },
        `argument of [${text}] must be [date_nanos or datetime], found value [${date?.text}] type [${date?.type}]`,
      )
    const at = moment === date ? (cells[second ? 1 : 0] ?? sql`NULL`) : single(moment)
    if (format && !stringTypes.includes(format.type))
      return refuse(
        format,
        `first argument of [${text}] must be [string], found value [${format.text}] type [${format.type === 'date' ? 'datetime' : format.type}]`,
      )
    if (format) constant(format, text)
    const pattern = format && patternOf(format)
    if (!format || pattern === undefined) return { type: 'keyword', sql: printedStandard(at, moment.type, format) }
    const epoch = printedEpoch(at, moment.type, pattern)
    if (epoch) return { type: 'keyword', sql: epoch }
    const reason = unprintable(pattern)
    if (reason !== undefined) return refuse(format, `Invalid format: [${pattern}]: ${reason}`)
    return { type: 'keyword', sql: printed(at, moment.type, pattern) }
  },
})

/** `date_parse([pattern,] text)`: the moment a text says; null where it says none. */
export const dateParse = defineFunction({
  name: 'date_parse',
  fault({ sql: args, values }, { sql: answer }) {
    const [first, second] = values
    const text = args[second ? 1 : 0] ?? sql`NULL`
    const format = second ? String(first?.literal) : 'strict_date_optional_time'
    const prefix = 'java.lang.IllegalArgumentException: '
    const failed = sql`concat(${str(`${prefix}failed to parse date field [`)}, ${text}, ${str(`] with format [${format}]`)})`
    return missingReason(
      answer,
      [text],
      sql`if(empty(${text}), ${str(`${prefix}cannot parse empty datetime`)}, ${failed})`,
    )
  },
  params: [
    { name: 'datePattern', types: stringTypes },
    { name: 'dateString', types: stringTypes, optional: true },
  ],
  takesNull: true,
  compile({ sql: cells, values: [first, second], text }) {
    if (first?.type === 'null' || second?.type === 'null') return { type: 'date', sql: nullOf('date') }
    const format = second ? first : undefined
    if (format) constant(format, text)
    const pattern = format && patternOf(format)
    const form = pattern === undefined ? isoForm : formOf(pattern)
    if ('reason' in form) return refuse(format ?? { from: 0, to: 0 }, `Invalid format: [${pattern}]: ${form.reason}`)
    return { type: 'date', sql: readMoments(cells[second ? 1 : 0] ?? sql`NULL`, form, 'ms') }
  },
})
