import { distinctCount } from '../../sql/distinct-count.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { defineAggregate, type EsqlAggregate } from '../define-aggregate.ts'
import { comparableTypes, countableTypes } from '../types.ts'

/** The engine counts without a sign, and has no type that takes such a number and a `long`. */
const signed = (counted: Sql): Sql => sql`toInt64(${counted})`
const none = sql`toInt64(0)`

const count = defineAggregate({
  name: 'count',
  takesStar: true,
  params: [{ name: 'field', types: countableTypes, optional: true, many: true }],
  compile({ values: [value], where }) {
    if (!value) return { type: 'long', sql: signed(where ? sql`countIf(ifNull(${where}, false))` : sql`count()`) }
    if (value.type === 'null') return { type: 'long', sql: none }
    return { type: 'long', sql: signed(value.many ? sql`sum(length(${value.sql}))` : sql`count(${value.sql})`) }
  },
})

const countDistinct = defineAggregate({
  name: 'count_distinct',
  params: [
    {
      name: 'field',
      types: comparableTypes,
      many: true,
      shown: 'any exact type except unsigned_long, _source, or counter types',
    },
    { name: 'precision', types: ['integer', 'long', 'unsigned_long'], optional: true, constant: true },
  ],
  // As exact whatever precision is asked for.
  compile: ({ values: [value] }) => ({
    type: 'long',
    sql: value && value.type !== 'null' ? signed(distinctCount(value.sql, value.many === true)) : none,
  }),
})

/** Whether there is a value. */
function existence(name: 'present' | 'absent'): EsqlAggregate {
  return defineAggregate({
    name,
    params: [{ name: 'field', types: countableTypes, many: true }],
    compile({ values: [value] }) {
      const found =
        !value || value.type === 'null'
          ? sql`toUInt64(0)`
          : value.many
            ? sql`sum(length(${value.sql}))`
            : sql`count(${value.sql})`
      return {
        type: 'boolean',
        sql: name === 'present' ? sql`CAST(${found} > 0, 'Bool')` : sql`CAST(${found} = 0, 'Bool')`,
      }
    },
  })
}

/** What counts rows and values. */
export const countAggregates: readonly EsqlAggregate[] = [
  count,
  countDistinct,
  existence('present'),
  existence('absent'),
]
