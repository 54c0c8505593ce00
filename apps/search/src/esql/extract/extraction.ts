import type { CommandOf } from '@logstack/esql'
import { ident, join, list, num, type Sql, sql, str } from '../../sql/sql.ts'
import { type QueryContext, valueIn } from '../define-command.ts'
import { columnAt, replaced, type Stage, withCells } from '../stage.ts'
import { type EsqlType, engineTypes, shownType, stringTypes } from '../types.ts'
import { nullOf, refuse, type Value } from '../value.ts'
import { anyMark, type Mark, markAt } from './look-around.ts'
import type { PlainPattern, Re2Pattern } from './re2-pattern.ts'

/** A column that is taken from texts: what its values are among the groups of a fitting text, a list of texts (empty for none). */
export interface ExtractedField {
  readonly name: string
  readonly type: EsqlType
  /** Whether there may be several of one text. */
  readonly many: boolean
  values(groups: Sql): Sql
}

/** A pattern, and the columns that texts give that fit it. */
export interface Extraction {
  readonly pattern: Omit<Re2Pattern, 'groups'>
  readonly fields: readonly ExtractedField[]
}

/** The texts of all groups of a pattern in a text, an empty list where it does not fit. */
function groupsOf(text: Sql, { source, marks }: Extraction['pattern']): Sql {
  if (marks.length === 0) return sql`extractGroups(${text}, ${str(source)})`
  const marked = withMarks(withMarks(withMarks(text, marks, 'word'), marks, 'before'), marks, 'after')
  // Up to four that stand at one place may be asked for in any order.
  const repeated =
    marks.length > 1 ? sql`replaceRegexpAll(${marked}, ${str(`([${anyMark}]+)`)}, ${str('\\1'.repeat(4))})` : marked
  return sql`arrayMap(x -> replaceRegexpAll(x, ${str(`[${anyMark}]+`)}, ''), extractGroups(${repeated}, ${str(source)}))`
}

/** The same of what the plain pattern found (`found`) where that holds; it is looked for with marks, which takes ten times as long, in other texts. */
function heldGroups(text: Sql, pattern: Extraction['pattern'], { before, after }: PlainPattern, found: Sql): Sql {
  const ends = (group: Sql, letters: string) => sql`(empty(${group}) OR match(${group}, ${str(letters)}))`
  const holds = [
    sql`empty(${found})`,
    join(
      [
        ...before.map((letters) => ends(sql`${found}[1]`, `${letters}\\z`)),
        ...after.map((letters) => ends(sql`${found}[-1]`, `\\A${letters}`)),
      ],
      ' AND ',
    ),
  ]
  return sql`if(${join(holds, ' OR ')}, arraySlice(${found}, 2, length(${found}) - 2), ${groupsOf(text, pattern)})`
}

function withMarks(text: Sql, marks: readonly Mark[], wanted: Mark['side']): Sql {
  let marked = text
  for (const [at, { side, letters, orNone }] of marks.entries()) {
    if (side !== wanted) continue
    const mark = markAt(at)
    if (side === 'word') marked = sql`replaceRegexpAll(${marked}, ${str('\\b')}, ${str(mark)})`
    else {
      const by = side === 'before' ? `\\1${mark}` : `${mark}\\1`
      const put = sql`replaceRegexpAll(${marked}, ${str(`(${letters})`)}, ${str(by)})`
      marked = !orNone ? put : side === 'before' ? sql`concat(${str(mark)}, ${put})` : sql`concat(${put}, ${str(mark)})`
    }
  }
  return marked
}

/** One group of a text. */
export function groupText(groups: Sql, at: number): Sql {
  return sql`${groups}[${num(at + 1)}]`
}

/** The texts that a command takes columns from. Throws `Problem` for what is no text. */
export function textIn(stage: Stage, context: QueryContext, of: CommandOf<'grok'>['of'], name: string): Value {
  const value = valueIn(stage, context, of)
  if (!stringTypes.includes(value.type))
    refuse(
      value,
      `${name} only supports KEYWORD or TEXT values, found expression [${value.text}] type [${shownType(value.type).toUpperCase()}]`,
    )
  return value
}

/** The rows with columns of what the first of several patterns that fits takes from a text, or from each of a list of texts. */
export function extracted(stage: Stage, context: QueryContext, value: Value, ways: readonly Extraction[]): Stage {
  const names = [...new Set(ways.flatMap(({ fields }) => fields.map(({ name }) => name)))]
  if (names.length === 0) return stage
  const first: (readonly [Sql, Sql])[] = []
  const found: (readonly [Sql, Sql])[] = []
  for (const { pattern } of ways) {
    const text = value.type === 'null' ? nullOf('keyword') : value.sql
    const alias = context.aliases.next()
    if (value.many) found.push([alias, sql`arrayMap(v -> ${groupsOf(sql`v`, pattern)}, ${text})`])
    else if (!pattern.plain) found.push([alias, groupsOf(text, pattern)])
    else {
      const plain = context.aliases.next()
      first.push([plain, sql`extractGroups(${text}, ${str(pattern.plain.source)})`])
      found.push([alias, heldGroups(text, pattern, pattern.plain, plain)])
    }
  }
  const groups = found.map(([alias]) => alias)
  const columns = names.map((name) => {
    const own = ways.map(({ fields }) => fields.find((each) => each.name === name))
    const { sql: cell, ...column } = cellOf(own, groups, value.many)
    return { alias: context.aliases.next(), cell, column: { name, ...column } }
  })
  const cells = columns.map(({ alias, cell }) => [alias, cell] as const)
  return {
    ...withCells(withCells(withCells(stage, first), found), cells),
    columns: replaced(
      stage.columns,
      columns.map(({ alias, column }) => columnAt(column.name, column, alias)),
    ),
  }
}

/** What the first of several patterns that fits gives for a column: of groups of one text, or of those of each of a list of texts. */
function cellOf(
  own: readonly (ExtractedField | undefined)[],
  groups: readonly Sql[],
  ofList: boolean,
): { readonly type: EsqlType; readonly many: boolean; readonly sql: Sql } {
  const type = own.find((each) => each !== undefined)?.type ?? 'keyword'
  const many = ofList || own.some((each) => each?.many)
  const names = groups.map((_, which) => ident(`g${which}`))
  const branches = own.flatMap((field, which) => {
    const name = names[which] ?? ident('g')
    return [sql`notEmpty(${name})`, field ? field.values(name) : nullOf(type, true)]
  })
  const lists = groups.map((group) => (ofList ? group : list([group])))
  const chosen = sql`multiIf(${join([...branches, nullOf(type, true)], ', ')})`
  const each = sql`arrayMap((${join(names, ', ')}) -> ${chosen}, ${join(lists, ', ')})`
  if (!many) return { type, many, sql: sql`arrayElementOrNull(${each}[1], 1)` }
  return { type, many, sql: sql`CAST(arrayFlatten(${each}), ${str(`Array(${engineTypes[type] ?? 'String'})`)})` }
}
