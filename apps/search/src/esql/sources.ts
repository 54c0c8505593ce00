import type { CommandOf } from '@logstack/esql'
import type { ResolvedField } from '../model/mapping.ts'
import type { PlannedRows } from '../plan/buckets/row-source.ts'
import { join, type Sql, sql } from '../sql/sql.ts'
import { noting, type QueryContext, valueIn } from './define-command.ts'
import type { CarriedFault, Fault } from './faults.ts'
import { type Cell, type Column, columnAt, replaced, type Stage, withCells, withFaults } from './stage.ts'
import { type EsqlType, spanTypes } from './types.ts'
import { refuse } from './value.ts'
import { sorted } from './version-order.ts'

/** A field of the indices of a query: its name and its type over all of them. */
export interface SourceField {
  readonly name: string
  readonly type: EsqlType
  /** Whether queries of the DSL compare its values as they are: those of `float` are rounded. */
  readonly isExact: boolean
  /** Why it has no type that can be used, where indices map it otherwise: what messages say. */
  readonly conflict?: string
  /** The types that indices map it as, where these differ: which of its values are of each. */
  readonly variants?: readonly { readonly type: EsqlType; holds(field: ResolvedField): boolean }[]
  /** What the indices map it as, where it has no type that can be used. */
  readonly original?: readonly string[]
}

/** The documents of indices as rows; fields are read once something names them. */
export function documentRows(
  rows: PlannedRows,
  { fields, metadata }: { readonly fields: readonly SourceField[]; readonly metadata: readonly Column[] },
  { aliases, readsAgain }: Pick<QueryContext, 'aliases' | 'readsAgain'>,
): Stage {
  const lists: Cell[] = []
  const ordered = (type: EsqlType, { sql: cell, many }: Cells): Cells => {
    if (!many || written.has(type)) return { sql: cell, many }
    const alias = aliases.next()
    lists.push([alias, inOrder(cell, type)])
    return { sql: alias, many }
  }
  const columns = fields.map(({ name, type, variants, ...beside }): Column => {
    const { conflict, original } = beside
    const read = readOnce(() => ordered(type, rows.field(name)))
    return {
      name,
      type,
      field: name,
      ...(conflict === undefined ? {} : { conflict }),
      ...(original === undefined ? {} : { original }),
      ...(variants && {
        variants: variants.map(({ type: one, holds }) => ({
          type: one,
          read: readOnce(() => ordered(one, rows.fieldWhere(name, holds))),
        })),
      }),
      read,
    }
  })
  return {
    columns: replaced(columns, metadata),
    order: [],
    ...(readsAgain && rows.place ? { ties: [rows.place()] } : {}),
    rowsMax: undefined,
    from: () => {
      if (lists.length === 0) return sql`(${rows.select()})`
      const cells = lists.map(([alias, list]) => sql`${list} AS ${alias}`)
      return sql`(SELECT *, ${join(cells, ', ')} FROM (${rows.select()}))`
    },
    matches: (query) => rows.matches(query),
  }
}

type Cells = ReturnType<Column['read']>

/** Texts and points come as they were written. */
const written: ReadonlySet<EsqlType> = new Set(['text', 'geo_point', 'unsupported'])

function readOnce(read: () => Cells): () => Cells {
  let found: Cells | undefined
  return () => {
    found ??= read()
    return found
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

/** `ROW name = value, …`: a single row; no value knows the others. */
export function singleRow({ fields }: CommandOf<'row'>, context: QueryContext): Stage {
  let made = oneRow
  for (const { name, of } of fields) {
    const faults: Fault[] = []
    const value = noting(context, () => {
      const read = valueIn(oneRow, context, of, faults)
      if (spanTypes.includes(read.type)) refuse(read, `cannot use [${read.text}] directly in a row assignment`)
      return read
    })
    if (!value) continue
    const alias = context.aliases.next()
    const columns = replaced(made.columns, [columnAt(name, value, alias)])
    made = {
      ...withFaults(withCells(made, [[alias, value.sql]]), { of: [alias], faults, value: value.sql }, context),
      columns,
    }
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
  const all = [...cells, ...faultsOf(stage).map(({ alias }) => alias)]
  return sql`SELECT ${all.length === 0 ? sql`1` : join(all, ', ')} FROM ${stage.from()}${order}`
}

/** What may have left the rows of an answer without a value that is in it; their cells stand behind those of the columns. */
export function faultsOf({ columns, faults = [] }: Stage): readonly CarriedFault[] {
  if (faults.length === 0) return []
  const read = new Set(
    columns.flatMap(({ type, read: cell }) => (type === 'unsupported' || type === 'null' ? [] : [cell().sql.text])),
  )
  return faults.filter(({ of }) => of.some(({ text }) => read.has(text)))
}

/** Doubles as texts, so that none is rounded or missing; addresses as texts. */
function shownCell(cell: Sql, many: boolean, type: EsqlType): Sql {
  if (type !== 'ip') return cell
  return many ? sql`arrayMap(x -> toString(x), ${cell})` : sql`toString(${cell})`
}
