import {
  all,
  and,
  type Bounds,
  type Field,
  or,
  type Predicate,
  spanDigits,
  type Value,
  type ValueType,
} from '@logstack/rules'
import type { FieldColumns } from './field-columns.ts'
import { geoSql } from './geo-to-sql.ts'
import { mergeAlternatives, mergeRequirements } from './merge-clauses.ts'
import { jsonColumns, objectsAt, stepsBelow } from './nested-objects.ts'
import { patternSql } from './pattern-to-sql.ts'
import { ident, join, list, num, type Sql, sql, str } from './sql.ts'
import { phraseSql, tokensOfAnySql, tokensSql, withAny } from './text-to-sql.ts'
import { literal } from './values.ts'
import { versionKey } from './version-order.ts'

/** Finds the columns of (path, type); undefined when no document of the table has a value there. */
export type ColumnLookup = (field: Field) => FieldColumns | undefined

const metadataColumns: ReadonlyMap<string, FieldColumns> = new Map([
  ['_id', { one: ident('_id'), many: undefined }],
  ['_seq_no', { one: ident('_seq_no'), many: undefined }],
  ['_version', { one: ident('_version'), many: undefined }],
  ['_routing', { one: sql`nullIf(_routing, '')`, many: undefined }],
  ['_ignored', { one: sql`CAST(NULL, 'Nullable(String)')`, many: ident('_ignored') }],
])

/** Columns of a metadata field (`_id`, `_seq_no`, …) or of a field of the table. */
export function columnsOf(field: Field, lookup: ColumnLookup): FieldColumns | undefined {
  return metadataColumns.get(field.path) ?? lookup(field)
}

/** The JSON that objects of `nested` conditions are looked for in, and its own path: the document's is empty. */
interface OuterObject {
  readonly json: Sql
  readonly path: string
}

const document: OuterObject = { json: ident('_source'), path: '' }

/** What must hold of all values of a document where it holds of one of its objects: negations say nothing. */
function flattened(predicate: Predicate): Predicate {
  if (predicate.op === 'and') return and(predicate.of.map(flattened))
  if (predicate.op === 'or') return or(predicate.of.map(flattened))
  if (predicate.op === 'at-least') return { ...predicate, of: predicate.of.map(flattened) }
  if (predicate.op === 'nested') return flattened(predicate.of)
  return predicate.op === 'not' ? all : predicate
}

/**
 * A predicate as a condition for one table. The condition may be NULL where it does not hold (a column without a value), so it may stand in a
 * WHERE as it is; `NOT` and counting guard against it, which keeps documents without the field in a negation.
 */
export function predicateSql(predicate: Predicate, lookup: ColumnLookup, outer: OuterObject = document): Sql {
  const inner = (member: Predicate) => predicateSql(member, lookup, outer)
  switch (predicate.op) {
    case 'all':
      return sql`1`
    case 'none':
      return sql`0`
    case 'and':
    case 'or':
      return joinedSql(predicate, lookup, inner)
    case 'not':
      return sql`NOT ${definiteSql(predicate.of, lookup, outer)}`
    case 'at-least': {
      const held = predicate.of.map((member) => definiteSql(member, lookup, outer))
      const enough = sql`arraySum(${list(held.map((one) => sql`toUInt32(${one})`))}) >= ${leastSql(predicate.count, lookup)}`
      const any = askedFirst(predicate, held, lookup)
      return any.length > 0 ? withAny(any, enough) : enough
    }
    case 'nested': {
      const object = ident(`o_${predicate.path}`)
      const within: ColumnLookup = (field) => jsonColumns(object, field, predicate.path)
      const holds = truth(predicateSql(predicate.of, within, { json: object, path: predicate.path }))
      const objects = objectsAt(outer.json, stepsBelow(predicate.path, outer.path))
      // Within an object its own lists of objects have no columns to look at first.
      if (outer.path !== '') return sql`arrayExists(${object} -> ${holds}, ${objects})`
      // Objects are read only of documents that could have one.
      return sql`if(${truth(predicateSql(flattened(predicate.of), lookup, outer))}, arrayExists(${object} -> ${holds}, ${objects}), 0)`
    }
    case 'ids':
      return predicate.ids.length === 0 ? sql`0` : sql`_id IN (${join(predicate.ids.map(str), ', ')})`
    default: {
      const columns = columnsOf(predicate.field, lookup)
      return columns ? fieldSql(predicate, columns) : sql`0`
    }
  }
}

/**
 * A predicate as 1 or 0, never NULL. What cannot be NULL stands as it is, and members are guarded one by one: below `NOT` the engine asks no token index
 * through an `ifNull`, and cuts every text instead (ADR 0007).
 */
