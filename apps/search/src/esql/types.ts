/** The types of ES|QL that columns can have here, by their wire names. */
export type EsqlType =
  | 'boolean'
  | 'integer'
  | 'long'
  | 'unsigned_long'
  | 'double'
  | 'keyword'
  | 'text'
  | 'date'
  | 'date_nanos'
  | 'ip'
  | 'version'
  | 'geo_point'
  | '_source'
  | 'null'
  | 'date_period'
  | 'time_duration'
  | 'unsupported'

/** What the engine calls one value of each type that columns of statements can have. Moments are milliseconds (`date_nanos`: nanoseconds) of the epoch. */
export const engineTypes: Readonly<Partial<Record<EsqlType, string>>> = {
  boolean: 'Bool',
  integer: 'Int64',
  long: 'Int64',
  unsigned_long: 'UInt64',
  double: 'Float64',
  keyword: 'String',
  text: 'String',
  date: 'Int64',
  date_nanos: 'Int64',
  ip: 'IPv6',
  version: 'String',
  geo_point: 'String',
  _source: 'String',
  null: 'Nothing',
}

export const wholeTypes: readonly EsqlType[] = ['integer', 'long', 'unsigned_long']
export const numericTypes: readonly EsqlType[] = [...wholeTypes, 'double']
export const stringTypes: readonly EsqlType[] = ['keyword', 'text']
export const dateTypes: readonly EsqlType[] = ['date', 'date_nanos']
export const spanTypes: readonly EsqlType[] = ['date_period', 'time_duration']

/** What a type is called in messages: moments are `datetime` there. */
export function shownType(type: EsqlType): string {
  return type === 'date' ? 'datetime' : type
}

/** The type that takes the values of both; undefined where there is none. A null is of any type. */
export function commonType(left: EsqlType, right: EsqlType): EsqlType | undefined {
  if (left === right || right === 'null') return left
  if (left === 'null') return right
  if (stringTypes.includes(left) && stringTypes.includes(right)) return 'keyword'
  if (numericTypes.includes(left) && numericTypes.includes(right)) return commonNumber(left, right)
  if (dateTypes.includes(left) && dateTypes.includes(right)) return 'date_nanos'
  return undefined
}

function commonNumber(left: EsqlType, right: EsqlType): EsqlType {
  for (const type of ['double', 'unsigned_long', 'long'] as const) if (left === type || right === type) return type
  return 'integer'
}

/** What has values that can be counted, told apart and ordered. */
export const comparableTypes: readonly EsqlType[] = [
  'boolean',
  ...numericTypes,
  ...stringTypes,
  ...dateTypes,
  'ip',
  'version',
]

/** What has values that can be counted and told apart. */
export const countableTypes: readonly EsqlType[] = [...comparableTypes, 'geo_point']
