import type { ValueType } from '@logstack/rules'
import type { FieldColumns } from '../field-columns.ts'
import { type Sql, sql } from '../sql.ts'
import { keywordBytesMax } from './texts.ts'
import {
  both,
  bounded,
  chosen,
  either,
  no,
  not,
  type ScriptType,
  type Typed,
  typedValue,
  Untranslatable,
  unsureLetters,
  whole,
  yes,
} from './typed-sql.ts'

/** A field as scripts may read it. */
export interface ScriptField {
  readonly type: ValueType
  /** Which rows are of indices that map it. */
  readonly mapped: Sql
  /** Absent where no document has a value. */
  readonly columns: FieldColumns | undefined
  /** Where reading its values throws, and where the columns do not say what they are: fields that a script of its own computes. */
  readonly fault: Sql
  readonly inexact: Sql
}

/** The values of a field as a script holds them: `doc['f']`, which is a fault where no index maps it, or `field('f')`, which is then empty. */
export interface Values {
  readonly kind: 'values' | 'field'
  readonly of: ScriptField
}

const types: Readonly<Partial<Record<ValueType, ScriptType>>> = {
  string: 'String',
  long: 'long',
  unsigned: 'long',
  double: 'double',
  boolean: 'boolean',
  date: 'date',
  date_nanos: 'date',
}

/** What stands where there is no value. */
const blanks: Readonly<Partial<Record<ValueType, Sql>>> = {
  string: sql`''`,
  unsigned: sql`toUInt64(0)`,
  double: sql`toFloat64(0)`,
  boolean: no,
}

function typeOf({ type }: ScriptField): ScriptType {
  const found = types[type]
  if (!found) throw new Untranslatable('a type that scripts hold otherwise')
  return found
}

/** A value of a column as a script holds it. */
function lent(value: Sql, { type }: ScriptField): Sql {
  if (type === 'unsigned') return sql`toInt64(${value})`
  return type === 'date_nanos' ? sql`intDiv(${value}, toInt64(1000000))` : value
}

const severalOf = ({ columns }: ScriptField): Sql | undefined => columns?.many

/** Where the texts of several values are in another order for the engine than for scripts, or more than scripts tell apart. */
function unsureOrder(field: ScriptField): Sql {
  const many = severalOf(field)
  return field.type === 'string' && many ? sql`arrayExists(v -> NOT isValidASCII(v), ${many})` : no
}

/** Where a document has a value. */
function hasValue({ kind, of }: Values): Sql {
  const { columns, mapped } = of
  if (!columns) return no
  const one = sql`isNotNull(${columns.one})`
  const any = columns.many ? sql`(${one} OR notEmpty(${columns.many}))` : one
  // Elsewhere reading it ends the script.
  return kind === 'field' ? both(mapped, any) : any
}

/** Several values in the order of scripts. */
function sortedValues(field: ScriptField, many: Sql): Sql {
  return field.type === 'string' ? sql`arraySort(arrayDistinct(${many}))` : sql`arraySort(${many})`
}

function firstOf(field: ScriptField, many: Sql): Sql {
  if (field.type === 'string') return sql`arraySort(${many})[1]`
  // The first of those that are least, as noughts of both signs are.
  if (field.type === 'double') return sql`arrayFirst(v -> v <= arrayMin(${many}), ${many})`
  return sql`arrayMin(${many})`
}

function singleOf(field: ScriptField): Sql {
  const blank = blanks[field.type] ?? sql`toInt64(0)`
  return field.columns ? lent(sql`ifNull(${field.columns.one}, ${blank})`, field) : lent(blank, field)
}

const faultOf = ({ kind, of }: Values): Sql => either(kind === 'values' ? not(of.mapped) : no, of.fault)

function read(values: Values, made: Sql, fault: Sql): Typed {
  const { of } = values
  const type = typeOf(of)
  return typedValue(type, made, [], {
    fault: either(faultOf(values), fault),
    inexact: either(of.inexact, unsureOrder(of)),
    ...(of.type === 'date_nanos' ? { nanos: true } : {}),
    ...(type === 'String' ? { bytesMax: keywordBytesMax } : {}),
  })
}

/** The first value: `doc['f'].value`. */
export function firstValue(values: Values): Typed {
  const { of } = values
  const many = severalOf(of)
  const single = singleOf(of)
  const made = many ? sql`if(notEmpty(${many}), ${lent(firstOf(of, many), of)}, ${single})` : single
  return read(values, made, not(hasValue(values)))
}

