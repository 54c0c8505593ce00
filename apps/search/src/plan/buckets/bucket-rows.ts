import type { BucketPlan, KeyPart, RowSource, Sample } from '../../dsl/define-aggregation.ts'
import { ident, join, nothing, num, type Sql, sql, str } from '../../sql/sql.ts'
import type { NestedRows } from './nested-rows.ts'
import type { NumberedValues } from './numbered-values.ts'

/** A level of nested buckets, as far as its rows depend on it. */
export interface BucketLevel {
  readonly plan: BucketPlan
  readonly level: number
  readonly source: RowSource
}

/** What the keys of a level stand by, as columns `names` have them. */
export function standing({ parts }: BucketPlan, names: readonly Sql[]): Sql[] {
  return names.map((name, at) => parts[at]?.order?.rank(name) ?? name)
}

/** A bucket that was found: the keys of all levels down to it. */
export interface FoundKeys {
  readonly path: readonly unknown[]
}

/** The column of a part of a level's key. */
export const keyName = (level: number, part: number) => ident(`k${level}_${part}`)

/**
 * The rows with the keys of all levels as columns, for a statement that reads `cells` of them; a key of many values multiplies them, one layer each, so that
 * equal lists stay apart.
 */
export function expanded(levels: readonly BucketLevel[], source: RowSource, cells: readonly Sql[]): Sql {
  // The engine leaves out columns that are not read, but finds the rows of a condition's bitmap beforehand, read or not.
  const read = join([layered(levels, nothing), ...cells], ' ')
  return layered(levels, sql`(${source.select(read)})`)
}

/** Whether several rows around may lead to one and the same below. */
function isOnce(rows: BucketLevel['plan']['rows']): boolean {
  if (rows === undefined || rows === 'documents') return rows !== undefined
  return 'around' in rows || ('others' in rows && rows.others === 'parent')
}

/** What tells the objects of levels apart that were made of rows which are to be there once. */
function objectsBelow(levels: readonly BucketLevel[]): Sql[] {
  return levels.flatMap(({ plan, source }) =>
    plan.rows !== undefined && 'ordinals' in source ? [(source as NestedRows).ordinals()] : [],
  )
}

function layered(levels: readonly BucketLevel[], rows: Sql): Sql {
  let from = rows
  let single: Sql[] = []
  const keys: Sql[] = []
  const conditions: Sql[] = []
  for (const [depth, { plan, level, source }] of levels.entries()) {
    if (plan.where) conditions.push(plan.where)
    const keyed = () => {
      const rowsWithKeys = single.length === 0 ? from : sql`(SELECT *, ${join(single, ', ')} FROM ${from})`
      single = []
      return conditions.length === 0 ? rowsWithKeys : sql`${rowsWithKeys} WHERE ${join(conditions, ' AND ')}`
    }
    if (isOnce(plan.rows) && 'sequence' in source)
      from = sql`(SELECT * FROM ${keyed()} LIMIT 1 BY ${join([...keys, source.sequence as Sql, ...objectsBelow(levels.slice(depth + 1))], ', ')})`
    if (plan.sample) from = sampled(plan.sample, keyed(), keys)
    for (const [at, part] of plan.parts.entries()) {
      keys.push(keyName(level, at))
      const name = keyName(level, at)
      if (part.many) from = sql`(SELECT *, arrayJoin(${distinct(part)}) AS ${name} FROM ${from})`
      else single.push(sql`${part.sql} AS ${name}`)
    }
  }
  return single.length === 0 ? from : sql`(SELECT *, ${join(single, ', ')} FROM ${from})`
}

/** What the rows of `expanded` must meet to be in a bucket of every level; `keys` say of columns how it is told that a row has a value. */
export function inBuckets(
  levels: readonly BucketLevel[],
  keys: readonly { readonly column: Sql; readonly present: Sql }[] = [],
): Sql[] {
  const present = (column: Sql): Sql =>
    keys.find((key) => key.column.text === column.text)?.present ?? sql`isNotNull(${column})`
  return [
    ...levels.flatMap(({ plan }) => (plan.where ? [plan.where] : [])),
    ...levels.flatMap(({ plan, level }) =>
      plan.parts.flatMap((part, at) => (part.many || part.keepsNull ? [] : [present(keyName(level, at))])),
    ),
  ]
}

