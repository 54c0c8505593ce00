import { calculate, negated, orderOfNumbers } from './arithmetic.ts'
import { CharValue, codeOf } from './char-value.ts'
import { HostObject } from './host-object.ts'
import { equal, textOf } from './java-values.ts'
import { ScriptFault } from './script-error.ts'
import { scriptLimits } from './script-run.ts'
import { boxOf, numberTypeOf } from './typed-number.ts'

const isNumber = (value: unknown): boolean => numberTypeOf(value) !== undefined

/** Compares as Painless' `==` does: numbers by value, lists and maps by content. */
function equals(left: unknown, right: unknown): boolean {
  if (isNumber(left) && isNumber(right)) return orderOfNumbers(left, right) === 0
  if (typeof left === 'string' && typeof right === 'string') return equal(left, right)
  if (left === right) return true
  // A letter beside a text of one letter: scripts write both alike.
  if (left instanceof CharValue || right instanceof CharValue)
    return isNumber(left) || isNumber(right) ? codeOf(left) === codeOf(right) : textOf(left) === textOf(right)
  return equal(left, right)
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

const nameOf = (value: unknown): string =>
  value === null ? 'null' : typeof value === 'string' ? 'java.lang.String' : (boxOf(value) ?? classOf(value))

function classOf(value: unknown): string {
  if (typeof value === 'boolean') return 'java.lang.Boolean'
  if (Array.isArray(value)) return 'java.util.ArrayList'
  return value instanceof HostObject ? value.className : 'java.util.HashMap'
}

/** Applies a binary operator that needs both sides. */
export function applyBinary(operator: string, left: unknown, right: unknown, at: number): unknown {
  if (operator === '==') return equals(left, right)
  if (operator === '!=') return !equals(left, right)
  if (operator === '===') return identical(left, right)
  if (operator === '!==') return !identical(left, right)
  if (operator === '+' && (typeof left === 'string' || typeof right === 'string')) return joined(left, right, at)
  if (left instanceof CharValue || right instanceof CharValue)
    return applyBinary(operator, ofLetter(left, right), ofLetter(right, left), at)
  const compare = comparisons[operator]
  if (compare) return compare(order(operator, left, right, at))
  if (typeof left === 'boolean' && typeof right === 'boolean') {
    if (operator === '&') return left && right
    if (operator === '|') return left || right
    if (operator === '^') return left !== right
  }
  const made = calculate(operator, left, right, at)
  if (made === undefined) throw cannotApply(operator, left, right, at)
  return made
}

/** `===`: numbers by value as between primitives, all else the same object. */
function identical(left: unknown, right: unknown): boolean {
  return isNumber(left) && isNumber(right) ? orderOfNumbers(left, right) === 0 : left === right
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

function order(operator: string, left: unknown, right: unknown, at: number): number {
  if (isNumber(left) && isNumber(right)) return orderOfNumbers(left, right)
  throw cannotApply(operator, left, right, at)
}

function cannotApply(operator: string, left: unknown, right: unknown, at: number): ScriptFault {
  if (left === null || right === null)
    return new ScriptFault(at, `Cannot apply [${operator}] operation to a null`, 'null_pointer_exception')
  const types = `[${nameOf(left)}] and [${nameOf(right)}]`
  return new ScriptFault(at, `Cannot apply [${operator}] operation to types ${types}.`, 'class_cast_exception')
}

/** Applies `!`, `-`, `+` or `~`. */
export function applyUnary(operator: string, operand: unknown, at: number): unknown {
  if (operator === '!') {
    if (typeof operand === 'boolean') return !operand
  } else {
    const made = negated(operator, codeOf(operand))
    if (made !== undefined) return made
  }
  throw new ScriptFault(
    at,
    `Cannot apply [${operator}] operation to type [${nameOf(operand)}].`,
    'class_cast_exception',
  )
}
