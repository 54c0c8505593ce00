import type { Engine, ReadOptions } from '../engine/engine.ts'
import { ident, join, num, type Sql, sql } from '../sql/sql.ts'
import type { ValueColumn } from './value-columns.ts'
import { valueBytesMax, valuesMax } from './value-set.ts'

/** Columns that are read by one statement. */
const readAtOnce = 32

/** Rows by their numbers: above `since` (-1: from the first on), up to `to`. */
export interface RowSpan {
  readonly table: string
  readonly since: number
  /** Undefined: all that come. */
  readonly to: number | undefined
}

/** The rows of a span, or those of a table that are found first, as what a statement reads from. */
export type ReadRows = RowSpan | { readonly table: string; readonly first: number }

/** The different values of columns among some rows, of each up to one more than are kept, and of long ones as much as tells that they are. */
export async function* differentValues(
  engine: Pick<Engine, 'rows'>,
  rows: ReadRows,
  columns: readonly ValueColumn[],
  options: ReadOptions,
): AsyncGenerator<readonly [ValueColumn, ReadonlySet<string>]> {
  for (let at = 0; at < columns.length; at += readAtOnce) {
    const some = columns.slice(at, at + readAtOnce)
    const statement = sql`SELECT ${join(some.map(differentSql), ', ')} FROM ${fromSql(rows, some)}`
    const [row = []] = await engine.rows(statement, options)
    for (const [place, column] of some.entries()) yield [column, new Set(textsOf(row[place]))]
  }
}

function fromSql(rows: ReadRows, columns: readonly ValueColumn[]): Sql {
  if ('since' in rows) return sql`${ident(rows.table)}${between(rows.since, rows.to)}`
  const names = columns.map(({ name }) => ident(name))
  return sql`(SELECT ${join(names, ', ')} FROM ${ident(rows.table)} LIMIT ${num(rows.first)})`
}

function between(since: number, to: number | undefined): Sql {
  const conditions = [
    ...(since < 0 ? [] : [sql`_seq > ${num(since)}`]),
    ...(to === undefined ? [] : [sql`_seq <= ${num(to)}`]),
  ]
  return conditions.length === 0 ? sql`` : sql` WHERE ${join(conditions, ' AND ')}`
}

/** The different values of a column, up to one more than are kept. */
function differentSql({ name, isArray }: ValueColumn): Sql {
  const limit = num(valuesMax + 1)
  if (isArray) return sql`groupUniqArrayArray(${limit})(arrayMap(x -> ${cut(sql`x`)}, ${ident(name)}))`
  return sql`groupUniqArray(${limit})(${cut(ident(name))})`
}

function textsOf(cell: unknown): string[] {
  return Array.isArray(cell) ? cell.map(String) : []
}

/** A value, and of a long one as much as tells that it is. */
function cut(value: Sql): Sql {
  return sql`substring(${value}, 1, ${num(valueBytesMax + 1)})`
}
