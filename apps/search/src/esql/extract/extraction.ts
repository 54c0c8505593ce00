import { join, list, num, type Sql, sql, str } from '../../sql/sql.ts'
import type { CommandOf, Place } from '../ast.ts'
import { type QueryContext, valueIn } from '../define-command.ts'
import { columnAt, replaced, type Stage, withCells } from '../stage.ts'
import { type EsqlType, engineTypes, shownType, stringTypes } from '../types.ts'
import { nullOf, refuse, type Value } from '../value.ts'
import { anyMark, type Mark, markAt } from './look-around.ts'
import type { Re2Pattern } from './re2-pattern.ts'

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
  readonly pattern: Pick<Re2Pattern, 'source' | 'marks'>
  readonly fields: readonly ExtractedField[]
}

/** The texts of all groups of a pattern in a text, an empty list where it does not fit. */
function groupsOf(text: Sql, { source, marks }: Extraction['pattern']): Sql {
  const first = marks.some(({ side }) => side === 'word') ? withMarks(text, marks, 'word') : text
  const marked = withMarks(withMarks(first, marks, 'before'), marks, 'after')
  // Two that stand at one place may be asked for in either order.
  const twice =
    marks.length > 1 ? sql`replaceRegexpAll(${marked}, ${str(`([${anyMark}]+)`)}, ${str('\\1\\1')})` : marked
  return sql`extractGroups(${twice}, ${str(source)})`
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

/** One group of a text, without marks. */
export function groupText(groups: Sql, at: number, { marks }: Extraction['pattern']): Sql {
  const text = sql`${groups}[${num(at + 1)}]`
  return marks.length === 0 ? text : sql`replaceRegexpAll(${text}, ${str(`[${anyMark}]+`)}, '')`
}

/** The texts that a command takes columns from. Throws `Problem` for what is no text. */
export function textIn(stage: Stage, context: QueryContext, of: CommandOf<'grok'>['of'], name: string): Value {
  const value = valueIn(stage, context, of)
  if (value.type !== 'null' && !stringTypes.includes(value.type))
    refuse(
      value,
      `${name} only supports KEYWORD or TEXT values, found expression [${value.text}] type [${shownType(value.type).toUpperCase()}]`,
    )
  return value
}

/** The rows with columns of what the first of several patterns that fits takes from a text, or from each of a list of texts. */
export function extracted(
  stage: Stage,
  context: QueryContext,
  value: Value,
  ways: readonly Extraction[],
  at: Place,
): Stage {
  const names = [...new Set(ways.flatMap(({ fields }) => fields.map(({ name }) => name)))]
  if (names.length === 0) refuse(at, 'the pattern has no names for what it finds')
  const groups = ways.map(({ pattern }) => [context.aliases.next(), pattern] as const)
  const found = groups.map(([alias, pattern]): readonly [Sql, Sql] => {
    const text = value.type === 'null' ? nullOf('keyword') : value.sql
    return [alias, value.many ? sql`arrayMap(v -> ${groupsOf(sql`v`, pattern)}, ${text})` : groupsOf(text, pattern)]
  })
  const columns = names.map((name) => {
    const own = ways.map(({ fields }) => fields.find((each) => each.name === name))
    const type = own.find((each) => each !== undefined)?.type ?? 'keyword'
    const many = value.many || own.some((each) => each?.many)
    const names = groups.map((_, which) => sql`g${num(which)}`)
    const none = nullOf(type, true)
    const branches = own.flatMap((field, which) => {
      const name = names[which] ?? sql`g`
      return [sql`notEmpty(${name})`, field ? field.values(name) : none]
    })
    const each = sql`arrayMap((${join(names, ', ')}) -> multiIf(${join([...branches, none], ', ')}), ${join(
      groups.map(([alias]) => (value.many ? alias : list([alias]))),
      ', ',
    )})`
    const cell = many ? sql`arrayFlatten(${each})` : sql`arrayElementOrNull(${each}[1], 1)`
    return {
      alias: context.aliases.next(),
      cell: many ? sql`CAST(${cell}, ${str(`Array(${engineTypes[type] ?? 'String'})`)})` : cell,
      column: { name, type, many },
    }
  })
  const cells = columns.map(({ alias, cell }) => [alias, cell] as const)
  return {
    ...withCells(withCells(stage, found), cells),
    columns: replaced(
      stage.columns,
      columns.map(({ alias, column }) => columnAt(column.name, column, alias)),
    ),
  }
}
