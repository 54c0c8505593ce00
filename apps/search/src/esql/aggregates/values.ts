import { num, type Sql, sql } from '../../sql/sql.ts'
import { defineAggregate, type EsqlAggregate, over } from '../define-aggregate.ts'
import { textOf } from '../define-function.ts'
import { comparableTypes, stringTypes, wholeTypes } from '../types.ts'
import { nullOf, refuse, single, type Value } from '../value.ts'

/** Text comes out of aggregates as keyword. */
function typeOf(value: Value) {
  return value.type === 'text' ? 'keyword' : value.type
}

/** All values of all rows as a list. */
function all(value: Value): Sql {
  return over(value, sql`groupArray`, sql`groupArrayArray`)
}

const values = defineAggregate({
  name: 'values',
  params: [{ name: 'field', types: comparableTypes, many: true }],
  compile: ({ values: [value] }) =>
    value && value.type !== 'null'
      ? {
          type: typeOf(value),
          many: true,
          sql: sql`arraySort(${over(value, sql`groupUniqArray`, sql`groupUniqArrayArray`)})`,
        }
      : { type: 'null', sql: nullOf('null') },
})

/** A number of rows that stands in the query. */
function countOf(value: Value | undefined): number {
  const count = typeof value?.literal === 'bigint' ? Number(value.literal) : 0
  if (value && count <= 0) refuse(value, `Limit must be greater than 0 in [${value.text}], found [${value.text}]`)
  return count
}

const top = defineAggregate({
  name: 'top',
  params: [
    { name: 'field', types: comparableTypes, many: true },
    { name: 'limit', types: wholeTypes, constant: true },
    { name: 'order', types: stringTypes, constant: true, optional: true },
  ],
  compile({ values: [value, limit, order] }) {
    const count = countOf(limit)
    const way = order === undefined ? 'asc' : textOf(order).toLowerCase()
    if (order && way !== 'asc' && way !== 'desc')
      refuse(order, `Invalid order value in [${order.text}], expected [ASC, DESC] but got [${textOf(order)}]`)
    if (!value || value.type === 'null') return { type: 'null', sql: nullOf('null') }
    const sorted = way === 'asc' ? sql`arraySort` : sql`arrayReverseSort`
    return { type: typeOf(value), many: true, sql: sql`arraySlice(${sorted}(${all(value)}), 1, ${num(count)})` }
  },
})

const sample = defineAggregate({
  name: 'sample',
  params: [
    { name: 'field', types: comparableTypes, many: true },
    { name: 'limit', types: wholeTypes, constant: true },
  ],
  compile({ values: [value, limit] }) {
    const size = sql`(${num(countOf(limit))})`
    if (!value || value.type === 'null') return { type: 'null', sql: nullOf('null') }
    return {
      type: typeOf(value),
      many: true,
      sql: over(value, sql`groupArraySample${size}`, sql`groupArraySampleArray${size}`),
    }
  },
})

/** The value of the row that comes first by another field. */
function byOrder(name: 'first' | 'last', of: Sql): EsqlAggregate {
  return defineAggregate({
    name,
    params: [
      { name: 'value', types: comparableTypes },
      { name: 'sort', types: comparableTypes },
    ],
    compile({ values: [value, by] }) {
      if (!value || !by || value.type === 'null' || by.type === 'null')
        return { type: value?.type ?? 'null', sql: nullOf(value?.type ?? 'null') }
      return { type: typeOf(value), sql: sql`${of}(${single(value)}, ${single(by)})` }
    },
  })
}

/** Whether any row has a value. */
function presence(name: 'present' | 'absent', of: (count: Sql) => Sql): EsqlAggregate {
  return defineAggregate({
    name,
    params: [{ name: 'field', types: comparableTypes, many: true }],
    compile({ values: [value] }) {
      if (!value || value.type === 'null') return { type: 'boolean', sql: of(sql`toUInt64(0)`) }
      return { type: 'boolean', sql: of(value.many ? sql`sum(length(${value.sql}))` : sql`count(${value.sql})`) }
    },
  })
}

/** Aggregates that show values. */
export const valueAggregates: readonly EsqlAggregate[] = [
  values,
  top,
  sample,
  byOrder('first', sql`argMinOrNull`),
  byOrder('last', sql`argMaxOrNull`),
  presence('present', (count) => sql`(${count} > 0)`),
  presence('absent', (count) => sql`(${count} = 0)`),
]
