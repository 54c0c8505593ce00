import { isSpan, type Literal, type Place } from '@logstack/esql'
import { boundOnce } from '../sql/once.ts'
import { list, num, type Sql, sql, str } from '../sql/sql.ts'
import { Problem } from './problems.ts'
import { type EsqlType, engineTypes } from './types.ts'

/** What an expression comes to for each row: an expression of the engine. */
export interface Value extends Place {
  readonly type: EsqlType
  /** One value, perhaps NULL; where `many`, a list of values, which is empty where there is none. */
  readonly sql: Sql
  readonly many: boolean
  /** What it is in every row, where it stands in the query. */
  readonly literal?: Literal
  /** The field of the indices that it is; undefined for what a query made. */
  readonly field?: string
  /** What stands in braces (`{"boost": 2}`), which only some functions take and nothing else is. */
  readonly options?: ReadonlyMap<string, Literal>
  /** What it is called in messages: as it was written. */
  readonly text: string
}

/** A NULL of a type, so that statements keep their types. */
export function nullOf(type: EsqlType, many = false): Sql {
  const engineType = engineTypes[type] ?? 'Nothing'
  return many ? sql`CAST([], ${str(`Array(${engineType})`)})` : sql`CAST(NULL, ${str(`Nullable(${engineType})`)})`
}

/** The value for functions that take one: a list of several has none. */
export function single(value: Value): Sql {
  if (!value.many) return value.sql
  return boundOnce('l', value.sql, (one) => sql`if(length(${one}) = 1, ${one}[1], NULL)`)
}

/** The type of a literal; lists have the type of their values. */
export function literalType(value: Literal): EsqlType {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'string') return 'keyword'
  if (typeof value === 'number') return 'double'
  if (typeof value === 'bigint') return wholeType(value)
  if (isSpan(value))
    return ['day', 'week', 'month', 'quarter', 'year'].includes(value.unit) ? 'date_period' : 'time_duration'
  const types = new Set((value as readonly Literal[]).map(literalType))
  for (const type of ['double', 'unsigned_long', 'long'] as const) if (types.has(type)) return type
  return types.values().next().value ?? 'null'
}

function wholeType(value: bigint): EsqlType {
  if (value >= -(2n ** 31n) && value < 2n ** 31n) return 'integer'
  if (value < -(2n ** 63n)) return 'double'
  return value < 2n ** 63n ? 'long' : 'unsigned_long'
}

/** A literal as an expression of the engine. */
export function literalSql(value: Literal, type: EsqlType): Sql {
  if (Array.isArray(value))
    return sql`CAST(${list((value as readonly Literal[]).map((each) => literalSql(each, type)))}, ${str(`Array(${engineTypes[type] ?? 'String'})`)})`
  if (value === null) return nullOf(type)
  if (typeof value === 'string') return str(value)
  if (typeof value === 'boolean') return value ? sql`true` : sql`false`
  if (typeof value === 'bigint' || typeof value === 'number') {
    if (type === 'double') return sql`toFloat64(${num(Number(value))})`
    return sql`CAST(${num(value)}, ${str(engineTypes[type] ?? 'Int64')})`
  }
  return sql`NULL`
}

/** A literal of a query as a value. */
export function literalValue(literal: Literal, place: Place, text: string): Value {
  const type = literalType(literal)
  const many = Array.isArray(literal)
  if (many) checkAlike(literal as readonly Literal[], place)
  return { type, sql: literalSql(literal, type), many, literal, text, from: place.from, to: place.to }
}

/** Lists are of texts, of truths or of numbers; also those that parameters stand for. */
function checkAlike(values: readonly Literal[], place: Place): void {
  const kinds = new Set(values.map((each) => (typeof each === 'bigint' ? 'number' : typeof each)))
  if (kinds.size > 1 || kinds.has('object'))
    refuse(place, 'a list holds texts, truths or numbers, and only one of these')
}

/** A value that an expression makes of others. */
export function made(from: Pick<Value, 'from' | 'to' | 'text'>, type: EsqlType, expression: Sql, many = false): Value {
  return { type, sql: expression, many, from: from.from, to: from.to, text: from.text }
}

/** Throws that something stands wrong at a value. */
export function refuse(at: Place, reason: string): never {
  throw new Problem(at.from, reason)
}
