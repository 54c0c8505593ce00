import { calculate } from './arithmetic.ts'
import { hashOf } from './java-hash.ts'
import { textOf } from './java-values.ts'
import { compareNumbers } from './number-methods.ts'
import { bare, castNumber, type NumberType, numberOf } from './typed-number.ts'

type Static = (...args: never[]) => unknown

const ranges: Readonly<Record<string, readonly [bigint, bigint]>> = {
  byte: [-128n, 127n],
  short: [-32_768n, 32_767n],
  int: [-2_147_483_648n, 2_147_483_647n],
  long: [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n],
}
const digitsOf = '0123456789abcdefghijklmnopqrstuvwxyz'

/** So many digits has the longest number there is, in the base of two. */
const wholeDigitsMax = 64
/** An error need not say all of a long text. */
const shownCharsMax = 200

function shownText(text: string): string {
  return text.length <= shownCharsMax ? text : `${text.slice(0, shownCharsMax)}…`
}

/** A whole number of a type out of a text; throws a SyntaxError with Java's words for what is none. */
function parsedWhole(type: NumberType, text: unknown, radix: unknown = 10): unknown {
  if (text === null || text === undefined) throw new SyntaxError('Cannot parse null string: null')
  const written = textOf(text)
  const base = Number(bare(radix))
  const [least = 0n, most = 0n] = ranges[type] ?? []
  // Longer ones are too large, and to add their digits up would take the square of their length.
  const unsigned = written.replace(/^[+-]/u, '').replace(/^0+(?=.)/u, '')
  const digits =
    unsigned.length > wholeDigitsMax ? [] : [...unsigned.toLowerCase()].map((digit) => digitsOf.indexOf(digit))
  if (digits.length > 0 && digits.every((digit) => digit >= 0 && digit < base)) {
    const size = digits.reduce((sum, digit) => sum * BigInt(base) + BigInt(digit), 0n)
    const value = written.startsWith('-') ? -size : size
    if (value >= least && value <= most) return numberOf(type, value)
  }
  throw new SyntaxError(`For input string: "${shownText(written)}"${base === 10 ? '' : ` under radix ${base}`}`)
}

/** A decimal out of a text as Java reads it: spaces around it, an `f` or `d` behind it. */
function parsedDecimal(type: NumberType, text: unknown): unknown {
  const written = textOf(text).trim()
  if (written === '') throw new SyntaxError('empty String')
  const plain = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)[fFdD]?$/u.exec(written)?.[1]
  if (plain !== undefined || /^[+-]?(?:NaN|Infinity)$/u.test(written))
    return numberOf(type, Number(plain ?? written.replace(/^[+-]NaN$/u, 'NaN')))
  throw new SyntaxError(`For input string: "${shownText(textOf(text))}"`)
}

function sharedOf(type: NumberType): Record<string, Static> {
  const choose = (better: (order: number) => boolean) => (one: unknown, other: unknown) =>
    castNumber(type, better(compareNumbers(type, one, other)) ? one : other)
  return {
    compare: (one: unknown, other: unknown) => compareNumbers(type, one, other),
    sum: (one: unknown, other: unknown) => calculate('+', castNumber(type, one), castNumber(type, other), 0),
    max: choose((order) => order >= 0),
    min: choose((order) => order <= 0),
    hashCode: hashOf,
  }
}

function wholesOf(type: 'byte' | 'short' | 'int' | 'long', parse: string): Record<string, Static> {
  const [least = 0n, most = 0n] = ranges[type] ?? []
  const bits = type === 'long' ? 64 : 32
  const unsigned = (value: unknown, radix: number) =>
    BigInt.asUintN(bits, BigInt(bare(castNumber(type, value)) as number)).toString(radix)
  const signum = (value: unknown) => compareNumbers(type, value, 0)
  return {
    ...sharedOf(type),
    MIN_VALUE: () => numberOf(type, least),
    MAX_VALUE: () => numberOf(type, most),
    [parse]: (text: unknown, radix?: unknown) => parsedWhole(type, text, radix),
    valueOf: (text: unknown, radix?: unknown) =>
      typeof text === 'string' ? parsedWhole(type, text, radix) : castNumber(type, text),
    toString: (value: unknown, radix?: unknown) =>
      radix === undefined ? textOf(value) : BigInt(bare(value) as number).toString(Number(bare(radix))),
    toHexString: (value: unknown) => unsigned(value, 16),
    toOctalString: (value: unknown) => unsigned(value, 8),
    toBinaryString: (value: unknown) => unsigned(value, 2),
    signum,
    bitCount: (value: unknown) => unsigned(value, 2).replaceAll('0', '').length,
  }
}

function decimalsOf(type: 'float' | 'double', parse: string): Record<string, Static> {
  return {
    ...sharedOf(type),
    NaN: () => Number.NaN,
    POSITIVE_INFINITY: () => Number.POSITIVE_INFINITY,
    NEGATIVE_INFINITY: () => Number.NEGATIVE_INFINITY,
    [parse]: (text: unknown) => parsedDecimal(type, text),
    valueOf: (text: unknown) => (typeof text === 'string' ? parsedDecimal(type, text) : castNumber(type, text)),
    toString: (value: unknown) => textOf(castNumber(type, value)),
    isNaN: (value: unknown) => Number.isNaN(bare(value)),
    isInfinite: (value: unknown) => Math.abs(Number(bare(value))) === Number.POSITIVE_INFINITY,
    isFinite: (value: unknown) => Number.isFinite(bare(value)),
  }
}

/** The static methods and constants of Java's classes of numbers. */
export const numberStatics: Readonly<Record<string, Readonly<Record<string, Static>>>> = {
  Byte: wholesOf('byte', 'parseByte'),
  Short: wholesOf('short', 'parseShort'),
  Integer: wholesOf('int', 'parseInt'),
  Long: wholesOf('long', 'parseLong'),
  Float: { ...decimalsOf('float', 'parseFloat'), MAX_VALUE: () => numberOf('float', 3.4028234663852886e38) },
  Double: {
    ...decimalsOf('double', 'parseDouble'),
    MAX_VALUE: () => numberOf('double', Number.MAX_VALUE),
    MIN_VALUE: () => Number.MIN_VALUE,
  },
}