function definiteSql(predicate: Predicate, lookup: ColumnLookup, outer: OuterObject): Sql {
  const inner = (member: Predicate) => definiteSql(member, lookup, outer)
  switch (predicate.op) {
    case 'and':
    case 'or':
      return joinedSql(predicate, lookup, inner)
    case 'all':
    case 'none':
    case 'not':
    case 'ids':
    case 'nested':
    case 'tokens':
    case 'phrase':
      return predicateSql(predicate, lookup, outer)
    default: {
      const condition = predicateSql(predicate, lookup, outer)
      return predicate.op === 'at-least' && typeof predicate.count === 'number' ? condition : truth(condition)
    }
  }
}

function joinedSql(
  predicate: Extract<Predicate, { readonly op: 'and' | 'or' }>,
  lookup: ColumnLookup,
  member: (predicate: Predicate) => Sql,
): Sql {
  if (predicate.op === 'and') return sql`(${join(mergeRequirements(predicate.of).map(member), ' AND ')})`
  const { together, others } = wordsInSeveral(mergeAlternatives(predicate.of), lookup)
  return sql`(${join([...others.map(member), ...together], ' OR ')})`
}

/** The alternatives that look for the same words in texts without an index, as one condition for each of these sets of words. */
function wordsInSeveral(
  alternatives: readonly Predicate[],
  lookup: ColumnLookup,
): { readonly together: readonly Sql[]; readonly others: readonly Predicate[] } {
  const sets = new Map<string, { tokens: readonly string[]; columns: FieldColumns[]; of: Predicate[] }>()
  for (const predicate of alternatives) {
    if (predicate.op !== 'tokens' || predicate.count !== 1 || predicate.tokens.length === 0) continue
    const columns = columnsOf(predicate.field, lookup)
    if (!columns || columns.cut !== undefined) continue
    const key = JSON.stringify([...predicate.tokens].sort())
    const same = sets.get(key) ?? { tokens: predicate.tokens, columns: [], of: [] }
    same.columns.push(columns)
    same.of.push(predicate)
    sets.set(key, same)
  }
  const several = [...sets.values()].filter(({ of }) => of.length > 1)
  const taken = new Set(several.flatMap(({ of }) => of))
  return {
    together: several.map(({ tokens, columns }) => tokensOfAnySql(tokens, columns)),
    others: alternatives.filter((predicate) => !taken.has(predicate)),
  }
}

/** Clauses of one counted condition up to which it is worth saying them twice. */
const saidTwiceMax = 32

/**
 * Those of the counted conditions that ask a token index, where so many do that one of them must hold; with any other the index could rule out nothing. What
 * counts by itself is not said twice: each level of counts would double the statement.
 */
function askedFirst(
  { count, of }: Extract<Predicate, { readonly op: 'at-least' }>,
  held: readonly Sql[],
  lookup: ColumnLookup,
): readonly Sql[] {
  const least = typeof count === 'number' ? count : 1
  const asked = held.filter((_, at) => {
    const member = of[at]
    return member !== undefined && !counts(member) && asksTokenIndex(member, lookup)
  })
  return least > 0 && asked.length > of.length - least && asked.length <= saidTwiceMax ? asked : []
}

function counts(predicate: Predicate): boolean {
  if (predicate.op === 'at-least') return true
  if (predicate.op === 'tokens') return predicate.count > 1 && predicate.count < predicate.tokens.length
  if (predicate.op === 'not') return counts(predicate.of)
  return (predicate.op === 'and' || predicate.op === 'or') && predicate.of.some(counts)
}

/** Whether a predicate asks for words of a column with a token index. */
export function asksTokenIndex(predicate: Predicate, lookup: ColumnLookup): boolean {
  if (predicate.op === 'and' || predicate.op === 'or' || predicate.op === 'at-least')
    return predicate.of.some((member) => asksTokenIndex(member, lookup))
  if (predicate.op === 'not') return asksTokenIndex(predicate.of, lookup)
  if (predicate.op !== 'tokens' && predicate.op !== 'phrase') return false
  return columnsOf(predicate.field, lookup)?.cut !== undefined
}

/** How many conditions must hold; NULL, so that none is enough, where the field that says it has no value. */
function leastSql(count: number | Field, lookup: ColumnLookup): Sql {
  if (typeof count === 'number') return num(count)
  const columns = columnsOf(count, lookup)
  if (!columns) return sql`NULL`
  const { one, many } = columns
  const least = many ? sql`if(empty(${many}), ${one}, arrayMin(${many}))` : one
  return sql`if(isNull(${least}), NULL, greatest(1, toFloat64(ifNull(${least}, 1))))`
}

