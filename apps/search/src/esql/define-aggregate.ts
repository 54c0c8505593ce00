import type { Place } from '@logstack/esql'
import { type Sql, sql } from '../sql/sql.ts'
import type { FunctionParameter } from './define-function.ts'
import type { EsqlType } from './types.ts'
import type { Value } from './value.ts'

/** What an aggregate is called with, once its arguments fit its parameters. */
export interface AggregateCall extends Place {
  /** The arguments; of rows that the aggregate's own WHERE leaves out the first has no value. */
  readonly values: readonly Value[]
  /** Which rows count; undefined where all do. Only what counts rows and not values needs it. */
  readonly where: Sql | undefined
  readonly text: string
}

/** An aggregate function of STATS. */
export interface EsqlAggregate {
  readonly name: string
  readonly params: readonly FunctionParameter[]
  /** Whether `*` may stand for the first argument. */
  readonly takesStar?: true
  /** The aggregate expression of the engine over the rows of a group: NULL, or an empty list where `many`, where there is no value. */
  compile(call: AggregateCall): { readonly type: EsqlType; readonly sql: Sql; readonly many?: boolean }
}

/** Declares an aggregate function of ES|QL. */
export function defineAggregate(definition: EsqlAggregate): EsqlAggregate {
  return definition
}

/** Applies an aggregate function of the engine to all values of all rows. `name` is trusted text, of lists its `-Array` form is taken. */
export function over(value: Value, one: Sql, ofLists: Sql, rest: Sql = sql``): Sql {
  return value.many ? sql`${ofLists}(${value.sql}${rest})` : sql`${one}(${value.sql}${rest})`
}
