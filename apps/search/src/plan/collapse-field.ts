import { illegalArgument } from '../dsl/shapes/refuse.ts'
import { columnsOf } from '../sql/predicate-to-sql.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { columnLookup, type Leaf, type PlanServices } from './leaves.ts'

const groupable = new Set(['string', 'long', 'unsigned', 'double', 'boolean', 'date', 'ip'])

/** The value a leaf's rows are collapsed by, as text behind a mark; the empty text where there is none. Throws for fields that have no single value. */
export function collapseValue(services: Pick<PlanServices, 'catalogue'>, leaf: Leaf, path: string): Sql {
  const field = leaf.context.field(path)
  if (!field) throw illegalArgument(`no mapping found for \`${path}\` in order to collapse on`)
  if (field.valueType === undefined || !groupable.has(field.valueType))
    throw illegalArgument(`collapse is not supported for the field [${path}] of the type [${field.wireType}]`)
  const columns = columnsOf({ path: field.path, type: field.valueType }, columnLookup(services, leaf))
  return columns ? sql`ifNull(concat('=', toString(${columns.one})), '')` : sql`''`
}

/** How a collapse value is shown, and looked for again: numbers as numbers. */
export function collapseKey(leaf: Leaf, path: string, text: string): unknown {
  if (text === '') return null
  const value = text.slice(1)
  const type = leaf.context.field(path)?.valueType
  if (type === 'long' || type === 'unsigned' || type === 'date')
    return Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value)
  if (type === 'double') return Number(value)
  return type === 'boolean' ? value === 'true' : value
}
