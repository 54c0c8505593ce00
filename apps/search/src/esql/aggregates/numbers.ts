import { type Sql, sql } from '../../sql/sql.ts'
import { defineAggregate, type EsqlAggregate, over } from '../define-aggregate.ts'
import { finite } from '../operators.ts'
import { type EsqlType, numericTypes, orderedTypes } from '../types.ts'
import { nullOf, type Value } from '../value.ts'

function numbers(
  name: string,
  compile: (value: Value) => { readonly type: EsqlType; readonly sql: Sql },
): EsqlAggregate {
  return defineAggregate({
    name,
    params: [{ name: 'number', types: numericTypes, many: true }],
    compile: ({ values: [value] }) =>
      value && value.type !== 'null' ? compile(value) : { type: 'double', sql: nullOf('double') },
  })
}

function extreme(name: 'min' | 'max', one: Sql, ofLists: Sql): EsqlAggregate {
  return defineAggregate({
    name,
    params: [{ name: 'field', types: orderedTypes, many: true }],
    compile: ({ values: [value] }) =>
      value && value.type !== 'null'
        ? { type: value.type === 'text' ? 'keyword' : value.type, sql: over(value, one, ofLists) }
        : { type: 'null', sql: nullOf('null') },
  })
}

const sum = numbers('sum', (value) =>
  value.type === 'double'
    ? { type: 'double', sql: over(value, sql`sumOrNull`, sql`sumArrayOrNull`) }
    : {
        type: value.type === 'unsigned_long' ? 'unsigned_long' : 'long',
        sql: over(value, sql`sumOrNull`, sql`sumArrayOrNull`),
      },
)

const avg = numbers('avg', (value) => ({
  type: 'double',
  sql: finite(over(value, sql`avgOrNull`, sql`avgArrayOrNull`)),
}))

/** Aggregates of numbers, and the least and the greatest of what has an order. */
export const numberAggregates: readonly EsqlAggregate[] = [
  sum,
  avg,
  extreme('min', sql`minOrNull`, sql`minArrayOrNull`),
  extreme('max', sql`maxOrNull`, sql`maxArrayOrNull`),
]
