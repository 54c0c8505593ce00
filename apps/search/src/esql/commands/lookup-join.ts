import type { NamePattern } from '@logstack/esql'
import { join, type Sql, sql } from '../../sql/sql.ts'
import { defineCommand, noting, type QueryContext } from '../define-command.ts'
import { type Column, columnOf, type Stage, selected, withCells } from '../stage.ts'
import { type EsqlType, numericTypes, shownType } from '../types.ts'
import { refuse, single, type Value } from '../value.ts'

/** `LOOKUP JOIN index ON field`: for each row the documents of another index with the same value, one row for each; without one the columns have no values. */
export const lookupJoin = defineCommand({
  name: 'lookup',
  apply(stage, { index, on, place }, context) {
    const found = context.lookups.get(index)
    if (!found) return refuse(place, `Unknown index [${index}]`)
    const { stage: other, refusal } = found
    const keys = on.flatMap((name) => keyOf(stage, other, name, context) ?? [])
    const isThere = ({ name }: NamePattern) =>
      [stage, other].every(({ columns }) => columns.some((each) => each.name === name))
    if (refusal !== undefined && on.every(isThere)) noting(context, () => refuse(place, refusal))
    const named = keys.map((key) => ({ ...key, left: context.aliases.next(), right: context.aliases.next() }))
    const cells: (readonly [alias: Sql, value: Sql])[] = named.map(({ right, theirs }) => [right, theirs])
    const added = other.columns
      .filter(({ name }) => !on.some((key) => key.name === name))
      .map((column) =>
        readWhenAsked(column, (cell) => {
          const alias = context.aliases.next()
          cells.push([alias, cell])
          return alias
        }),
      )
    const ties = (other.ties ?? []).map((tie) => [context.aliases.next(), tie] as const)
    cells.push(...ties)
    const mine = withCells(
      stage,
      named.map(({ left, ours }) => [left, ours] as const),
    )
    const names = new Set(added.map(({ name }) => name))
    return {
      ...selected(mine, () => joined(mine, other, named, cells)),
      columns: [...stage.columns.filter(({ name }) => !names.has(name)), ...added],
      rowsMax: undefined,
      ties: [...(stage.ties ?? []), ...ties.map(([alias]) => alias)],
    }
  },
})

interface Key {
  readonly ours: Sql
  readonly theirs: Sql
}

function joined(
  mine: Stage,
  other: Stage,
  keys: readonly { readonly left: Sql; readonly right: Sql }[],
  cells: readonly (readonly [alias: Sql, value: Sql])[],
): Sql {
  const written = cells.map(([alias, value]) => sql`${value} AS ${alias}`)
  const theirs = sql`(SELECT ${join(written, ', ')} FROM ${other.from()})`
  const equal = keys.map(({ left, right }) => sql`mine.${left} = theirs.${right}`)
  const shown = cells.map(([alias]) => sql`theirs.${alias} AS ${alias}`)
  return sql`(SELECT mine.*, ${join(shown, ', ')} FROM ${mine.from()} AS mine LEFT JOIN ${theirs} AS theirs ON ${join(equal, ' AND ')})`
}

/** A column whose values are taken over once something names it; one value is NULL where no document was found, a list is empty. */
function readWhenAsked(column: Column, take: (cell: Sql) => Sql): Column {
  let found: { readonly sql: Sql; readonly many: boolean } | undefined
  return {
    name: column.name,
    type: column.type,
    read() {
      if (!found) {
        const { sql: cell, many } = column.read()
        found = { sql: take(many ? cell : sql`toNullable(${cell})`), many }
      }
      return found
    },
  }
}

/** The values of both sides that are held against each other; undefined where they are no such values, which is noted. */
function keyOf(stage: Stage, other: Stage, on: NamePattern, context: QueryContext): Key | undefined {
  const sides = [
    [stage, 'left'],
    [other, 'right'],
  ] as const
  const [ours, theirs] = sides.map(([side, called]) =>
    noting(context, () =>
      side.columns.some(({ name }) => name === on.name)
        ? columnOf(side, on.name, on, on.name)
        : refuse(on, `Unknown column [${on.name}] in ${called} side of join`),
    ),
  )
  return ours && theirs && noting(context, () => comparedKey(on, ours, theirs))
}

/** A document or a row that has several values is found by none of them. */
function comparedKey(on: NamePattern, ours: Value, theirs: Value): Key {
  if (theirs.type === 'text') refuse(on, `JOIN with right field [${on.name}] of type [TEXT] is not supported`)
  if (kindOf(ours) !== kindOf(theirs))
    refuse(
      on,
      `JOIN left field [${on.name}] of type [${shownKind(ours)}] is incompatible with right field [${on.name}] of type [${shownKind(theirs)}]`,
    )
  const isDouble = ours.type !== theirs.type && [ours.type, theirs.type].includes('double')
  const key = (value: Value) => (isDouble ? sql`toFloat64(${single(value)})` : single(value))
  return { ours: key(ours), theirs: key(theirs) }
}

function kindOf({ type }: Value): EsqlType {
  if (type === 'text') return 'keyword'
  return numericTypes.includes(type) ? 'double' : type
}

function shownKind({ type }: Value): string {
  return shownType(type).toUpperCase()
}
