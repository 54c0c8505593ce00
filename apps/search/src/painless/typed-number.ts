import { HostObject } from './host-object.ts'
import type { MethodTable } from './method-table.ts'

/** Java's types of numbers, from the narrowest to the widest. */
export const numberTypes = ['byte', 'short', 'int', 'long', 'float', 'double'] as const
export type NumberType = (typeof numberTypes)[number]

const boxes: Readonly<Record<NumberType, string>> = {
  byte: 'java.lang.Byte',
  short: 'java.lang.Short',
  int: 'java.lang.Integer',
  long: 'java.lang.Long',
  float: 'java.lang.Float',
  double: 'java.lang.Double',
}

/** What numbers can do; set once by `number-methods.ts`, which needs this class. */
const known: { methods: MethodTable } = { methods: {} }

/** Says what the methods of numbers are. */
export function numbersHave(methods: MethodTable): void {
  known.methods = methods
}

/**
 * A number whose type its value does not show: a `long` as small as an `int`, a whole `double`, a `float`, `short` or `byte`. All others are plain:
 * whole numbers of 32 bits are `int`, larger ones and bigints `long`, those with a fraction (also NaN, infinities, -0) `double`. Made by `numberOf` only.
 */
export class TypedNumber extends HostObject {
  override readonly className: string
  readonly type: NumberType
  readonly value: number

  constructor(type: NumberType, value: number) {
    super()
    this.type = type
    this.value = value
    this.className = boxes[type]
  }

  override method(name: string): ((...args: unknown[]) => unknown) | undefined {
    const method = Object.hasOwn(known.methods, name) ? known.methods[name] : undefined
    return method && ((...args) => (method as (...given: unknown[]) => unknown)(this, ...args))
  }

  override text(): string {
    return printed(this.type, this.value)
  }

  override toJSON(): number {
    return this.plain()
  }

  /** The value without its type. A `float` is what it prints: the shortest that no other `float` is nearer to. */
  plain(): number {
    return this.type === 'float' ? Number(this.text()) : this.value
  }

  /** So that it calculates as a number where its type plays no part. */
  override valueOf(): number {
    return this.value
  }
}

const isInt = (value: number): boolean => (value | 0) === value && !Object.is(value, -0)

/** The type of a number; undefined for what is none. */
export function numberTypeOf(value: unknown): NumberType | undefined {
  if (typeof value === 'number')
    return isInt(value) ? 'int' : Number.isSafeInteger(value) && value !== 0 ? 'long' : 'double'
  if (typeof value === 'bigint') return 'long'
  return value instanceof TypedNumber ? value.type : undefined
}

/** Java's name of a number's class; undefined for what is no number. */
export function boxOf(value: unknown): string | undefined {
  const type = numberTypeOf(value)
  return type && boxes[type]
}

/** The bare value of a number; what is no number stays what it is. */
export function bare(value: unknown): unknown {
  return value instanceof TypedNumber ? value.value : value
}

/** A number of a type, made of any other as Java casts: whole numbers lose their upper bits, fractions their end, what is too large stops at the largest. */
export function numberOf(type: NumberType, value: number | bigint): unknown {
  switch (type) {
    case 'double':
      return doubleOf(Number(value))
    case 'float':
      return new TypedNumber('float', Math.fround(Number(value)))
    case 'long':
      return longOf(value)
    case 'int':
      return toInt(value)
    case 'short':
      return new TypedNumber('short', (toInt(value) << 16) >> 16)
    default:
      return new TypedNumber('byte', (toInt(value) << 24) >> 24)
  }
}

function doubleOf(value: number): unknown {
  return Number.isInteger(value) && !Object.is(value, -0) ? new TypedNumber('double', value) : value
}

const longMax = 2n ** 63n - 1n

function longOf(value: number | bigint): unknown {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return longOf(wholeOf(value))
  const whole = typeof value === 'bigint' ? BigInt.asIntN(64, value) : value
  const small = Number(whole)
  if (!Number.isSafeInteger(small)) return whole
  return (small | 0) === small ? new TypedNumber('long', small === 0 ? 0 : small) : small
}

/** A double without its fraction, within the range of a long. */
function wholeOf(value: number): bigint {
  if (Number.isNaN(value)) return 0n
  if (Math.abs(value) >= 2 ** 63) return value > 0 ? longMax : -longMax - 1n
  return BigInt(Math.trunc(value))
}

function toInt(value: number | bigint): number {
  if (typeof value === 'bigint') return Number(BigInt.asIntN(32, value))
  if (Number.isInteger(value) && Number.isSafeInteger(value)) return value | 0
  if (Number.isNaN(value)) return 0
  return Math.trunc(Math.min(2_147_483_647, Math.max(-2_147_483_648, value))) | 0
}

/** Casts a number to a type: a double to an `int` stops at the largest, a `long` loses its upper bits. */
export function castNumber(type: NumberType, value: unknown): unknown {
  const from = numberTypeOf(value)
  if (from === undefined) throw new TypeError('a number is needed')
  const given = bare(value) as number | bigint
  if ((from === 'double' || from === 'float') && type !== 'double' && type !== 'float') {
    const whole = wholeOf(Number(given))
    return type === 'long' ? longOf(whole) : numberOf(type, clamped(whole))
  }
  return numberOf(type, given)
}

function clamped(whole: bigint): bigint {
  if (whole > 2_147_483_647n) return 2_147_483_647n
  return whole < -2_147_483_648n ? -2_147_483_648n : whole
}

/** A number as Java prints one of its type. */
function printed(type: NumberType, value: number): string {
  if (type === 'double') return javaDecimal(value, value.toExponential())
  if (type !== 'float') return String(value)
  for (let digits = 1; digits < 9; digits += 1) {
    const short = value.toExponential(digits - 1)
    if (Math.fround(Number(short)) === value) return javaDecimal(value, short)
  }
  return javaDecimal(value, value.toExponential(8))
}

/** `exponential`: the value's digits in JavaScript's notation of powers of ten. */
function javaDecimal(value: number, exponential: string): string {
  if (!Number.isFinite(value)) return String(value)
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  const size = Math.abs(value)
  const [digits = '', power = ''] = exponential.split('e')
  if (size >= 1e7 || size < 1e-3) return `${digits.includes('.') ? digits : `${digits}.0`}E${power.replace('+', '')}`
  const plain = String(Number(exponential))
  return plain.includes('.') ? plain : `${plain}.0`
}

/** Any number as Java prints it. */
export function numberText(value: number | bigint): string {
  return typeof value === 'number' && numberTypeOf(value) === 'double' ? printed('double', value) : String(value)
}