/** The value at a place that is written in the script. */
export function valueAt(values: Values, place: Typed): Typed {
  const at = place.type === 'int' && place.constant ? Number(place.constant.value) : undefined
  if (at === undefined || at < 0) throw new Untranslatable('a place that differs')
  if (at === 0) return firstValue(values)
  const { of } = values
  const many = severalOf(of)
  if (of.type === 'double') throw new Untranslatable('noughts of both signs')
  if (!many) return read(values, singleOf(of), yes)
  const sorted = sortedValues(of, many)
  const made = sql`if(notEmpty(${many}), ${lent(sql`arrayElement(${sorted}, ${whole(at + 1)})`, of)}, ${singleOf(of)})`
  return read(values, made, sql`(length(${sorted}) <= ${whole(at)})`)
}

/** How many values there are. */
export function valueCount(values: Values): Typed {
  const { of } = values
  const many = severalOf(of)
  const one = of.columns ? sql`if(isNotNull(${of.columns.one}), toInt64(1), toInt64(0))` : whole(0)
  const several = many && (of.type === 'string' ? sql`length(arrayDistinct(${many}))` : sql`length(${many})`)
  const made = many ? sql`if(notEmpty(${many}), toInt64(${several ?? many}), ${one})` : one
  const counted = values.kind === 'field' ? chosenCount(of.mapped, made) : made
  return typedValue('int', counted, [], { fault: faultOf(values), inexact: either(of.inexact, unsureOrder(of)) })
}

function chosenCount(mapped: Sql, made: Sql): Sql {
  return mapped === yes ? made : mapped === no ? whole(0) : sql`if(${mapped}, ${made}, toInt64(0))`
}

/** Whether there is no value. */
export function isEmpty(values: Values): Typed {
  return typedValue('boolean', not(hasValue(values)), [], { fault: faultOf(values), inexact: values.of.inexact })
}

/** `field('f').get(otherwise)`: the first value, or what is given where there is none. */
export function valueOr(
  values: Values,
  otherwise: Typed,
  merge: (test: Sql, one: Typed, other: Typed) => Typed,
): Typed {
  const has = hasValue(values)
  const first = { ...firstValue(values), fault: faultOf(values) }
  const merged = merge(has, first, otherwise)
  return { ...merged, fault: either(first.fault, otherwise.fault), inexact: either(merged.inexact, otherwise.inexact) }
}

/** `doc['f'].contains(text)`. */
export function containsText(values: Values, given: Typed): Typed {
  const { of } = values
  if (of.type !== 'string' || given.type !== 'String' || given.isNull !== no) throw new Untranslatable('no texts')
  const part = given
  const many = severalOf(of)
  const single = of.columns ? sql`(ifNull(${of.columns.one}, '') = ${part.sql})` : no
  const one = of.columns ? both(sql`isNotNull(${of.columns.one})`, single) : no
  const made = many ? either(one, sql`arrayExists(v -> v = ${part.sql}, ${many})`) : one
  const first = firstValue(values)
  const unsure = chosen(hasValue(values), unsureLetters(first, part), no)
  return typedValue('boolean', made, [part], {
    fault: faultOf(values),
    inexact: either(of.inexact, unsureOrder(of), unsure),
  })
}

/** All values, for a script that returns them: as single value, and in the order of scripts where there are several. */
export function allValues(values: Values): {
  readonly single: Typed
  readonly several: Sql | undefined
  readonly has: Sql
} {
  const { of } = values
  if (of.type === 'date_nanos') throw new Untranslatable('moments with nanoseconds')
  const many = severalOf(of)
  const several = many && bounded(sql`arrayMap(v -> ${lent(sql`v`, of)}, ${sortedValues(of, many)})`)
  return { single: read(values, singleOf(of), no), several, has: hasValue(values) }
}

/** `_value`: the single value of the field that a script runs over, and which rows have one. Rows of several values are left to the interpreter. */
export function overValue(of: ScriptField): { readonly value: Typed; readonly has: Sql; readonly inexact: Sql } {
  const values: Values = { kind: 'field', of }
  const read = typeOf(of)
  if (of.type === 'date_nanos') throw new Untranslatable('moments with nanoseconds')
  const value = typedValue(
    read === 'date' ? 'long' : read,
    singleOf(of),
    [],
    read === 'String' ? { bytesMax: keywordBytesMax } : {},
  )
  const many = severalOf(of)
  return { value, has: hasValue(values), inexact: both(of.mapped, many ? sql`notEmpty(${many})` : no) }
}
