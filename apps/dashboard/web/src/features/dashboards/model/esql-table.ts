import type { EsqlAnswer } from '../../../api/esql.ts'
import { messages } from '../messages.ts'
import { collapsed } from './derived/collapse.ts'
import type { Cell, Column, EsqlColumnSpec, EsqlRequest, Table } from './table.ts'

const numberTypes = new Set([
  'double',
  'long',
  'integer',
  'unsigned_long',
  'counter_long',
  'counter_integer',
  'counter_double',
])
// What a filter can say of a value: others (versions, points) have no cell that reads as they are stored.
const filterTypes = new Set(['keyword', 'ip', 'boolean', 'text'])
const dayMs = 86_400_000

/** The answer as the columns a panel names, or whole; `types` are the fields of the query's indices. Throws, in words, when a column is not in the answer. */
export function esqlTable(
  request: Pick<EsqlRequest, 'columns' | 'collapse'>,
  answer: EsqlAnswer,
  types: ReadonlyMap<string, string>,
): Table {
  const placeOf = new Map(answer.columns.map(({ name }, at) => [name, at]))
  const missing = request.columns.filter(({ name }) => !placeOf.has(name))
  if (missing.length > 0) throw new Error(messages.noEsqlColumns(missing.map(({ name }) => name).join(', ')))
  const specs = request.columns.length > 0 ? request.columns : answer.columns.map(({ name }) => ownSpec(name))
  const found = specs.map((spec) => {
    const at = placeOf.get(spec.name) ?? -1
    const type = answer.columns[at]?.type ?? 'null'
    return { spec, type, cells: answer.values.map((row) => cellOf(row[at], type)) }
  })
  const columns = found.map(({ spec, type, cells }) => columnOf(spec, type, { cells, isField: types.has(spec.name) }))
  const rows = answer.values.map((_, row) =>
    Object.fromEntries(found.map(({ spec, cells }): [string, Cell] => [spec.id, cells[row] ?? null])),
  )
  return collapsed({ columns, rows }, request.collapse)
}

/** A column by its own name. */
function ownSpec(name: string): EsqlColumnSpec {
  return { id: name, name, label: name, role: undefined, format: undefined }
}

function columnOf(
  { id, name, label, role, format }: EsqlColumnSpec,
  type: string,
  { cells, isField }: { readonly cells: readonly Cell[]; readonly isField: boolean },
): Column {
  const shared = { id, label, format, ...(isField && filterTypes.has(type) ? { field: name } : {}) }
  if (isDate(type)) return { ...shared, role: role ?? 'bucket', type: 'date', intervalMs: stepMs(cells) }
  if (numberTypes.has(type)) return { ...shared, role: role ?? 'metric', type: 'number' }
  return { ...shared, role: role ?? 'bucket', type: 'text' }
}

function isDate(type: string): boolean {
  return type === 'date' || type === 'date_nanos'
}

/** Instants are milliseconds; several values, and objects (`_source`), are one text. */
function cellOf(value: unknown, type: string): Cell {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.map(String).join(', ')
  if (isDate(type) && typeof value === 'string') return Date.parse(value)
  if (typeof value === 'object') return JSON.stringify(value)
  return typeof value === 'number' || typeof value === 'string' ? value : String(value)
}

/**
 * The width of time buckets, which the answer does not say: the least distance of two instants, where all others are multiples of it. Days and
 * more may differ (months do). Undefined for instants that follow no step.
 */
function stepMs(cells: readonly Cell[]): number | undefined {
  const instants = [...new Set(cells.filter((cell) => typeof cell === 'number'))].sort((a, b) => a - b)
  const steps = instants.slice(1).map((ms, at) => ms - (instants[at] ?? 0))
  if (steps.length === 0) return undefined
  const least = steps.reduce((before, step) => Math.min(before, step))
  return least >= dayMs || steps.every((step) => step % least === 0) ? least : undefined
}
