import type { EsqlAnswer } from '../../esql/run-esql.ts'
import { Double, JsonPiece, printDouble, printJson } from '../../json/print-json.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import type { ParameterTable, RouteAnswer, RouteRequest } from '../define-route.ts'
import type { TableFormat } from '../encoding/media-types.ts'
import { apiVersion } from '../resources/root.ts'

/** The parameters that say how an answer to ES|QL is written. */
export const answerParameters = {
  format: 'string',
  delimiter: 'string',
  drop_null_columns: 'boolean',
} as const satisfies ParameterTable

/** How an answer is written. */
export interface AnswerShape {
  readonly request: Pick<RouteRequest, 'path' | 'query' | 'answerFormat' | 'accept'>
  /** A list of values for each column in the place of one for each row. */
  readonly columnar: boolean
  /** Milliseconds. */
  readonly took: number
  /** Whether rows are missing, as of a query that was stopped. */
  readonly isPartial?: boolean
  /** What stands before the members of a JSON answer. */
  readonly head?: Readonly<Record<string, unknown>>
}

/** An answer as JSON, a table for people, or separated values. Throws `illegal_argument_exception` for what does not go together. */
export function rendered(answer: EsqlAnswer, shape: AnswerShape): RouteAnswer {
  const { query, answerFormat: format, accept = '' } = shape.request
  const delimiter = delimiterOf(shape)
  const shown = query['drop_null_columns'] === true ? withoutNulls(answer) : answer
  if (format === 'text') return { text: tableText(shown), headers: { 'content-type': 'text/plain' } }
  const hasHeader = !/;\s*header\s*=\s*absent\b/iu.test(accept)
  if (format === 'csv' || format === 'tsv') return separated(shown, { format, delimiter, hasHeader })
  return { jsonBytes: Buffer.from(printJson(jsonOf(answer, shown, shape))) }
}

/** What separates the values of `csv`, where a request says it. Throws `illegal_argument_exception` for what does not go together. */
export function delimiterOf(shape: Pick<AnswerShape, 'request' | 'columnar'>): string | undefined {
  const { query, answerFormat: format, path } = shape.request
  const delimiter = query['delimiter'] as string | undefined
  if (delimiter !== undefined && format !== 'csv')
    throw illegalArgument(`parameter: [delimiter] can only be used with the format [csv] for request [${path}]`)
  const isText = format === 'text' || format === 'csv' || format === 'tsv'
  if (isText && shape.columnar)
    throw illegalArgument(
      'Invalid use of [columnar] argument: cannot be used in combination with [txt, csv, tsv] formats',
    )
  return delimiter
}

function jsonOf(
  answer: EsqlAnswer,
  shown: EsqlAnswer,
  { columnar, took, head, isPartial = false }: AnswerShape,
): unknown {
  const isDouble = shown.columns.map(({ type }) => type === 'double')
  const cell = (value: unknown, at: number): unknown => (isDouble[at] ? doubles(value) : value)
  const values = columnar
    ? shown.columns.map((_, at) => shown.rows.map((row) => cell(row[at], at)))
    : shown.rows.map((row) => row.map(cell))
  const all = answer === shown ? {} : { all_columns: answer.columns }
  return { ...head, took, is_partial: isPartial, ...all, columns: shown.columns, values }
}

function doubles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(doubles)
  return typeof value === 'number' ? new Double(value) : value
}

/** The answer without columns that no row has a value of. */
function withoutNulls({ columns, rows, warnings }: EsqlAnswer): EsqlAnswer {
  const kept = columns.flatMap((_, at) => (rows.some((row) => row[at] !== null) ? [at] : []))
  return {
    columns: kept.flatMap((at) => columns[at] ?? []),
    rows: rows.map((row) => kept.map((at) => row[at])),
    warnings,
  }
}

/** A cell as a text, numbers as Java prints them. */
function textOfCell(value: unknown, type: string): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return `[${value.map((each) => textOfCell(each, type)).join(', ')}]`
  if (value instanceof JsonPiece) return value.text
  return type === 'double' && typeof value === 'number' ? printDouble(value) : String(value)
}

