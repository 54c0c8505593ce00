import { join, list, type Sql, sql } from '../../sql/sql.ts'
import { type Answer, defineFunction, type EsqlFunction, type FunctionCall } from '../define-function.ts'
import { comparableTypes, countableTypes, type EsqlType, shownType } from '../types.ts'
import { nullOf, refuse, single, type Value } from '../value.ts'
import { greatestOf, leastOf } from '../version-order.ts'
import { asType, listOf, ordinal, typeOfAll } from './one-type.ts'

/** A value as one cell of a type, or as a list of them. */
function cell(value: Value, type: EsqlType, many: boolean): Sql {
  return many ? listOf(value, type) : asType(value, type)
}

/** A condition that is not known, as one of several values, is not met. */
function held(condition: Value, at: number, text: string): Sql {
  if (condition.type === 'null') return sql`false`
  if (condition.type !== 'boolean')
    return refuse(
      condition,
      `${ordinal(at)} argument of [${text}] must be [boolean], found value [${condition.text}] type [${shownType(condition.type)}]`,
    )
  return sql`ifNull(${single(condition)}, false)`
}

const caseFunction = defineFunction({
  name: 'case',
  isLazy: true,
  params: [
    { name: 'condition', types: comparableTypes, many: true },
    { name: 'trueValue', types: countableTypes, many: true },
    { name: 'elseValue', types: countableTypes, many: true, optional: true, rest: true },
  ],
  takesNull: true,
  compile({ values, text }) {
    const pairs = Math.floor(values.length / 2)
    const conditions = values.flatMap((value, at) => (at % 2 === 0 && at < pairs * 2 ? [held(value, at, text)] : []))
    const results = values.flatMap((value, at) => (at % 2 === 1 || at === pairs * 2 ? [[at, value] as const] : []))
    const type = typeOfAll(results, text)
    const many = results.some(([, value]) => value.many)
    const cells = results.map(([, value]) => cell(value, type, many))
    const branches = conditions.flatMap((condition, at) => [condition, cells[at] ?? nullOf(type, many)])
    return { type, many, sql: sql`multiIf(${join([...branches, cells[pairs] ?? nullOf(type, many)], ', ')})` }
  },
})

const coalesce = defineFunction({
  name: 'coalesce',
  isLazy: true,
  params: [{ name: 'first', types: countableTypes, many: true, rest: true }],
  takesNull: true,
  compile({ values, text }) {
    const type = typeOfAll([...values.entries()], text)
    const many = values.some((value) => value.many)
    const cells = values.map((value) => cell(value, type, many))
    return {
      type,
      many,
      sql: many ? sql`arrayFirst(v -> notEmpty(v), ${list(cells)})` : sql`coalesce(${join(cells, ', ')})`,
    }
  },
})

/** The greatest or least of all values; of a list its own, and none where one has none. */
function extreme({ values, text }: FunctionCall, of: typeof greatestOf): Answer {
  const type = typeOfAll([...values.entries()], text)
  if (values.some((value) => value.type === 'null')) return { type, sql: nullOf(type) }
  const cells = values.map((value) => {
    const each = asType(value, type)
    return value.many ? sql`arrayMap(v -> ${of(type, sql`v`)}, [${each}])[1]` : each
  })
  return {
    type,
    sql: sql`arrayMap(w -> if(arrayExists(v -> isNull(v), w), NULL, ${of(type, sql`w`)}), [${list(cells)}])[1]`,
  }
}

const greatest = defineFunction({
  name: 'greatest',
  params: [{ name: 'first', types: comparableTypes, many: true, rest: true }],
  takesNull: true,
  compile: (call) => extreme(call, greatestOf),
})

const least = defineFunction({
  name: 'least',
  params: [{ name: 'first', types: comparableTypes, many: true, rest: true }],
  takesNull: true,
  compile: (call) => extreme(call, leastOf),
})

/** Functions that choose one of several values. */
export const conditionalFunctions: readonly EsqlFunction[] = [caseFunction, coalesce, greatest, least]