/** The rows that are in buckets of all levels, with their keys, for a statement that reads `cells` of them. */
export function withKeys(levels: readonly BucketLevel[], source: RowSource, cells: readonly Sql[]): Sql {
  const conditions = inBuckets(levels)
  const rows = expanded(levels, source, [...cells, ...conditions])
  return conditions.length === 0 ? rows : sql`(SELECT * FROM ${rows} WHERE ${join(conditions, ' AND ')})`
}

/** The best rows of every parent; of those with one value of a key only so many. */
function sampled({ size, best: order, each }: Sample, from: Sql, parents: readonly Sql[]): Sql {
  const best = sql`ORDER BY ${join(order, ', ')}`
  const varied = each
    ? sql`(SELECT * FROM ${from} ${best} LIMIT ${num(each.most)} BY ${join([...parents, each.key], ', ')})`
    : from
  const by = parents.length === 0 ? sql`` : sql` BY ${join(parents, ', ')}`
  return sql`(SELECT * FROM ${varied} ${best} LIMIT ${num(size)}${by})`
}

function distinct(part: KeyPart): Sql {
  const values = sql`arrayDistinct(${part.sql})`
  return part.keepsNull ? sql`if(${part.isMissing ?? sql`empty(${values})`}, [NULL], ${values})` : values
}

/** The condition that keeps to the buckets that were selected of the levels above, by what `parents` are grouped by. */
export function selectedOnly(
  chain: readonly BucketLevel[],
  parents: readonly Sql[],
  selected: readonly FoundKeys[] | undefined,
  numbers: readonly (Pick<NumberedValues, 'numberOf'> | undefined)[] = [],
): Sql[] {
  if (!selected || parents.length === 0) return []
  const types = chain.flatMap(({ plan }) => plan.parts.map((part) => part.type))
  const nullable = parents.map((_, at) => !numbers[at] && selected.some(({ path }) => path[at] === null))
  const compared = parents.flatMap((key, at) =>
    nullable[at] ? [sql`isNull(${key})`, sql`ifNull(${key}, ${placeholder(types[at])})`] : [key],
  )
  const kept = selected.map(({ path }) =>
    parents.flatMap((_, at) => {
      const numbered = numbers[at]
      if (numbered) return [num(path[at] === null ? 0 : numbered.numberOf(path[at]))]
      const literal = path[at] === null ? placeholder(types[at]) : keyLiteral(path[at], types[at])
      return nullable[at] ? [num(path[at] === null ? 1 : 0), literal] : [literal]
    }),
  )
  // IN reads every literal as the type of its key; has() would compare a small whole number's own type with the key's and find nothing.
  return [
    sql`(${join(compared, ', ')}) IN (${join(
      kept.map((literals) => (literals.length === 1 ? join(literals, ', ') : sql`(${join(literals, ', ')})`)),
      ', ',
    )})`,
  ]
}

/** What stands for null beside a mark that says so, since IN finds no null. */
function placeholder(type: KeyPart['type'] | undefined): Sql {
  if (type === 'ip') return sql`toIPv6('::')`
  if (type === 'boolean') return sql`false`
  return type === 'string' || type === 'text' ? str('') : num(0)
}

function keyLiteral(key: unknown, type: KeyPart['type'] | undefined): Sql {
  if (type === 'ip') return sql`toIPv6(${str(String(key))})`
  if (typeof key === 'boolean') return key ? sql`true` : sql`false`
  if (type === 'string' || type === 'text') return str(String(key))
  if (type === 'double') return num(Number(key))
  return num(typeof key === 'number' ? key : BigInt(String(key)))
}
