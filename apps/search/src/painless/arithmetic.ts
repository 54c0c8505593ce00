import { ScriptFault } from './script-error.ts'
import { bare, castNumber, type NumberType, numberOf, numberTypeOf, numberTypes } from './typed-number.ts'

type OnNumbers = (left: number, right: number) => number
type OnLongs = (left: bigint, right: bigint) => bigint

const onDecimals: Readonly<Record<string, OnNumbers>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
}

const onInts: Readonly<Record<string, OnNumbers>> = {
  '+': (a, b) => (a + b) | 0,
  '-': (a, b) => (a - b) | 0,
  '*': Math.imul,
  '/': (a, b) => (a / b) | 0,
  '%': (a, b) => (a % b) | 0,
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '>>>': (a, b) => (a >>> b) | 0,
}

const onLongs: Readonly<Record<string, OnLongs>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '<<': (a, b) => a << (b & 63n),
  '>>': (a, b) => a >> (b & 63n),
  '>>>': (a, b) => BigInt.asUintN(64, a) >> (b & 63n),
}

const shifts: ReadonlySet<string> = new Set(['<<', '>>', '>>>'])
/** What longs that are small enough do without bigints. */
const quickOperators: ReadonlySet<string> = new Set(['+', '-', '*', '%'])

const isDecimal = (type: NumberType) => type === 'float' || type === 'double'

/** The type that two numbers calculate as (JLS 5.6.2): the wider, at least `int`. */
export function promoted(left: NumberType, right: NumberType): NumberType {
  return numberTypes[Math.max(numberTypes.indexOf(left), numberTypes.indexOf(right), 2)] ?? 'int'
}

/** The number that an operator makes of two, of the type Java gives it; undefined when the operator knows no such numbers. Throws a fault for `/ by zero`. */
export function calculate(operator: string, left: unknown, right: unknown, at: number): unknown {
  const [leftType, rightType] = [numberTypeOf(left), numberTypeOf(right)]
  if (leftType === undefined || rightType === undefined) return undefined
  const isShift = shifts.has(operator)
  if (isShift && (isDecimal(leftType) || isDecimal(rightType))) return undefined
  // A shift is of its left side's type alone.
  const type = isShift ? promoted(leftType, 'int') : promoted(leftType, rightType)
  const [one, other] = [bare(left), bare(right)] as [number | bigint, number | bigint]
  if (isDecimal(type)) {
    const apply = onDecimals[operator]
    return apply && numberOf(type, apply(Number(one), Number(other)))
  }
  if ((operator === '/' || operator === '%') && Number(other) === 0)
    throw new ScriptFault(at, '/ by zero', 'arithmetic_exception')
  if (type === 'int') return onInts[operator]?.(Number(one), Number(bare(castNumber('int', right))))
  return onWholes(operator, one, other)
}

function onWholes(operator: string, one: number | bigint, other: number | bigint): unknown {
  if (typeof one === 'number' && typeof other === 'number' && quickOperators.has(operator)) {
    const quick = onDecimals[operator]?.(one, other)
    if (quick !== undefined && Number.isSafeInteger(quick)) return numberOf('long', quick)
  }
  const apply = onLongs[operator]
  return apply && numberOf('long', apply(BigInt(one), BigInt(other)))
}

/** -1, 0 or 1 as two numbers are ordered by value; NaN when one is none. */
export function orderOfNumbers(left: unknown, right: unknown): number {
  const [one, other] = [bare(left), bare(right)] as [number, number]
  return one < other ? -1 : one > other ? 1 : one <= other ? 0 : Number.NaN
}

/** `-` and `~` of a number; undefined when it has none. */
export function negated(operator: string, operand: unknown): unknown {
  const found = numberTypeOf(operand)
  if (found === undefined) return undefined
  const type = promoted(found, 'int')
  const value = bare(operand) as number | bigint
  if (operator === '+') return numberOf(type, value)
  if (operator === '-')
    return isDecimal(type)
      ? numberOf(type, -Number(value))
      : type === 'int'
        ? -Number(value) | 0
        : numberOf('long', -BigInt(value))
  return isDecimal(type) ? undefined : type === 'int' ? ~Number(value) : numberOf('long', ~BigInt(value))
}