/** A condition as 1 or 0, never NULL. */
export function truth(condition: Sql): Sql {
  return sql`ifNull(${condition}, 0)`
}

function fieldSql(predicate: Extract<Predicate, { readonly field: Field }>, columns: FieldColumns): Sql {
  if (columns.holds) return columns.holds
  const { type } = predicate.field
  switch (predicate.op) {
    case 'present':
      return either(sql`isNotNull(${columns.one})`, columns.many && sql`notEmpty(${columns.many})`)
    case 'equals':
      return equalsSql(predicate.values, type, columns)
    case 'range': {
      const bounds = (value: Sql) => boundsSql(value, predicate.bounds, type)
      // Which rows have a value is a stream of its own, and next to nothing to read.
      if (columns.ordered) return sql`(isNotNull(${columns.one}) AND ${bounds(columns.ordered)})`
      return either(bounds(columns.one), columns.many && sql`arrayExists(x -> ${bounds(sql`x`)}, ${columns.many})`)
    }
    case 'pattern':
      return patternSql(predicate.pattern, type, columns)
    case 'span':
      return spanSql(predicate, columns)
    case 'geo':
      return geoSql(predicate.shape, columns)
    case 'tokens':
      return tokensSql(predicate.tokens, predicate.count, columns)
    case 'phrase':
      return phraseSql(predicate, columns)
  }
}

/** The ends of a range are digits of a fixed number, so they compare as texts. */
function spanSql(predicate: Extract<Predicate, { readonly op: 'span' }>, columns: FieldColumns): Sql {
  const digits = spanDigits(predicate.kind)
  const [from = '', to = ''] = predicate.span.split('~')
  const holds = (value: Sql) => {
    const low = sql`substring(${value}, 1, ${num(digits)})`
    const high = sql`substring(${value}, ${num(digits + 2)})`
    if (predicate.relation === 'contains') return sql`(${low} <= ${str(from)} AND ${high} >= ${str(to)})`
    if (predicate.relation === 'within') return sql`(${low} >= ${str(from)} AND ${high} <= ${str(to)})`
    return sql`(${low} <= ${str(to)} AND ${high} >= ${str(from)})`
  }
  return either(holds(columns.one), columns.many && sql`arrayExists(x -> ${holds(sql`x`)}, ${columns.many})`)
}

/** A condition on the single value or one on the array companion. */
function either(one: Sql, many: Sql | undefined): Sql {
  return many ? sql`(${one} OR ${many})` : one
}

/** Whether a list holds a value. The engine's `has` does not find the empty text in a list of dictionary-coded texts (26.7). */
function hasSql(many: Sql, value: Sql): Sql {
  return value.text === str('').text ? sql`arrayExists(x -> x = ${value}, ${many})` : sql`has(${many}, ${value})`
}

function equalsSql(values: readonly Value[], type: ValueType, columns: FieldColumns): Sql {
  const [first] = values
  if (first === undefined) return sql`0`
  if (values.length === 1) {
    const value = literal(first, type)
    return either(sql`${columns.one} = ${value}`, columns.many && hasSql(columns.many, value))
  }
  const wanted = listed(values, type)
  return either(
    sql`${columns.one} IN (${wanted})`,
    columns.many && sql`arrayExists(x -> x IN (${wanted}), ${columns.many})`,
  )
}

/** Values to look a column's up in. The engine reads addresses of a list as they are written; each that is said by a call it thinks about: 65,536 took 2 GB. */
function listed(values: readonly Value[], type: ValueType): Sql {
  return join(
    values.map((value) => (type === 'ip' ? str(String(value)) : literal(value, type))),
    ', ',
  )
}

function boundsSql(value: Sql, bounds: Bounds, type: ValueType): Sql {
  if (bounds.versions) return comparedSql(versionKey(value), bounds, (bound) => versionKey(literal(bound, type)))
  return comparedSql(value, bounds, (bound) => literal(bound, type))
}

function comparedSql(value: Sql, bounds: Bounds, read: (bound: Value) => Sql): Sql {
  const conditions: Sql[] = []
  if (bounds.gt !== undefined) conditions.push(sql`${value} > ${read(bounds.gt)}`)
  if (bounds.gte !== undefined) conditions.push(sql`${value} >= ${read(bounds.gte)}`)
  if (bounds.lt !== undefined) conditions.push(sql`${value} < ${read(bounds.lt)}`)
  if (bounds.lte !== undefined) conditions.push(sql`${value} <= ${read(bounds.lte)}`)
  return conditions.length === 0 ? sql`isNotNull(${value})` : sql`(${join(conditions, ' AND ')})`
}
