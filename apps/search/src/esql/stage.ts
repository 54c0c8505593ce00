import type { NamePattern, Place } from '@logstack/esql'
import { fitsStars } from '@logstack/rules'
import { didYouMean } from '../refusals/did-you-mean.ts'
import { ident, join, type Sql, sql } from '../sql/sql.ts'
import { type CarriedFault, type Fault, faultCell, followed } from './faults.ts'
import { Problem } from './problems.ts'
import type { EsqlType } from './types.ts'
import { refuse, type Value } from './value.ts'

/** A column of the rows so far. */
export interface Column {
  readonly name: string
  readonly type: EsqlType
  /** Why it cannot be used, where indices map it otherwise. */
  readonly conflict?: string
  /** The types that it has in some of the indices, where these differ: casts take each of them. */
  readonly variants?: readonly Pick<Column, 'type' | 'read'>[]
  /** What the indices map it as, where it has no type that can be used. */
  readonly original?: readonly string[]
  /** The field of the indices that it is; undefined for what a query made. */
  readonly field?: string
  /** How an answer shows its values, where its type does not say it. */
  show?(cell: unknown): unknown
  /** Where its values are; asked when it is used, so that fields nobody names are not read. */
  read(): { readonly sql: Sql; readonly many: boolean }
}

/** A criterion that rows come in the order of. */
export interface Order {
  readonly sql: Sql
  readonly descending: boolean
  readonly nullsFirst: boolean
}

/** The rows after a command: what stands behind FROM, and what is known of it. */
export interface Stage {
  readonly columns: readonly Column[]
  readonly order: readonly Order[]
  /** What tells rows apart, as far as is known: by it a part of them is the same each time. */
  readonly ties?: readonly Sql[]
  /** The rows as a table expression; made once everything was asked of them. */
  from(): Sql
  /** The most rows there can be; undefined where nothing bounds them. */
  readonly rowsMax: number | undefined
  /** The columns that were put in last, and the rows below them. */
  readonly last?: { readonly below: () => Sql; readonly cells: readonly Cell[] }
  /** The conditions that rows were kept by last, and the rows below them. */
  readonly kept?: { readonly below: () => Sql; readonly conditions: readonly Sql[] }
  /** What may leave rows without a value, as columns of theirs. */
  readonly faults?: readonly CarriedFault[]
  /** How many sub-selects lie in each other. */
  readonly layers?: number
  /** Whether each row is still a document, so that a full text query can be asked of it. */
  readonly matches: ((query: unknown) => Sql) | undefined
  /** The commands that led here: full text functions may follow some of them only. */
  readonly past?: readonly string[]
}

/** Gives every column of a query's statements a name of its own. */
export class Aliases {
  #made = 0

  next(): Sql {
    this.#made += 1
    return ident(`e${this.#made}`)
  }
}

/** A column whose values stand under an alias. */
export function columnAt(name: string, { type, many }: Pick<Value, 'type' | 'many'>, alias: Sql): Column {
  const at = { sql: alias, many }
  return { name, type, read: () => at }
}

/** A column of a statement: its alias and what it is made of. */
export type Cell = readonly [alias: Sql, value: Sql]

/** The rows with more columns beside all there are. What needs none of the columns that were put in last stands beside them: the engine takes sub-selects only so deep. */
export function withCells(stage: Stage, cells: readonly Cell[]): Stage {
  if (cells.length === 0) return stage
  const { last } = stage
  const needs = last?.cells.some(([alias]) => cells.some(([, value]) => value.text.includes(alias.text))) === true
  if (last && !needs) return layered(stage, last.below, [...last.cells, ...cells])
  return layered(deeper(stage), stage.from, cells)
}

function layered(stage: Stage, below: () => Sql, cells: readonly Cell[]): Stage {
  const from = () =>
    sql`(SELECT *, ${join(
      cells.map(([alias, value]) => sql`${value} AS ${alias}`),
      ', ',
    )} FROM ${below()})`
  const { kept: _gone, ...rest } = stage
  return { ...rest, from, last: { below, cells } }
}

/** The rows with what may have left them without values of columns (`of`), the first of which has just been made of `value`. */
export function withFaults(
  stage: Stage,
  {
    of,
    faults,
    value,
  }: { readonly of: readonly Sql[]; readonly faults: readonly Fault[]; readonly value?: Sql | undefined },
  { aliases }: { readonly aliases: Aliases },
): Stage {
  const [alias] = of
  const before = value && alias ? followed(stage.faults ?? [], alias, value) : (stage.faults ?? [])
  const own = faults.map((fault) => ({ fault, at: aliases.next() }))
  const carried = own.map(({ fault: { from, to, text, many = false }, at }) => ({
    from,
    to,
    text,
    alias: at,
    many,
    of,
  }))
  const cells = own.map(({ fault, at }) => [at, faultCell(fault)] as const)
  return { ...withCells(stage, cells), faults: [...before, ...carried] }
}

