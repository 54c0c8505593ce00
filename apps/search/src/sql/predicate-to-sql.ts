import type { Bounds, Field, Predicate, ValueType } from '@logstack/rules'
import type { FieldColumns } from './field-columns.ts'
import { mergeAlternatives } from './merge-alternatives.ts'
import { patternSql } from './pattern-to-sql.ts'
import { ident, join, list, num, type Sql, sql, str } from './sql.ts'
import { phraseSql, tokensSql } from './text-to-sql.ts'
import { literal } from './values.ts'

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

/**
 * A predicate as a condition for one table. The condition may be NULL where it does not hold (a column without a value), so it may stand in a
 * WHERE as it is; `NOT` and counting guard against it, which keeps documents without the field in a negation.
 */
export function predicateSql(predicate: Predicate, lookup: ColumnLookup): Sql {
  const inner = (member: Predicate) => predicateSql(member, lookup)
  switch (predicate.op) {
    case 'all':
      return sql`1`
    case 'none':
      return sql`0`
    case 'and':
      return sql`(${join(predicate.of.map(inner), ' AND ')})`
    case 'or':
      return sql`(${join(mergeAlternatives(predicate.of).map(inner), ' OR ')})`
    case 'not':
      return sql`NOT ${truth(inner(predicate.of))}`
    case 'at-least': {
      const held = predicate.of.map((member) => sql`toUInt32(${truth(inner(member))})`)
      return sql`arraySum(${list(held)}) >= ${num(predicate.count)}`
    }
    case 'ids':
      return predicate.ids.length === 0 ? sql`0` : sql`_id IN (${join(predicate.ids.map(str), ', ')})`
    default: {
      const columns = columnsOf(predicate.field, lookup)
      return columns ? fieldSql(predicate, columns) : sql`0`
    }
  }
}

/** A condition as 1 or 0, never NULL. */
export function truth(condition: Sql): Sql {
  return sql`ifNull(${condition}, 0)`
}

function fieldSql(predicate: Extract<Predicate, { readonly field: Field }>, columns: FieldColumns): Sql {
  const { type } = predicate.field
  switch (predicate.op) {
    case 'present':
      return either(sql`isNotNull(${columns.one})`, columns.many && sql`notEmpty(${columns.many})`)
    case 'equals':
      return equalsSql(
        predicate.values.map((value) => literal(value, type)),
        columns,
      )
    case 'range': {
      const bounds = (value: Sql) => boundsSql(value, predicate.bounds, type)
      return either(bounds(columns.one), columns.many && sql`arrayExists(x -> ${bounds(sql`x`)}, ${columns.many})`)
    }
    case 'pattern':
      return patternSql(predicate.pattern, type, columns)
    case 'tokens':
      return tokensSql(predicate.tokens, predicate.count, columns)
    case 'phrase':
      return phraseSql(predicate, columns)
  }
}

/** A condition on the single value or one on the array companion. */
function either(one: Sql, many: Sql | undefined): Sql {
  return many ? sql`(${one} OR ${many})` : one
}

function equalsSql(values: readonly Sql[], columns: FieldColumns): Sql {
  const [first] = values
  if (!first) return sql`0`
  if (values.length === 1)
    return either(sql`${columns.one} = ${first}`, columns.many && sql`has(${columns.many}, ${first})`)
  const wanted = join(values, ', ')
  return either(
    sql`${columns.one} IN (${wanted})`,
    columns.many && sql`arrayExists(x -> x IN (${wanted}), ${columns.many})`,
  )
}

function boundsSql(value: Sql, bounds: Bounds, type: ValueType): Sql {
  const conditions: Sql[] = []
  if (bounds.gt !== undefined) conditions.push(sql`${value} > ${literal(bounds.gt, type)}`)
  if (bounds.gte !== undefined) conditions.push(sql`${value} >= ${literal(bounds.gte, type)}`)
  if (bounds.lt !== undefined) conditions.push(sql`${value} < ${literal(bounds.lt, type)}`)
  if (bounds.lte !== undefined) conditions.push(sql`${value} <= ${literal(bounds.lte, type)}`)
  return conditions.length === 0 ? sql`isNotNull(${value})` : sql`(${join(conditions, ' AND ')})`
}
