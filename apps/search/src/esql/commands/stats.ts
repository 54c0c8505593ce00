import type { CommandOf, Expression, NamedAggregate, NamedExpression } from '@logstack/esql'
import { join, type Sql, sql, str } from '../../sql/sql.ts'
import { aggregateFunctions } from '../aggregates/index.ts'
import { compile, type Surroundings } from '../compile.ts'
import { defineCommand, noting, type QueryContext, surroundings, valueIn } from '../define-command.ts'
import { checkArguments } from '../define-function.ts'
import { truth } from '../operators.ts'
import { atPlaceOf } from '../problems.ts'
import { type Column, columnAt, replaced, type Stage, selected, withCells } from '../stage.ts'
import { engineTypes } from '../types.ts'
import { made, refuse, type Value } from '../value.ts'

/** A column that rows are grouped by. */
interface Group {
  readonly name: string
  readonly value: Value
  readonly alias: Sql
  /** As it was written, so that an aggregate may name the same expression. */
  readonly of: Expression
}

/** `STATS aggregates BY groups`: a row for each group, or one for all rows. */
export const stats = defineCommand({
  name: 'stats',
  apply(stage, command, context) {
    const groups = command.by.flatMap((by) => groupOf(stage, by, context))
    const cells: (readonly [Sql, Sql])[] = []
    for (const { alias, value } of groups) cells.push([alias, groupCell(value, cells)])
    const rows = withCells(stage, cells)
    return aggregated(rows, groups, command, context)
  },
})

function groupOf(stage: Stage, { name, of }: NamedExpression, context: QueryContext): Group[] {
  const value = noting(context, () => valueIn(stage, context, of))
  return value ? [{ name, value, alias: context.aliases.next(), of }] : []
}

/** A row counts for each of its values. */
function groupCell(value: Value, others: readonly (readonly [Sql, Sql])[]): Sql {
  if (!value.many) return value.sql
  const type = str(`Array(Nullable(${engineTypes[value.type] ?? 'String'}))`)
  let values = sql`if(empty(${value.sql}), CAST([NULL], ${type}), CAST(arrayDistinct(${value.sql}), ${type}))`
  // What is written the same is taken apart once by the engine, where each value of one belongs to each of the other.
  while (others.some(([, { text }]) => text === `arrayJoin(${values.text})`)) values = sql`arrayReverse(${values})`
  return sql`arrayJoin(${values})`
}

function aggregated(rows: Stage, groups: readonly Group[], command: CommandOf<'stats'>, context: QueryContext): Stage {
  const cells: (readonly [Sql, Sql])[] = []
  const results: (readonly [NamedAggregate, Value])[] = []
  for (const aggregate of command.aggregates) {
    const value = noting(context, () => resultOf(rows, groups, aggregate, context, cells))
    if (value) results.push([aggregate, value])
  }
  const keys = groups.map(({ alias }) => alias)
  const written = [...keys, ...cells.map(([alias, value]) => sql`${value} AS ${alias}`)]
  const grouped = keys.length === 0 ? sql`` : sql` GROUP BY ${join(keys, ', ')}`
  // Without an aggregate among the cells there would be a row for each.
  const cell = join(keys.length === 0 ? [...written, sql`count()`] : written, ', ')
  const inner: Stage = {
    ...selected(rows, () => sql`(SELECT ${cell} FROM ${rows.from()}${grouped})`),
    columns: [],
    order: [],
    rowsMax: keys.length === 0 ? 1 : undefined,
    matches: undefined,
  }
  const outer = results.map(([{ name }, value]) => ({ name, value, alias: context.aliases.next() }))
  const columns: Column[] = [
    ...outer.map(({ name, value, alias }) => columnAt(name, value, alias)),
    ...groups.map(({ name, value, alias }) => columnAt(name, { type: value.type, many: false }, alias)),
  ]
  return {
    ...withCells(
      inner,
      outer.map(({ alias, value }) => [alias, value.sql] as const),
    ),
    columns: replaced([], columns),
  }
}

/** What an expression over aggregates comes to; each aggregate in it becomes a cell of the groups. */
function resultOf(
  rows: Stage,
  groups: readonly Group[],
  { of, where }: NamedAggregate,
  context: QueryContext,
  cells: (readonly [Sql, Sql])[],
): Value {
  const over = surroundings(rows, context)
  const condition = where && truth(compile(where, over), { ...where, text: context.text.slice(where.from, where.to) })
  const own = groups.find((group) => of.kind !== 'call' && sameText(context, group.of, of))
  if (own) return { ...own.value, many: false, sql: own.alias }
  return compile(of, {
    ...over,
    matches: undefined,
    column(name, at) {
      const group = groups.find((each) => each.name === name || (each.of.kind === 'name' && each.of.name === name))
      if (group) return { ...group.value, many: false, sql: group.alias }
      return refuse(at, `column [${name}] must appear in the STATS BY clause or be used in an aggregate function`)
    },
    aggregate(call) {
      const at = { from: call.from, to: call.to, text: context.text.slice(call.from, call.to) }
      const found = aggregateFunctions.get(call.name)
      if (!found) return refuse(at, `Unknown function [${call.name}]`)
      const given = found.takesStar && (call.args.length === 0 || call.args[0]?.kind === 'star') ? [] : call.args
      const read = given.map((each) => compile(each, nested(over, at)))
      const values = atPlaceOf(at, () => checkArguments(found, read, at))
      const masked = values.map((value, which) => (which === 0 && condition ? whereHeld(value, condition) : value))
      const {
        type,
        sql: cell,
        many = false,
      } = atPlaceOf(at, () => found.compile({ ...at, values: masked, where: condition }))
      const alias = context.aliases.next()
      cells.push([alias, cell])
      return made(at, type, alias, many)
    },
  })
}

/** What stands within an aggregate: no other. */
function nested(over: Surroundings, { text: outer }: { readonly text: string }): Surroundings {
  return {
    ...over,
    aggregate(call) {
      const inner = over.text.slice(call.from, call.to)
      return refuse(call, `nested aggregations [${inner}] not allowed inside other aggregations [${outer}]`)
    },
  }
}

/** The value in rows that meet the condition; none in others. */
function whereHeld(value: Value, condition: Sql): Value {
  const held = sql`ifNull(${condition}, false)`
  const cell = value.many ? sql`if(${held}, ${value.sql}, [])` : sql`if(${held}, ${value.sql}, NULL)`
  return { ...value, sql: cell }
}

function sameText({ text }: QueryContext, a: Expression, b: Expression): boolean {
  return text.slice(a.from, a.to) === text.slice(b.from, b.to)
}
