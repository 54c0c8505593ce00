import type { EsqlAnswer } from '../../../api/esql.ts'
import type { Field, Hit } from '../../../api/search.ts'
import type { DocumentSort } from '../../../documents/document-head.tsx'
import { commandName, commandsOf } from '../../../esql/query-text.ts'

/**
 * The rows of an answer as the document table takes them. Nothing stands where a row has no value, as in documents. A row is known again in
 * another answer by what it says; those that say the same are numbered.
 */
export function hitsOf({ columns, values }: EsqlAnswer): Hit[] {
  const seen = new Map<string, number>()
  return values.map((row) => {
    const cells = columns.map(({ name }, place) => [name, row[place]] as const)
    const _source = Object.fromEntries(cells.filter(([, value]) => value !== null && value !== undefined))
    const text = JSON.stringify(_source)
    const number = seen.get(text) ?? 0
    seen.set(text, number + 1)
    return { _index: '', _id: `${number} ${text}`, _source }
  })
}

/** The types of an answer's columns, by name, in the words of mappings. */
export function columnTypes({ columns }: EsqlAnswer): Map<string, string> {
  return new Map(columns.map(({ name, type }) => [name, type === 'date_nanos' ? 'date' : type]))
}

/** The columns of an answer as the list of fields takes them; search cannot count their values. */
export function columnFields({ columns }: EsqlAnswer): Field[] {
  return columns.map(({ name, type }) => {
    return { name, type, conflicting: false, searchable: true, aggregatable: false }
  })
}

/** Columns that a table of whole documents shows beside each other: more cannot be read. */
const columnsMax = 12
// These say themselves which columns there are.
const choosing = new Set(['STATS', 'KEEP', 'ROW', 'SHOW', 'INLINESTATS', 'CHANGE_POINT'])

/**
 * The columns of the table beside the time: those that were chosen and are answered; else all that the query chose, or all where there are
 * few. None for documents of many fields, which are shown whole.
 */
export function shownColumns(
  { columns }: EsqlAnswer,
  {
    esql,
    chosen,
    timeField,
  }: { readonly esql: string; readonly chosen: readonly string[]; readonly timeField?: string | undefined },
): string[] {
  const names = columns.map(({ name }) => name).filter((name) => name !== timeField)
  const wanted = chosen.filter((name) => names.includes(name))
  if (wanted.length > 0) return wanted
  const isChosen = commandsOf(esql).some((command) => choosing.has(commandName(command)))
  return isChosen || names.length <= columnsMax ? names : []
}

/** Whether two queries answer columns of the same kind, so that those chosen of one may stay for the other. */
export function keepsColumns(before: string, after: string): boolean {
  const shapeOf = (esql: string): string =>
    JSON.stringify(
      commandsOf(esql).filter((command) => !['FROM', 'WHERE', 'SORT', 'LIMIT'].includes(commandName(command))),
    )
  return shapeOf(before) === shapeOf(after)
}

/** Rows in the order of a column; those without a value come last, equal ones stay as they were. */
export function sortedRows(hits: readonly Hit[], sort: DocumentSort | undefined): readonly Hit[] {
  if (!sort) return hits
  const sign = sort.direction === 'asc' ? 1 : -1
  const firstOf = ({ _source }: Hit): unknown => {
    const value = _source?.[sort.field]
    return Array.isArray(value) ? (value[0] as unknown) : value
  }
  return [...hits].sort((left, right) => compare(firstOf(left), firstOf(right), sign))
}

function compare(left: unknown, right: unknown, sign: number): number {
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined)
  if (typeof left === 'number' && typeof right === 'number') return sign * (left - right)
  return sign * String(left).localeCompare(String(right))
}

/** The rows that search answers at most where a query has no LIMIT. */
const rowsDefault = 1_000
const limitWarning = /default limit of \[(\d+)\]/iu

/** How many rows the answer was cut off at, for want of a LIMIT in its query; undefined where it has all. */
export function defaultLimit({ values, warnings }: EsqlAnswer, esql: string): number | undefined {
  const [said] = warnings.flatMap((text) => limitWarning.exec(text)?.[1] ?? [])
  const isLimited = commandsOf(esql).some((command) => commandName(command) === 'LIMIT')
  const limit = said === undefined ? rowsDefault : Number(said)
  return (said !== undefined || !isLimited) && values.length >= limit ? limit : undefined
}

/** What search warned of besides the limit that it set. */
export function otherWarnings({ warnings }: EsqlAnswer): string[] {
  return warnings.filter((text) => !limitWarning.test(text))
}
