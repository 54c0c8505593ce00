import { AppError, searchErrors } from '@logstack/errors'
import { fieldValues } from '../../enrich/field-values.ts'
import { join, nothing, num, type Sql, sql, str } from '../../sql/sql.ts'
import { defineCommand } from '../define-command.ts'
import type { Enriched, EnrichedColumn } from '../enrich/enriched.ts'
import { type Column, columnAt, replaced, type Stage, selected, withCells } from '../stage.ts'
import { type EsqlType, engineTypes } from '../types.ts'

/** `ENRICH policy ON field WITH …`: columns of the documents that belong to a value of each row; of several documents lists. */
export const enrich = defineCommand({
  name: 'enrich',
  apply(stage, command, context) {
    const enriched = context.enriched.get(command)
    if (!enriched) return stage
    const key = context.aliases.next()
    const added = addedOf(enriched, () => context.aliases.next())
    const columns = replaced(
      stage.columns,
      enriched.columns.map(({ name, type }, at) => columnOf(name, type, added[at])),
    )
    const mine = withCells(stage, [[key, sql`toString(${enriched.key.sql})`]])
    const table = tableOf(enriched, added)
    return { ...selected(mine, () => joined(mine, key, added, table)), columns, rowsMax: stage.rowsMax }
  },
})

/** A column with its alias; `cells` are the values of each document set, by the number of the set. */
interface Added {
  readonly alias: Sql
  readonly column: EnrichedColumn
  readonly many: boolean
  readonly cells: readonly (readonly unknown[])[]
}

function columnOf(name: string, type: EsqlType, added: Added | undefined): Column {
  if (!added || engineTypes[type] === undefined) return { name, type, read: () => ({ sql: sql`NULL`, many: false }) }
  return columnAt(name, { type, many: added.many }, added.alias)
}

/** The documents that values lead to, each set once, by what tells sets apart. */
function setsOf({ places }: Enriched): ReadonlyMap<string, readonly number[]> {
  return new Map([...places.values()].map((set) => [set.join(), set]))
}

function addedOf(enriched: Enriched, next: () => Sql): readonly Added[] {
  const sets = [...setsOf(enriched).values()]
  const { reader, columns } = enriched
  return columns.map((column) => {
    const valuesOf = (at: number) => (engineTypes[column.type] ? fieldValues(reader.document(at), column.field) : [])
    const cells = sets.map((set) => set.flatMap(valuesOf))
    return { alias: next(), column, many: cells.some(({ length }) => length > 1), cells }
  })
}

/** The most bytes of what is written into the statement. */
const tableBytesMax = 16 * 1024 ** 2

/** A row for each value that has documents: the value as the engine prints it, and a cell for each column. */
function tableOf(enriched: Enriched, added: readonly Added[]): Sql {
  const numbers = new Map([...setsOf(enriched).keys()].map((set, at) => [set, at]))
  const keys = [...enriched.places].map(([key, set]) => `(${quoted(key)},${numbers.get(set.join())})`)
  const sets = [...numbers.values()].map(
    (at) => `(${[at, ...added.map(({ column, many, cells }) => written(column.type, many, cells[at]))].join(',')})`,
  )
  const types = added.map(({ column, many }) => {
    const type = engineTypes[column.type] ?? 'String'
    return many ? `Array(${type})` : `Nullable(${type})`
  })
  const texts = [keys, sets].map((rows) => `[${rows.join(',')}]`)
  if (texts.reduce((bytes, { length }) => bytes + length, 0) > tableBytesMax)
    throw new AppError(
      searchErrors.circuit_breaking_exception,
      `what ENRICH adds is larger than [${tableBytesMax}] bytes: name fewer fields, or narrow the rows`,
    )
  const [keyText = '', setText = ''] = texts
  const setType = str(`Array(Tuple(${['UInt32', ...types].join(', ')}))`)
  const shown = added.map(({ alias }, at) => sql`tupleElement(s, ${num(at + 2)}) AS ${alias}`)
  return sql`(SELECT tupleElement(k, 1) AS key${shown.length === 0 ? nothing : sql`, ${join(shown, ', ')}`} FROM (SELECT arrayJoin(CAST(${str(keyText)}, 'Array(Tuple(String, UInt32))')) AS k) AS keys INNER JOIN (SELECT arrayJoin(CAST(${str(setText)}, ${setType})) AS s) AS sets ON tupleElement(k, 2) = tupleElement(s, 1))`
}

/** The values of a set as the engine reads them in a text. */
function written(type: EsqlType, many: boolean, values: readonly unknown[] = []): string {
  const one = (value: unknown) => (isQuoted.has(type) ? quoted(String(value)) : String(value))
  if (many) return `[${values.map(one).join(',')}]`
  return values.length === 0 ? 'NULL' : one(values[0])
}

const isQuoted: ReadonlySet<EsqlType> = new Set(['keyword', 'text', 'ip', 'version', 'geo_point'])

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function joined(mine: Stage, key: Sql, added: readonly Added[], table: Sql): Sql {
  const shown = added.map(({ alias }) => sql`theirs.${alias} AS ${alias}`)
  if (shown.length === 0) return mine.from()
  return sql`(SELECT mine.*, ${join(shown, ', ')} FROM ${mine.from()} AS mine LEFT ANY JOIN ${table} AS theirs ON mine.${key} = theirs.key)`
}
