import { num, type Sql, sql } from '../../sql/sql.ts'
import { defineFunction, type EsqlFunction, type FunctionParameter, textOf } from '../define-function.ts'
import { comparableTypes, countableTypes, type EsqlType, stringTypes, wholeTypes } from '../types.ts'
import { nullOf, refuse, single, type Value } from '../value.ts'
import { greatestOf, leastOf, sorted } from '../version-order.ts'
import { bound, bytesMax, listOf, typeOfAll } from './one-type.ts'

const field: FunctionParameter = { name: 'field', types: countableTypes, many: true }
const strings: FunctionParameter = { name: 'string', types: stringTypes, many: true }

const nothing: Value = { type: 'null', sql: nullOf('null'), many: false, text: 'null', from: 0, to: 0 }

function typeOf({ type }: Value): EsqlType {
  return type === 'text' ? 'keyword' : type
}

/** What makes another list of one; of a single value nothing else. */
function reordered(name: string, make: (values: Sql) => Sql): EsqlFunction {
  return defineFunction({
    name,
    ofItsArgument: true,
    params: [field],
    compile({ values: [value = nothing] }) {
      if (!value.many) return { type: typeOf(value), sql: value.sql }
      return { type: typeOf(value), many: true, sql: make(value.sql) }
    },
  })
}

/** What chooses one value of a list (`l`), which is NULL where there is none. */
function chosen(name: string, choose: (type: EsqlType) => Sql, types = comparableTypes): EsqlFunction {
  return defineFunction({
    name,
    ofItsArgument: true,
    params: [{ ...field, types, ...(types === comparableTypes ? { shown: 'representableNonSpatial' } : {}) }],
    compile: ({ values: [value = nothing] }) => ({
      type: typeOf(value),
      sql: value.many ? bound(value.sql, sql`l`, choose(value.type)) : value.sql,
    }),
  })
}

const count = defineFunction({
  name: 'mv_count',
  params: [field],
  compile: ({ values: [value = nothing] }) => ({
    type: 'integer',
    sql: sql`toInt64(nullIf(length(${listOf(value)}), 0))`,
  }),
})

const append = defineFunction({
  name: 'mv_append',
  params: [
    { ...field, name: 'field1' },
    { ...field, name: 'field2' },
  ],
  takesNull: true,
  compile({ values, text }) {
    const type = typeOfAll([...values.entries()], text)
    const [a = nothing, b = nothing] = values
    const both = sql`if(empty(a) OR empty(b), [], arrayConcat(a, b))`
    return { type, many: true, sql: sql`arrayMap((a, b) -> ${both}, [${listOf(a, type)}], [${listOf(b, type)}])[1]` }
  },
})

/** No values are among any others. */
const contains = defineFunction({
  name: 'mv_contains',
  params: [
    { ...field, name: 'superset' },
    { ...field, name: 'subset' },
  ],
  takesNull: true,
  compile({ values, text }) {
    const type = typeOfAll([...values.entries()], text)
    const [all = nothing, some = nothing] = values
    if (type === 'null' || some.type === 'null') return { type: 'boolean', sql: sql`true` }
    return { type: 'boolean', sql: sql`(hasAll(${listOf(all, type)}, ${listOf(some, type)}) = 1)` }
  },
})

const concat = defineFunction({
  name: 'mv_concat',
  params: [strings, { name: 'delim', types: stringTypes }],
  compile({ values: [value = nothing], sql: [, delimiter = nullOf('keyword')] }) {
    const parts = sql`arrayMap((x, i) -> if(i = 1, x, concat(assumeNotNull(d), x)), l, arrayEnumerate(l))`
    const isTooLong = sql`length(d) * length(l) + arraySum(x -> length(x), l) > ${num(bytesMax)}`
    const joined = sql`if(empty(l) OR isNull(d) OR ${isTooLong}, NULL, arrayStringConcat(${parts}))`
    return { type: 'keyword', sql: sql`arrayMap((l, d) -> ${joined}, [${listOf(value)}], [${delimiter}])[1]` }
  },
})