/** The rows behind one more sub-select. Throws `Problem` where there are too many. */
export function selected(stage: Stage, from: () => Sql): Stage {
  const { last: _last, kept: _kept, ...rest } = deeper(stage)
  return { ...rest, from }
}

/** How many sub-selects a query comes to at most. */
const layersMax = 80

function deeper(stage: Stage): Stage {
  const layers = (stage.layers ?? 0) + 1
  if (layers > layersMax)
    throw new Problem(0, `the query has too many steps that need each other: more than [${layersMax}]`)
  return { ...stage, layers }
}

/** The columns with some put in, where there was one of the name in its place. */
export function replaced(columns: readonly Column[], added: readonly Column[]): readonly Column[] {
  const names = new Set(added.map(({ name }) => name))
  const last = new Map(added.map((column) => [column.name, column]))
  return [...columns.filter(({ name }) => !names.has(name)), ...last.values()]
}

/** The column of a name as a value, or one that is not read (`isSearched`). Throws `Problem` with what may have been meant. */
export function columnOf(
  stage: Pick<Stage, 'columns'>,
  name: string,
  at: Place,
  text: string,
  isSearched = false,
): Value {
  const found = stage.columns.find((column) => column.name === name)
  if (!found) return refuse(at, unknownColumn(stage, name))
  if (found.type === 'unsupported' && isSearched && isText(found))
    return { type: 'text', sql: sql`NULL`, many: false, field: found.field ?? name, from: at.from, to: at.to, text }
  if (found.type === 'unsupported') return refuse(at, unusable(found))
  const field = found.field === undefined ? {} : { field: found.field }
  return { type: found.type, ...found.read(), ...field, from: at.from, to: at.to, text }
}

/** Of a text that only its words are kept of: it can be searched. */
function isText({ conflict, original }: Column): boolean {
  return conflict === undefined && original?.[0] === 'text'
}

/** Why a column cannot be used that has no type. */
export function unusable({ name, conflict, original = [] }: Column): string {
  return conflict ?? `Cannot use field [${name}] with unsupported type [${original.join(',')}]`
}

/** The values of a column by each of the types that its indices map it as; none where they agree. */
export function variantsOf(stage: Pick<Stage, 'columns'>, name: string, at: Place, text: string): readonly Value[] {
  const found = stage.columns.find((column) => column.name === name)
  return (found?.variants ?? []).map(({ type, read }) => ({ type, ...read(), from: at.from, to: at.to, text }))
}

function unknownColumn(stage: Pick<Stage, 'columns'>, name: string): string {
  const meant = like(stage, name)
  return `Unknown column [${name}]${meant === '' ? '' : `,${meant}`}`
}

function like({ columns }: Pick<Stage, 'columns'>, name: string): string {
  const names = columns.map((column) => column.name)
  return didYouMean(name, names, { isJustEnough: true })
}

/** The columns that a name or pattern of names says, in their order. Throws `Problem` where it is none, with what may have been meant where `suggests`. */
export function named(
  stage: Pick<Stage, 'columns'>,
  pattern: NamePattern,
  { suggests = true }: { readonly suggests?: boolean } = {},
): readonly Column[] {
  const { name, isPattern } = pattern
  const found = stage.columns.filter((column) => (isPattern ? fitsStars(column.name, name) : column.name === name))
  if (found.length > 0 || name === '*') return found
  const meant = suggests ? like(stage, name) : ''
  if (isPattern)
    return refuse(
      pattern,
      `No matches found for pattern [${name}]${meant === '' ? '' : `,${meant.replace('did you mean', 'did you mean to match')}`}`,
    )
  return refuse(pattern, `Unknown column [${name}]${meant === '' ? '' : `,${meant}`}`)
}

/** The orders as an ORDER BY clause; nothing where there are none. */
export function orderBy(orders: readonly Order[]): Sql {
  if (orders.length === 0) return sql``
  const written = orders.map(
    ({ sql: key, descending, nullsFirst }) =>
      sql`${key} ${descending ? sql`DESC` : sql`ASC`} ${nullsFirst ? sql`NULLS FIRST` : sql`NULLS LAST`}`,
  )
  return sql` ORDER BY ${join(written, ', ')}`
}