interface SeparatedForm {
  readonly format: TableFormat
  readonly delimiter: string | undefined
  /** Whether the names of the columns come first. */
  readonly hasHeader: boolean
}

function checkDelimiter(delimiter: string): void {
  if (delimiter === '') throw illegalArgument('invalid empty delimiter []')
  if (delimiter.length > 1) throw illegalArgument(`invalid multi-character delimiter [${delimiter}]`)
  if (delimiter === '\t')
    throw illegalArgument(
      'illegal delimiter [TAB] specified as delimiter for the [csv] format; choose the [tsv] format instead',
    )
  if (['"', '\n', '\r'].includes(delimiter))
    throw illegalArgument(`illegal reserved character specified as delimiter [${delimiter}]`)
}

function separated({ columns, rows }: EsqlAnswer, { format, delimiter = ',', hasHeader }: SeparatedForm): RouteAnswer {
  checkDelimiter(delimiter)
  const write = format === 'csv' ? (text: string) => quoted(text, delimiter) : escapedTabs
  const line = (cells: readonly string[]) => cells.map(write).join(format === 'csv' ? delimiter : '\t')
  const lines = [
    ...(hasHeader ? [line(columns.map(({ name }) => name))] : []),
    ...rows.map((row) => line(row.map((value, at) => textOfCell(value, columns[at]?.type ?? '')))),
  ]
  const type =
    format === 'csv'
      ? `text/csv; charset=utf-8; header=${hasHeader ? 'present' : 'absent'}`
      : 'text/tab-separated-values; charset=utf-8'
  const end = format === 'csv' ? '\r\n' : '\n'
  return { text: lines.map((each) => each + end).join(''), headers: { 'content-type': type } }
}

function quoted(text: string, delimiter: string): string {
  return text.includes(delimiter) || /["\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function escapedTabs(text: string): string {
  return text.replaceAll('\t', '\\t').replaceAll('\n', '\\n')
}

/** Letters that a column of a table for people has at least. */
const widthMin = 15

function tableText({ columns, rows }: EsqlAnswer): string {
  if (columns.length === 0) return ''
  const cells = rows.map((row) =>
    row.map((value, at) => textOfCell(value, columns[at]?.type ?? '') || (value === null ? 'null' : '')),
  )
  const widths = columns.map(({ name }, at) =>
    Math.max(widthMin, name.length, ...cells.map((row) => row[at]?.length ?? 0)),
  )
  const centred = columns.map(({ name }, at) => {
    const room = (widths[at] ?? 0) - name.length
    return `${' '.repeat(Math.floor(room / 2))}${name}${' '.repeat(Math.ceil(room / 2))}`
  })
  const lines = [
    centred.join('|'),
    widths.map((width) => '-'.repeat(width)).join('+'),
    ...cells.map((row) => row.map((text, at) => text.padEnd(widths[at] ?? 0)).join('|')),
  ]
  return lines.map((each) => `${each}\n`).join('')
}

/** A text within quotes of a header: what is none of Latin-1 by its bytes, as is the sign that tells such. */
function headerText(text: string): string {
  const quoted = text.replaceAll(/["\\]/gu, '\\$&')
  return quoted.replaceAll(/[^\t !-$&-~\u0080-\u00ff]/gu, bytesOf)
}

function bytesOf(letter: string): string {
  return [...Buffer.from(letter)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}

/** Bytes of all warnings of an answer together. */
const warningBytesMax = 8_192

/** The warnings of an answer as a header. */
export function warningHeaders({ warnings }: EsqlAnswer): Readonly<Record<string, string>> {
  if (warnings.length === 0) return {}
  const written = warnings.map(
    (each) => `299 Elasticsearch-${apiVersion.number}-${apiVersion.build_hash} "${headerText(each)}"`,
  )
  // What does not fit is not told: clients refuse an answer whose headers are longer than 16 KiB.
  let bytes = 0
  const told = written.filter((each) => {
    bytes += each.length + 2
    return bytes <= warningBytesMax
  })
  return { warning: told.join(', ') }
}
