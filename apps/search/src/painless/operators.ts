import { CharValue, codeOf } from './char-value.ts'
import { scriptLimits } from './frame.ts'
import { textOf } from './java-values.ts'
import { ScriptFault } from './script-error.ts'

/** Compares as Painless' `==` does: numbers by value, lists and maps by content. */
function equals(left: unknown, right: unknown): boolean {
  if (isNumber(left) && isNumber(right)) return Number(left) === Number(right)
  if (left === right) return true
  // A letter beside a text of one letter: scripts write both alike.
  if (left instanceof CharValue || right instanceof CharValue)
    return isNumber(left) || isNumber(right) ? codeOf(left) === codeOf(right) : textOf(left) === textOf(right)
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  return textOf(left) === textOf(right)
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** A bigint that fits a number becomes one again. */
function narrowed(value: bigint): number | bigint {
  const wrapped = BigInt.asIntN(64, value)
  return wrapped >= BigInt(Number.MIN_SAFE_INTEGER) && wrapped <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(wrapped)
    : wrapped
}

type Number2 = (left: number, right: number) => number
type Integer2 = (left: bigint, right: bigint) => bigint

const decimals: Readonly<Record<string, Number2>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
}

const integers: Readonly<Record<string, Integer2>> = {
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

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

const nameOf = (value: unknown): string =>
  value === null ? 'null' : typeof value === 'string' ? 'java.lang.String' : typeof value

/** Applies a binary operator that needs both sides. `decimal`: at least one side is a float or double, so division keeps the fraction. */
export function applyBinary(operator: string, left: unknown, right: unknown, decimal: boolean, at: number): unknown {
  if (operator === '==') return equals(left, right)
  if (operator === '!=') return !equals(left, right)
  if (operator === '===') return Object.is(left, right)
  if (operator === '!==') return !Object.is(left, right)
  if (operator === '+' && (typeof left === 'string' || typeof right === 'string')) return joined(left, right, at)
  if (left instanceof CharValue || right instanceof CharValue)
    return applyBinary(operator, ofLetter(left, right), ofLetter(right, left), decimal, at)
  const compare = comparisons[operator]
  if (compare) return compare(order(operator, left, right, at))
  if (typeof left === 'boolean' && typeof right === 'boolean') {
    if (operator === '&') return left && right
    if (operator === '|') return left || right
    if (operator === '^') return left !== right
  }
  if (!isNumber(left) || !isNumber(right)) throw cannotApply(operator, left, right, at)
  return arithmetic(operator, left, right, decimal, at)
}

/** A letter as it takes part in an operation: beside a text a text, else its code. */
function ofLetter(value: unknown, other: unknown): unknown {
  if (!(value instanceof CharValue)) return value
  return typeof other === 'string' ? value.letter : codeOf(value)
}

function joined(left: unknown, right: unknown, at: number): string {
  const text = textOf(left) + textOf(right)
  if (text.length <= scriptLimits.textCharsMax) return text
  throw new ScriptFault(at, `a text may have at most ${scriptLimits.textCharsMax} characters`, 'painless_error')
}

function arithmetic(
  operator: string,
  left: number | bigint,
  right: number | bigint,
  decimal: boolean,
  at: number,
): unknown {
  const whole = !decimal && [left, right].every((value) => typeof value === 'bigint' || Number.isInteger(value))
  const onIntegers = integers[operator]
  if (whole && onIntegers) {
    if ((operator === '/' || operator === '%') && Number(right) === 0) {
      throw new ScriptFault(at, '/ by zero', 'arithmetic_exception')
    }
    return narrowed(onIntegers(BigInt(left), BigInt(right)))
  }
  const onDecimals = decimals[operator]
  if (!onDecimals) throw cannotApply(operator, left, right, at)
  return onDecimals(Number(left), Number(right))
}

function order(operator: string, left: unknown, right: unknown, at: number): number {
  if (isNumber(left) && isNumber(right)) return left < right ? -1 : left > right ? 1 : 0
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0
  throw cannotApply(operator, left, right, at)
}

function cannotApply(operator: string, left: unknown, right: unknown, at: number): ScriptFault {
  const types = `[${nameOf(left)}] and [${nameOf(right)}]`
  return new ScriptFault(at, `Cannot apply [${operator}] operation to types ${types}.`, 'class_cast_exception')
}

/** Applies `!`, `-`, `+` or `~`. */
export function applyUnary(operator: string, operand: unknown, at: number): unknown {
  if (operator === '!') {
    if (typeof operand === 'boolean') return !operand
  } else if (isNumber(operand)) {
    if (operator === '+') return operand
    if (operator === '-') return typeof operand === 'bigint' ? narrowed(-operand) : -operand
    if (Number.isInteger(Number(operand))) return narrowed(~BigInt(operand))
  }
  throw new ScriptFault(
    at,
    `Cannot apply [${operator}] operation to type [${nameOf(operand)}].`,
    'class_cast_exception',
  )
}
