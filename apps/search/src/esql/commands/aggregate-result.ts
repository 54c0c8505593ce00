import type { Expression, NamedAggregate, Place } from '@logstack/esql'
import { type Sql, sql } from '../../sql/sql.ts'
import { aggregateFunctions } from '../aggregates/index.ts'
import { compile, type Surroundings } from '../compile.ts'
import type { QueryContext } from '../define-command.ts'
import { checkArguments } from '../define-function.ts'
import { type Fault, noteIn } from '../faults.ts'
import { namesIn } from '../names-used.ts'
import { truth } from '../operators.ts'
import { atPlaceOf, ReadingProblem } from '../problems.ts'
import { made, refuse, type Value } from '../value.ts'

/** A column that rows are grouped by. */
export interface Group {
  readonly name: string
  readonly value: Value
  readonly alias: Sql
  /** As it was written, so that an aggregate may name the same expression. */
  readonly of: Expression
  /** The same with the name before it. */
  readonly text: string
}

type Call = Extract<Expression, { readonly kind: 'call' }>

/** What an expression over aggregates comes to; each aggregate in it becomes a cell of the groups. Throws `Problem`. */
export function aggregateResult(
  over: Surroundings,
  groups: readonly Group[],
  aggregate: NamedAggregate,
  { context, ofResults }: { readonly context: QueryContext; readonly ofResults: Fault[] },
  cells: (readonly [Sql, Sql])[],
): Value {
  const { of, where } = aggregate
  const written = (at: Place) => context.text.slice(at.from, at.to)
  if (of.kind === 'literal') refuse(of, `expected an aggregate function but found [${written(of)}]`)
  const own = groups.find(
    (group) => written(group.of) === written(of) || (of.kind === 'name' && group.name === of.name),
  )
  if (own) refuse(of, `grouping key [${own.name}] already specified in the STATS BY clause`)
  const condition = where && heldBy(over, { ...where, text: written(where) }, where, written(aggregate))
  let found = 0
  const value = compile(of, {
    ...over,
    note: noteIn(ofResults),
    matches: undefined,
    known: (expression) => {
      const group = groups.find((each) => each.of.kind !== 'name' && written(each.of) === written(expression))
      return group && { ...group.value, many: false, sql: group.alias }
    },
    column: (name, at) => grouped(over, groups, name, at),
    aggregate(call) {
      found += 1
      const made = cellOf(over, call, written(call), condition)
      const alias = context.aliases.next()
      cells.push([alias, made.sql])
      return { ...made, sql: alias }
    },
  })
  if (where && found === 0)
    refuse(where, `WHERE clause allowed only for aggregate functions, none found in [${written(aggregate)}]`)
  return value
}

/** A column beside aggregates: one of the groups. */
function grouped(over: Surroundings, groups: readonly Group[], name: string, at: Place): Value {
  const group = groups.find((each) => each.name === name)
  if (group) return { ...group.value, many: false, sql: group.alias }
  // A name that is none is told so first.
  over.column(name, at)
  const renamed = groups.find(({ of }) => mentions(of, name))
  if (renamed)
    refuse(
      at,
      `column [${name}] cannot be used as an aggregate once declared in the STATS BY grouping key [${renamed.text}]`,
    )
  return refuse(at, `column [${name}] must appear in the STATS BY clause or be used in an aggregate function`)
}

function mentions(of: Expression, name: string): boolean {
  return namesIn(of).includes(name)
}

function heldBy(over: Surroundings, at: Place & { readonly text: string }, where: Expression, whole: string): Sql {
  const refused = (call: Call) =>
    refuse(
      call,
      `cannot use aggregate function [${over.text.slice(call.from, call.to)}] in aggregate WHERE clause [${whole}]`,
    )
  return truth(compile(where, { ...over, aggregate: refused }), at)
}

/** The cell of an aggregate; of rows that its WHERE leaves out it has no values. */
function cellOf(over: Surroundings, call: Call, text: string, condition: Sql | undefined): Value {
  const at = { from: call.from, to: call.to, text }
  const found = aggregateFunctions.get(call.name)
  if (!found) return refuse(at, `Unknown function [${call.name}]`)
  const isStar = call.args[0]?.kind === 'star'
  if (isStar && !found.takesStar)
    throw new ReadingProblem(at.from, `error building [${call.name}]: expects exactly one argument`)
  const given = found.takesStar && (call.args.length === 0 || isStar) ? [] : call.args
  const nested = (inner: Call) =>
    refuse(
      inner,
      `nested aggregations [${over.text.slice(inner.from, inner.to)}] not allowed inside other aggregations [${text}]`,
    )
  const read = given.map((each) => compile(each, { ...over, aggregate: nested }))
  const values = atPlaceOf(at, () => checkArguments(found, read, at))
  const masked = values.map((value, which) => (which === 0 && condition ? whereHeld(value, condition) : value))
  const answer = atPlaceOf(at, () => found.compile({ ...at, values: masked, where: condition }))
  const { type, sql: cell, many = false } = answer
  return made(at, type, cell, many)
}

/** The value in rows that meet the condition; none in others. */
function whereHeld(value: Value, condition: Sql): Value {
  const held = sql`ifNull(${condition}, false)`
  const cell = value.many ? sql`if(${held}, ${value.sql}, [])` : sql`if(${held}, ${value.sql}, NULL)`
  return { ...value, sql: cell }
}
