import { placeOf } from '@logstack/errors'
import type { CommandOf, NamedAggregate, NamedExpression } from '@logstack/esql'
import { join, type Sql, sql, str } from '../../sql/sql.ts'
import { compile, type Surroundings } from '../compile.ts'
import { defineCommand, noting, type QueryContext, surroundings } from '../define-command.ts'
import { type CarriedFault, type Fault, faultCell, gatheredReasons } from '../faults.ts'
import { type Column, columnAt, columnOf, replaced, type Stage, selected, withCells, withFaults } from '../stage.ts'
import { engineTypes, spanTypes } from '../types.ts'
import { refuse, type Value } from '../value.ts'
import type { Group } from './aggregate-result.ts'
import { aggregateResult } from './aggregate-result.ts'

/** `STATS aggregates BY groups`: a row for each group, or one for all rows. */
export const stats = defineCommand({
  name: 'stats',
  apply(stage, command, context) {
    const faults: Fault[] = []
    const groups = shown(command.by, [], context).flatMap((by) => groupOf(stage, by, context, faults))
    const cells: (readonly [Sql, Sql])[] = []
    for (const { alias, value } of groups) cells.push([alias, groupCell(value, cells)])
    const rows = withCells(stage, cells)
    return aggregated(rows, { groups, faults }, command, context)
  },
})

/** The columns that are not hidden by a later one of the same name; of those that are a warning tells. */
function shown<Named extends NamedExpression>(
  fields: readonly Named[],
  later: readonly NamedExpression[],
  { text, warnings }: QueryContext,
): readonly Named[] {
  const all = [...fields, ...later]
  return fields.filter((field, at) => {
    const hiding = all.findLast((each, index) => index > at && each.name === field.name)
    if (!hiding) return true
    const [place, other] = [field, hiding].map(({ from }) => placeOf(text, from))
    warnings.add(`L${place?.slice(1)}: Field '${field.name}' shadowed by field at ${other}`)
    return false
  })
}

function groupOf(
  stage: Stage,
  { name, of, from, to }: NamedExpression,
  context: QueryContext,
  faults: Fault[],
): Group[] {
  const text = context.text.slice(from, to)
  const value = noting(context, () => {
    const read = compile(of, {
      ...surroundings(stage, context, faults),
      groups: true,
      aggregate: (call) =>
        refuse(call, `cannot use an aggregate [${context.text.slice(call.from, call.to)}] for grouping`),
    })
    if (spanTypes.includes(read.type))
      refuse({ from, to }, `cannot group by on [${read.type}] type for grouping [${text}]`)
    return read
  })
  return value ? [{ name, value, alias: context.aliases.next(), of, text }] : []
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

function aggregated(
  rows: Stage,
  { groups, faults }: { readonly groups: readonly Group[]; readonly faults: Fault[] },
  command: CommandOf<'stats'>,
  context: QueryContext,
): Stage {
  const ofResults: Fault[] = []
  const cells: (readonly [Sql, Sql])[] = []
  const results: (readonly [NamedAggregate, Value])[] = []
  const over = withGroups(rows, { groups, faults }, context)
  const visible = new Set(shown(command.aggregates, command.by, context))
  for (const aggregate of command.aggregates) {
    const isHidden = !visible.has(aggregate)
    const value = noting(context, () =>
      aggregateResult(over, groups, aggregate, { context, ofResults }, isHidden ? [] : cells),
    )
    if (value && !isHidden) results.push([aggregate, value])
  }
  const gathered = gatheredFaults(
    rows,
    { faults, used: [...cells.map(([, cell]) => cell), ...groups.map(({ value }) => value.sql)] },
    context,
  )
  cells.push(...gathered.map(({ fault, reasons }) => [fault.alias, reasons] as const))
  const keys = groups.map(({ alias }) => alias)
  const written = [...keys, ...cells.map(([alias, value]) => sql`${value} AS ${alias}`)]
  const grouped = keys.length === 0 ? sql`` : sql` GROUP BY ${join(keys, ', ')}`
  // Without an aggregate among the cells there would be a row for each.
  const cell = join(keys.length === 0 ? [...written, sql`count()`] : written, ', ')
  const inner: Stage = {
    ...selected(rows, () => sql`(SELECT ${cell} FROM ${rows.from()}${grouped})`),
    columns: [],
    order: [],
    ties: keys,
    rowsMax: keys.length === 0 ? 1 : undefined,
    matches: undefined,
  }
  const outer = results.map(([{ name }, value]) => ({ name, value, alias: context.aliases.next() }))
  const columns: Column[] = [
    ...outer.map(({ name, value, alias }) => columnAt(name, value, alias)),
    ...groups.map(({ name, value, alias }) => columnAt(name, { type: value.type, many: false }, alias)),
  ]
  const answered = withCells(
    inner,
    outer.map(({ alias, value }) => [alias, value.sql] as const),
  )
  // Whichever aggregate or group it was: the answer has them all.
  const of = [...outer.map(({ alias }) => alias), ...keys]
  const before = { ...answered, faults: gathered.map(({ fault }) => ({ ...fault, of })) }
  return { ...withFaults(before, { of, faults: ofResults }, context), columns: replaced([], columns) }
}

/** What left rows without a value that goes into a group, as columns of the groups. */
function gatheredFaults(
  { faults: carried = [] }: Stage,
  { faults, used }: { readonly faults: readonly Fault[]; readonly used: readonly Sql[] },
  { aliases }: QueryContext,
): readonly { readonly fault: CarriedFault; readonly reasons: Sql }[] {
  const needed = carried.filter(({ of }) => of.some(({ text }) => used.some((cell) => cell.text.includes(text))))
  const own = faults.map((fault) => ({ ...fault, sql: faultCell(fault), many: fault.many === true }))
  return [...needed.map((fault) => ({ ...fault, sql: fault.alias })), ...own].map(
    ({ from, to, text, sql: cell, many }) => ({
      fault: { from, to, text, alias: aliases.next(), many: true, of: [] },
      reasons: gatheredReasons({ sql: cell, many }),
    }),
  )
}

/** What aggregates are of: the rows, and the columns that BY gave a name. */
function withGroups(
  rows: Stage,
  { groups, faults }: { readonly groups: readonly Group[]; readonly faults: Fault[] },
  context: QueryContext,
): Surroundings {
  const around = surroundings(rows, context, faults)
  return {
    ...around,
    column(name, at, isSearched) {
      const group = groups.find((each) => each.name === name && each.of.kind !== 'name')
      const text = context.text.slice(at.from, at.to)
      if (group) return { ...group.value, from: at.from, to: at.to, text }
      const renamed = groups.find((each) => each.name === name)
      if (renamed) return { ...renamed.value, from: at.from, to: at.to, text }
      if (!rows.columns.some((column) => column.name === name)) refuse(at, `Unknown column [${name}]`)
      return columnOf(rows, name, at, text, isSearched)
    },
  }
}
