import { AppError, searchErrors } from '@logstack/errors'
import type { Value } from '@logstack/rules'
import type { z } from 'zod'
import { printDouble } from '../../json/print-json.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { defineFieldType, type FieldType, type ParsedLeaf } from './define-field-type.ts'
import { absent, illegalValue, readLeaf, tokenError } from './leaf.ts'

const wholeText = /^[+-]?\d+$/
const decimalText = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[dDfF]?\s*$/

/** Bounds of an integer type, and its name in Elasticsearch's texts: `an integer`. */
export interface IntegerBounds {
  readonly min: bigint
  readonly max: bigint
  readonly label: string
}

/** The error of a text that should be a number. */
export function notANumber(text: string): AppError {
  return new AppError(
    searchErrors.number_format_exception,
    text === '' ? 'empty String' : `For input string: "${text}"`,
  )
}

/** A decimal number from text. Throws `number_format_exception`. */
export function decimalOf(text: string): number {
  if (!decimalText.test(text)) throw notANumber(text)
  return Number(text.trim().replace(/[dDfF]$/, ''))
}

/** A number when it is safe, else the bigint. */
export function narrow(value: bigint): number | bigint {
  return value >= -9_007_199_254_740_991n && value <= 9_007_199_254_740_991n ? Number(value) : value
}

function outOfRange(text: string, bounds: IntegerBounds): AppError {
  return illegalValue(`Value [${text}] is out of range for ${bounds.label}`)
}

/** A whole number as it stands, or a decimal cut to one. Throws out of range. */
function wholeOf(value: number, bounds: IntegerBounds): number | bigint {
  if (!Number.isFinite(value)) throw outOfRange(String(value), bounds)
  const whole = Math.trunc(value)
  if (Number.isSafeInteger(whole) && whole >= bounds.min && whole <= bounds.max) return whole === 0 ? 0 : whole
  const exact = BigInt(whole)
  if (exact < bounds.min || exact > bounds.max) throw outOfRange(String(value), bounds)
  return narrow(exact)
}

/** A text that is none is refused of a `long` by its own reader, of narrower types by Java's. */
function decimalIn(text: string, { label }: IntegerBounds): number {
  if (label !== 'a long' || decimalText.test(text)) return decimalOf(text)
  throw illegalValue(notANumber(text).message)
}

const javaInts = { int: [-(2 ** 31), 2 ** 31 - 1], long: [-(2n ** 63n), 2n ** 63n - 1n] } as const

/** Refuses a number beyond what Java reads it as, before it is held against its type. */
function checkReadable(leaf: number | bigint, { label }: IntegerBounds): void {
  const name = label === 'a long' ? 'long' : 'int'
  const [low, high] = javaInts[name]
  if (!Number.isFinite(Number(leaf)) || (leaf >= low && leaf <= high)) return
  throw tokenError(
    `Numeric value (${leaf}) out of range of ${name} (${low} - ${high})`,
    searchErrors.input_coercion_exception,
  )
}

function wholeFromText(text: string, bounds: IntegerBounds): number | bigint {
  if (!wholeText.test(text)) return wholeOf(decimalIn(text, bounds), bounds)
  if (text.length < 16) return wholeOf(Number(text), bounds)
  const exact = BigInt(text.startsWith('+') ? text.slice(1) : text)
  if (exact < bounds.min || exact > bounds.max) throw outOfRange(text, bounds)
  return narrow(exact)
}

/** What a number field refuses before it looks at the value: booleans and objects. */
export function refuseNonNumber(leaf: unknown): never {
  if (typeof leaf === 'object') throw illegalValue('Cannot parse object as number')
  const token = leaf === true ? 'VALUE_TRUE' : 'VALUE_FALSE'
  throw tokenError(`Current token (${token}) not numeric, can not use numeric value accessors`)
}

function readInteger(leaf: unknown, field: ResolvedField, bounds: IntegerBounds, name: string): ParsedLeaf | Value {
  const coerce = field.parameters['coerce'] !== false
  if (typeof leaf === 'number') {
    if (!coerce && !Number.isInteger(leaf))
      throw illegalValue(`${leaf} cannot be converted to ${name} without data loss`)
    checkReadable(leaf, bounds)
    return wholeOf(leaf, bounds)
  }
  if (typeof leaf === 'bigint') {
    checkReadable(leaf, bounds)
    return wholeFromText(String(leaf), bounds)
  }
  if (typeof leaf !== 'string') return refuseNonNumber(leaf)
  if (!coerce) throw illegalValue(`${name} value passed as String`)
  return leaf === '' ? absent : wholeFromText(leaf, bounds)
}

/** A value of a query on a number field: decimals stay, so that comparisons with whole columns come out right. */
export function queryNumber(given: unknown): Value {
  if (typeof given === 'number') return Number.isSafeInteger(given) || !Number.isInteger(given) ? given : BigInt(given)
  if (typeof given === 'bigint') return narrow(given)
  if (typeof given !== 'string') throw notANumber(String(given))
  if (wholeText.test(given)) return narrow(BigInt(given.startsWith('+') ? given.slice(1) : given))
  return decimalOf(given)
}

/** Whole numbers beyond 2^53 stay as exact as they are stored. */
export function showNumber(value: Value): number | bigint {
  return typeof value === 'bigint' ? value : Number(value)
}

/** An integer type of the mapping. */
export function defineIntegerType(
  name: string,
  javaName: string,
  bounds: IntegerBounds,
  parameters: z.ZodType,
): FieldType {
  return defineFieldType({
    name,
    family: name,
    valueType: 'long',
    aggregatable: true,
    parameters,
    parse: readLeaf((leaf, field) => readInteger(leaf, field, bounds, javaName)),
    queryValue: queryNumber,
    show: showNumber,
  })
}

function readDecimal(
  leaf: unknown,
  field: ResolvedField,
  round: (value: number, field: ResolvedField) => number,
): ParsedLeaf | Value {
  if (typeof leaf === 'number') return round(leaf, field)
  if (typeof leaf === 'bigint') return round(Number(leaf), field)
  if (typeof leaf !== 'string') return refuseNonNumber(leaf)
  if (field.parameters['coerce'] === false) throw illegalValue(`${field.wireType} value passed as String`)
  return leaf === ''
    ? absent
    : round(/^\s*[+-]?(?:NaN|Infinity)\s*$/u.test(leaf) ? Number(leaf) : decimalOf(leaf), field)
}

/** A floating type of the mapping; `round` brings a value to the type's precision, infinite when it does not fit. */
export function defineDecimalType(
  name: string,
  round: (value: number, field: ResolvedField) => number,
  parameters: z.ZodType,
): FieldType {
  const finite = (value: number, field: ResolvedField): number => {
    const rounded = round(value, field)
    if (!Number.isFinite(rounded)) {
      const read = name === 'double' || name === 'scaled_float' ? value : Math.fround(value)
      throw illegalValue(
        `[${name}] supports only finite values, but got [${Number.isFinite(read) ? printDouble(read) : read}]`,
      )
    }
    return rounded
  }
  return defineFieldType({
    name,
    family: name,
    valueType: 'double',
    aggregatable: true,
    parameters,
    parse: readLeaf((leaf, field) => readDecimal(leaf, field, finite)),
    queryValue(given, field) {
      const value = queryNumber(given)
      return typeof value === 'number' ? round(value, field) : Number(value)
    },
    show: showNumber,
  })
}
