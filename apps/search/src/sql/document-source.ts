import type { ValueType } from '@logstack/rules'
import type { IndexMeta } from '../model/index-meta.ts'
import { rebuildsSources } from '../model/kept-source.ts'
import { type Column, findColumn, messagePath, type TableMeta } from '../model/table.ts'
import { ident, join, list, nothing, type Sql, sql, str } from './sql.ts'

/** What stands at a name of a document: columns of its own, and what is below it. */
interface Place {
  readonly columns: Column[]
  readonly below: Map<string, Place>
}

const place = (): Place => ({ columns: [], below: new Map() })

/** A value as JSON text. Only what reads back as it was written comes here (`DirectRead.isRebuildable`). */
function valueJson(value: Sql, type: ValueType): Sql {
  switch (type) {
    case 'long':
    case 'unsigned':
      return sql`toString(${value})`
    case 'date':
      return sql`concat('"', replaceOne(toString(fromUnixTimestamp64Milli(${value}, 'UTC')), ' ', 'T'), 'Z"')`
    case 'ip':
      // Addresses of other forms are kept as they were written.
      return sql`concat('"', substring(toString(${value}), 8), '"')`
    default:
      return sql`toJSONString(${value})`
  }
}

/** The value of a column as JSON, and when it is there. */
function filled({ name, manyName, type }: Column): { readonly isThere: Sql; readonly json: Sql }[] {
  const one = { isThere: sql`isNotNull(${ident(name)})`, json: valueJson(sql`assumeNotNull(${ident(name)})`, type) }
  if (manyName === undefined) return [one]
  const many = ident(manyName)
  const json = sql`concat('[', arrayStringConcat(arrayMap(x -> ${valueJson(sql`x`, type)}, ${many}), ','), ']')`
  return [one, { isThere: sql`notEmpty(${many})`, json }]
}

/** `,"name":value`, or nothing where there is none. */
function member(name: string, { columns, below }: Place): Sql {
  const head = str(`,${JSON.stringify(name)}:`)
  // What is below a value are its multi-fields.
  const values = columns.flatMap(filled)
  const object = below.size === 0 ? sql`''` : objectMember(head, below)
  if (values.length === 0) return object
  const branches = values.map(({ isThere, json }) => sql`${isThere}, concat(${head}, ${json})`)
  return sql`multiIf(${join(branches, ', ')}, ${object})`
}

function members(below: ReadonlyMap<string, Place>): Sql {
  const sorted = [...below].sort(([a], [b]) => (a < b ? -1 : 1))
  return sql`concat('', '', ${join(
    sorted.map(([name, at]) => member(name, at)),
    ', ',
  )})`
}

/** An object that would be empty is left out. The text of its members stands in the statement once, however deep it lies. */
function objectMember(head: Sql, below: ReadonlyMap<string, Place>): Sql {
  const whole = sql`concat(${head}, '{', substring(o, 2), '}')`
  return sql`arrayMap(o -> if(empty(o), '', ${whole}), ${list([members(below)])})[1]`
}

function placesOf(table: TableMeta): ReadonlyMap<string, Place> {
  const root = place()
  for (const column of table.columns) {
    let at = root
    for (const name of column.path.split('.')) {
      const next = at.below.get(name) ?? place()
      at.below.set(name, next)
      at = next
    }
    if (column.type !== 'binary') at.columns.push(column)
  }
  return root.below
}

/** The source as it was written, where one is kept: a text that its column holds alone is put back in its place. */
export function keptSource(table: TableMeta): Sql {
  const message = findColumn(table, messagePath, 'text')
  if (message === undefined) return ident('_source')
  const quoted = sql`toJSONString(assumeNotNull(${ident(message.name)}))`
  // Its quotes stand in the source.
  const text = sql`substring(${quoted}, 2, length(${quoted}) - 2)`
  return sql`if(_message_at = 0, _source, concat(substring(_source, 1, _message_at), ${text}, substring(_source, _message_at + 1)))`
}

const rebuilt = new WeakMap<TableMeta, Sql>()

function rebuiltSource(table: TableMeta): Sql {
  const known = rebuilt.get(table)
  if (known) return known
  const below = placesOf(table)
  const text = below.size === 0 ? nothing : members(below)
  const made = sql`if(notEmpty(_source), ${keptSource(table)}, concat('{', ${below.size === 0 ? sql`''` : sql`substring(${text}, 2)`}, '}'))`
  rebuilt.set(table, made)
  return made
}

/**
 * The source of a row of these indices: what is kept, or where an index keeps no sources that can be made again (`_source.mode: synthetic`), JSON that
 * is put together from the row's columns. Names stand in the order of the alphabet.
 */
export function sourceOf(table: TableMeta, indices: Iterable<IndexMeta>): Sql {
  for (const index of indices) if (rebuildsSources(index)) return rebuiltSource(table)
  return keptSource(table)
}