/** Places from 0, or from the end; the last is of the slice, too. */
const slice = defineFunction({
  name: 'mv_slice',
  params: [field, { name: 'start', types: wholeTypes }, { name: 'end', types: wholeTypes, optional: true }],
  compile({ values: [value = nothing, start = nothing, end], sql: [, from = nullOf('integer'), to] }) {
    checkSlice(start, end ?? start)
    const fromStart = (place: Sql) => sql`if(${place} < 0, ${place} + toInt64(length(l)), ${place})`
    const first = sql`greatest(0, ${fromStart(sql`assumeNotNull(s)`)})`
    const last = sql`least(toInt64(length(l)) - 1, ${fromStart(sql`assumeNotNull(e)`)})`
    const isNone = sql`(isNull(s) OR isNull(e) OR (s < 0) != (e < 0) OR s > e)`
    const cut = sql`if(${isNone}, [], arraySlice(l, ${first} + 1, greatest(0, ${last} - ${first} + 1)))`
    const type = typeOf(value)
    return {
      type,
      many: true,
      sql: sql`arrayMap((l, s, e) -> ${cut}, [${listOf(value)}], [${from}], [${to ?? from}])[1]`,
    }
  },
})

function checkSlice(start: Value, end: Value): void {
  if (typeof start.literal !== 'bigint' || typeof end.literal !== 'bigint') return
  if (start.literal > end.literal) refuse(start, 'Start offset is greater than end offset')
  if (start.literal < 0n !== end.literal < 0n) refuse(start, 'Start and end offset have different signs')
}

const sort = defineFunction({
  name: 'mv_sort',
  ofItsArgument: true,
  params: [
    { ...field, types: comparableTypes },
    { name: 'order', types: stringTypes, constant: true, optional: true },
  ],
  compile({ values: [value = nothing, order], text }) {
    if (order?.literal === null)
      return { type: typeOf(value), sql: nullOf(typeOf(value), value.many), many: value.many }
    const way = order ? textOf(order).toLowerCase() : 'asc'
    if (order && way !== 'asc' && way !== 'desc')
      refuse(order, `Invalid order value in [${text}], expected one of [ASC, DESC] but got [${textOf(order)}]`)
    if (!value.many) return { type: typeOf(value), sql: value.sql }
    return { type: typeOf(value), many: true, sql: sorted(value.type, value.sql, way === 'desc') }
  },
})

/** Values of both in pairs; those that are left over follow alone. */
const zip = defineFunction({
  name: 'mv_zip',
  params: [
    { ...strings, name: 'string1' },
    { ...strings, name: 'string2' },
    { name: 'delim', types: stringTypes, optional: true },
  ],
  takesNull: true,
  compile({ values: [a = nothing, b = nothing, delimiter] }) {
    const by = delimiter ? (delimiter.type === 'null' ? nullOf('keyword') : single(delimiter)) : sql`','`
    // Each value takes along what its expression names: the lengths, and not the lists.
    const pair = sql`multiIf(i > m, y, i > n, x, concat(x, assumeNotNull(d), y))`
    const most = sql`greatest(m, n)`
    const pairs = sql`arrayMap((x, y, i) -> ${pair}, arrayResize(a, ${most}), arrayResize(b, ${most}), range(1, ${most} + 1))`
    const all = sql`arrayMap((a, b, m, n) -> ${pairs}, [a], [b], [length(a)], [length(b)])[1]`
    const isTooLong = sql`length(d) * least(length(a), length(b)) > ${num(bytesMax)}`
    return {
      type: 'keyword',
      many: true,
      sql: sql`arrayMap((a, b, d) -> if(isNull(d) OR ${isTooLong}, [], ${all}), [${texts(a)}], [${texts(b)}], [${by}])[1]`,
    }
  },
})

function texts(value: Value): Sql {
  return value.type === 'null' ? nullOf('keyword', true) : listOf(value)
}

/** Functions of the values of a list. Those of numbers have a file of their own. */
export const multiValueFunctions: readonly EsqlFunction[] = [
  append,
  concat,
  contains,
  count,
  reordered('mv_dedupe', (values) => sql`arrayDistinct(${values})`),
  chosen('mv_first', () => sql`arrayElementOrNull(l, 1)`, countableTypes),
  chosen('mv_last', () => sql`arrayElementOrNull(l, -1)`, countableTypes),
  chosen('mv_max', (type) => greatestOf(type, sql`l`)),
  chosen('mv_min', (type) => leastOf(type, sql`l`)),
  slice,
  sort,
  zip,
]
