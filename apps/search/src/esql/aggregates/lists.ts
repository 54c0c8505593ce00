import { num, type Sql, sql } from '../../sql/sql.ts'
import { defineAggregate, type EsqlAggregate, over } from '../define-aggregate.ts'
import { textOf } from '../define-function.ts'
import { comparableTypes, countableTypes, type EsqlType, stringTypes, wholeTypes } from '../types.ts'
import { nullOf, refuse, single, type Value } from '../value.ts'
import { sorted } from '../version-order.ts'

interface Listed {
  readonly type: EsqlType
  readonly sql: Sql
  readonly many?: boolean
}

const nothing: Listed = { type: 'null', sql: nullOf('null') }

function shown(type: EsqlType): EsqlType {
  return type === 'text' ? 'keyword' : type
}

/** The most values that a list of an aggregate can be asked to have. */
const listedMax = 1_000_000

function limitOf(limit: Value | undefined, text: string): number {
  const asked = Number(limit?.literal)
  if (limit && !(asked > 0)) refuse(limit, `Limit must be greater than 0 in [${text}], found [${limit.text}]`)
  return Math.min(asked, listedMax)
}

const values = defineAggregate({
  name: 'values',
  params: [{ name: 'field', types: countableTypes, many: true }],
  compile({ values: [value] }) {
    if (!value || value.type === 'null') return nothing
    // Elasticsearch promises no order; an answer that is the same each time is easier to read.
    const distinct = over(value, sql`groupUniqArray`, sql`groupUniqArrayArray`)
    return { type: shown(value.type), sql: sorted(value.type, distinct), many: true }
  },
})

const sample = defineAggregate({
  name: 'sample',
  params: [
    { name: 'field', types: comparableTypes, many: true },
    { name: 'limit', types: wholeTypes, constant: true },
  ],
  compile({ values: [value, limit], text }) {
    if (!value || value.type === 'null') return nothing
    const most = num(limitOf(limit, text))
    const sampled = over(value, sql`groupArraySample(${most})`, sql`groupArraySampleArray(${most})`)
    return { type: shown(value.type), sql: sampled, many: true }
  },
})

/** A value in the opposite order, and what makes the value of it again; undefined where there is no such. */
function reversed(type: EsqlType): { turn(value: Sql): Sql; back(value: Sql): Sql } | undefined {
  switch (type) {
    case 'double':
      return { turn: (value) => sql`(-${value})`, back: (value) => sql`(-${value})` }
    case 'integer':
    case 'long':
    case 'unsigned_long':
    case 'date':
    case 'date_nanos':
      return { turn: (value) => sql`bitNot(${value})`, back: (value) => sql`bitNot(${value})` }
    case 'boolean':
      return { turn: (value) => sql`(1 - toUInt8(${value}))`, back: (value) => sql`CAST(1 - ${value}, 'Bool')` }
    default:
      return undefined
  }
}

function descending(value: Value, most: Sql): Sql {
  const order = reversed(value.type)
  if (!order) {
    const all = over(value, sql`groupArray`, sql`groupArrayArray`)
    return sql`arraySlice(arrayReverseSort(${all}), 1, ${most})`
  }
  const turned = value.many ? sql`arrayMap(v -> ${order.turn(sql`v`)}, ${value.sql})` : order.turn(value.sql)
  const found = over({ ...value, sql: turned }, sql`groupArraySorted(${most})`, sql`groupArraySortedArray(${most})`)
  return sql`arrayMap(v -> ${order.back(sql`v`)}, ${found})`
}

/** The values of another field in the rows that have the least or greatest values. */
function beside(value: Value, other: Value, most: Sql, isDescending: boolean): Sql {
  const key = single(value)
  const pair = sql`tuple(assumeNotNull(${key}), ${single(other)})`
  const order = isDescending ? reversed(value.type) : undefined
  const turned = order ? sql`tuple(${order.turn(sql`assumeNotNull(${key})`)}, ${single(other)})` : pair
  const found =
    isDescending && !order
      ? sql`arraySlice(arrayReverseSort(p -> p.1, groupArrayIf(${pair}, isNotNull(${key}))), 1, ${most})`
      : sql`arraySort(p -> p.1, groupArraySortedIf(${most})(${turned}, isNotNull(${key})))`
  return sql`arrayMap(p -> assumeNotNull(p.2), arrayFilter(p -> isNotNull(p.2), ${found}))`
}

const top = defineAggregate({
  name: 'top',
  params: [
    { name: 'field', types: comparableTypes, many: true },
    { name: 'limit', types: wholeTypes, constant: true },
    { name: 'order', types: stringTypes, constant: true, optional: true },
    { name: 'outputField', types: comparableTypes, many: true, optional: true },
  ],
  compile({ values: [value, limit, order, other], text }): Listed {
    const asked = order ? textOf(order).toLowerCase() : 'asc'
    if (order && asked !== 'asc' && asked !== 'desc')
      refuse(order, `Invalid order value in [${text}], expected [ASC, DESC] but got [${order.text}]`)
    const most = num(limitOf(limit, text))
    if (!value || value.type === 'null' || other?.type === 'null') return nothing
    if (other) return { type: shown(other.type), sql: beside(value, other, most, asked === 'desc'), many: true }
    const found =
      asked === 'desc'
        ? descending(value, most)
        : over(value, sql`groupArraySorted(${most})`, sql`groupArraySortedArray(${most})`)
    return { type: shown(value.type), sql: found, many: true }
  },
})

/** The value in the row that comes first, or last, by another field; rows without either do not count. */
function byOrder(name: 'first' | 'last'): EsqlAggregate {
  return defineAggregate({
    name,
    params: [
      { name: 'field', types: comparableTypes, many: true },
      { name: 'sortField', types: comparableTypes, many: true },
    ],
    compile({ values: [value, sort] }): Listed {
      if (!value || !sort || value.type === 'null' || sort.type === 'null') return nothing
      const [one, ofLists] = name === 'first' ? [sql`argMinOrNull`, sql`argMinIf`] : [sql`argMaxOrNull`, sql`argMaxIf`]
      const type = shown(value.type)
      if (!value.many) return { type, sql: sql`${one}(${value.sql}, ${single(sort)})` }
      return { type, sql: sql`${ofLists}(${value.sql}, ${single(sort)}, notEmpty(${value.sql}))`, many: true }
    },
  })
}

/** Aggregates that answer values themselves. */
export const listAggregates: readonly EsqlAggregate[] = [values, sample, top, byOrder('first'), byOrder('last')]
