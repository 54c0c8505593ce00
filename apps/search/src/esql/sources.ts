import type { CommandOf } from '@logstack/esql'
import type { PlannedRows } from '../plan/row-source.ts'
import { join, type Sql, sql } from '../sql/sql.ts'
import { noting, type QueryContext, valueIn } from './define-command.ts'
import { type Cell, type Column, columnAt, replaced, type Stage, withCells } from './stage.ts'
import type { EsqlType } from './types.ts'
import { sorted } from './version-order.ts'

/** A field of the indices of a query: its name and its type over all of them. */
export interface SourceField {
  readonly name: string
  readonly type: EsqlType
  /** Whether queries of the DSL compare its values as they are: those of `float` are rounded. */
  readonly isExact: boolean
  /** Why it has no type that can be used, where indices map it otherwise: what messages say. */
  readonly conflict?: string
}

/** The documents of indices as rows; fields are read once something names them. */
export function documentRows(
  rows: PlannedRows,
  { fields, metadata }: { readonly fields: readonly SourceField[]; readonly metadata: readonly Column[] },
  { aliases }: Pick<QueryContext, 'aliases'>,
): Stage {
  const lists: Cell[] = []
  const ordered = (list: Sql, type: EsqlType): Sql => {
    if (type === 'text') return list
    const alias = aliases.next()
    lists.push([alias, inOrder(list, type)])
    return alias
  }
  const columns = fields.map(({ name, type, conflict }): Column => {
    let found: { readonly sql: Sql; readonly many: boolean } | undefined
    return {
      name,
      type,
      field: name,
      ...(conflict === undefined ? {} : { conflict }),
      read() {
        if (!found) {
          const { sql: alias, many } = rows.field(name)
          found = { sql: many ? ordered(alias, type) : alias, many }
        }
        return found
      },
    }
  })
  return {
    columns: replaced(columns, metadata),
    order: [],
    rowsMax: undefined,
    from: () => {
      if (lists.length === 0) return sql`(${rows.select()})`
      const written = lists.map(([alias, list]) => sql`${list} AS ${alias}`)
      return sql`(SELECT *, ${join(written, ', ')} FROM (${rows.select()}))`
    },
    matches: (query) => rows.matches(query),
  }
}

/** The values of a list as Elasticsearch keeps them: in their order, and of what are no numbers each once. */
function inOrder(list: Sql, type: EsqlType): Sql {
  const isSet = type === 'keyword' || type === 'ip' || type === 'version'
  return sql`if(length(${list}) > 1, ${sorted(type, isSet ? sql`arrayDistinct(${list})` : list)}, ${list})`
}

const oneRow: Stage = {
  columns: [],
  order: [],
  rowsMax: 1,
  matches: undefined,
  past: ['row'],
  from: () => sql`(SELECT 1 AS one)`,
}

/** `ROW name = value, …`: a single row. */
export function singleRow({ fields }: CommandOf<'row'>, context: QueryContext): Stage {
  let made = oneRow
  for (const { name, of } of fields) {
    const value = noting(context, () => valueIn(made, context, of))
    if (!value) continue
    const alias = context.aliases.next()
    const columns = replaced(made.columns, [columnAt(name, value, alias)])
    made = { ...withCells(made, [[alias, value.sql]]), columns }
  }
  return made
}

/** No rows of columns: where a query's indices are none. */
export function noRows(): Stage {
  return { ...oneRow, rowsMax: 0, from: () => sql`(SELECT 1 AS one WHERE 0)` }
}

/** The final statement: all columns of a stage in their order, in its order. */
export function statementOf(stage: Stage, order: Sql): Sql {
  const cells = stage.columns.map(({ type, read }) => {
    if (type === 'unsupported' || type === 'null') return sql`NULL`
    const { sql: cell, many } = read()
    return shownCell(cell, many, type)
  })
  return sql`SELECT ${cells.length === 0 ? sql`1` : join(cells, ', ')} FROM ${stage.from()}${order}`
}

/** Doubles as texts, so that none is rounded or missing; addresses as texts. */
function shownCell(cell: Sql, many: boolean, type: EsqlType): Sql {
  if (type !== 'ip') return cell
  return many ? sql`arrayMap(x -> toString(x), ${cell})` : sql`toString(${cell})`
}
