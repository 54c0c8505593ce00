import type { Field } from '@logstack/rules'
import type { FieldColumns } from './field-columns.ts'
import { join, type Sql, sql, str } from './sql.ts'

/** The objects at a path below a piece of JSON, as a list of pieces, of all objects where lists of them stand on the way; a single object counts as a list of one. */
export function objectsAt(json: Sql, steps: readonly string[]): Sql {
  const [first = '', ...others] = steps
  const raw = sql`JSONExtractRaw(${json}, ${str(first)})`
  const found = sql`if(startsWith(${raw}, '['), arrayFilter(m -> startsWith(m, '{'), JSONExtractArrayRaw(${raw})), if(startsWith(${raw}, '{'), [${raw}], []))`
  return others.length === 0 ? found : sql`arrayFlatten(arrayMap(m -> ${objectsAt(sql`m`, others)}, ${found}))`
}

/** The path of a field or object below an object: what remains of it without the object's own path. */
export function stepsBelow(path: string, parent: string): string[] {
  return (parent === '' ? path : path.slice(parent.length + 1)).split('.')
}

/**
 * The values of a field within one JSON object: `one` where it has a single value, `many` where it has a list. Dates are read in the default
 * formats; a value that cannot be read counts as none, as with `ignore_malformed`.
 */
export function jsonColumns(object: Sql, field: Field, parent: string): FieldColumns {
  if (field.type === 'string') return leafColumns(object, field, parent)
  const raw = sql`JSONExtractRaw(${object}, ${join(stepsBelow(field.path, parent).map(str), ', ')})`
  const values = sql`arrayFilter(v -> isNotNull(v), arrayMap(r -> ${jsonValue(sql`r`, field.type)}, if(startsWith(${raw}, '['), JSONExtractArrayRaw(${raw}), [])))`
  return {
    one: sql`if(startsWith(${raw}, '['), NULL, ${jsonValue(raw, field.type)})`,
    many: sql`arrayMap(v -> assumeNotNull(v), ${values})`,
  }
}

/** A name of a member with its colon, and a scalar, in JSON. */
const jsonName = String.raw`"(?:[^"\\]|\\.)*"\s*:`
const jsonScalar = String.raw`"(?:[^"\\]|\\.)*"|[^\s\[\]{},:"]+`

/** The values of a keyword, or of a flattened field: all leaves of the lists and objects at its path. */
function leafColumns(object: Sql, field: Field, parent: string): FieldColumns {
  const raw = sql`JSONExtractRaw(${object}, ${join(stepsBelow(field.path, parent).map(str), ', ')})`
  const bare = sql`replaceRegexpAll(${raw}, ${str(jsonName)}, '')`
  const scalars = sql`arrayFilter(t -> t != 'null', extractAll(${bare}, ${str(jsonScalar)}))`
  const isDeep = sql`(startsWith(${raw}, '[') OR startsWith(${raw}, '{'))`
  return {
    one: sql`if(${isDeep}, NULL, ${jsonValue(raw, field.type)})`,
    many: sql`if(${isDeep}, arrayMap(t -> if(startsWith(t, '"'), JSONExtractString(t), t), ${scalars}), [])`,
  }
}

/** A JSON scalar as a nullable value of a type. */
function jsonValue(raw: Sql, type: Field['type']): Sql {
  const text = sql`if(startsWith(${raw}, '"'), JSONExtractString(${raw}), ${raw})`
  const present = sql`(${raw} = '' OR ${raw} = 'null' OR startsWith(${raw}, '{'))`
  const nullable = (value: Sql) => sql`if(${present}, NULL, ${value})`
  switch (type) {
    case 'long':
      return nullable(sql`toInt64OrNull(extract(${text}, '^-?[0-9]+'))`)
    case 'unsigned':
      return nullable(sql`toUInt64OrNull(extract(${text}, '^[0-9]+'))`)
    case 'double':
      return nullable(sql`toFloat64OrNull(${text})`)
    case 'boolean':
      return nullable(
        sql`multiIf(${text} = 'true', toNullable(true), ${text} IN ('false', ''), toNullable(false), NULL)`,
      )
    case 'date':
      return nullable(milliseconds(text))
    case 'date_nanos':
      return nullable(sql`${milliseconds(text)} * 1000000`)
    case 'ip':
      return nullable(sql`toIPv6OrNull(${text})`)
    default:
      return nullable(sql`toNullable(${text})`)
  }
}

function milliseconds(text: Sql): Sql {
  const number = sql`toInt64OrNull(${text})`
  return sql`if(isNotNull(${number}) AND length(${text}) != 4, ${number}, toUnixTimestamp64Milli(parseDateTime64BestEffortOrNull(${text}, 3, 'UTC')))`
}
