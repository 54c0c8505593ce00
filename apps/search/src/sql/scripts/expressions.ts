import { calculate } from '../../painless/arithmetic.ts'
import type { Expression } from '../../painless/ast.ts'
import { bare, numberTypeOf } from '../../painless/typed-number.ts'
import type { Sql } from '../sql.ts'
import { dateMethod, type EnumConstant, enumMethod } from './dates.ts'
import {
  containsText,
  firstValue,
  isEmpty,
  type ScriptField,
  type Values,
  valueAt,
  valueCount,
  valueOr,
} from './fields.ts'
import {
  calculated,
  castTyped,
  compared,
  conditional,
  equalValues,
  joinedConditions,
  negation,
  numberLiteral,
  signed,
} from './numbers.ts'
import { constantList, type PlainValue } from './plain-values.ts'
import { staticCall } from './statics.ts'
import { joinedTexts, type Pieces, pieceAt, piecesCount, splitText, textMethod } from './texts.ts'
import {
  both,
  either,
  mergedValue,
  no,
  not,
  nullValue,
  type Typed,
  textLiteral,
  typedValue,
  Untranslatable,
  yes,
} from './typed-sql.ts'

/** What an expression of a script gives. */
export type Held =
  | Typed
  | Values
  | Pieces
  | EnumConstant
  | PlainValue
  | { readonly kind: 'doc' }
  | { readonly kind: 'list'; readonly of: Values }
  | { readonly kind: 'constant'; readonly type: string; readonly name: string }

/** What a script can read. */
export interface ScriptReads {
  /** Undefined for a field that no index maps; throws `Untranslatable` for one that columns do not hold as scripts see it. */
  field(path: string): ScriptField | undefined
  /** The constants of the request. */
  readonly params: Readonly<Record<string, unknown>>
  /** `_score`, of 64 bits. */
  readonly score?: Sql | undefined
  /** `_value`. */
  readonly over?: Typed | undefined
}

/** Where expressions are evaluated: what they can read, and what variables hold. */
export interface Scope {
  readonly reads: ScriptReads
  variable(name: string): Held | undefined
}

/** Types of constants that methods are called with. */
const namedConstants: ReadonlySet<string> = new Set(['TextStyle', 'Locale'])

/** Deeper expressions are left to the interpreter. */
const depthMax = 60

/** What an expression gives. Throws `Untranslatable`. */
export function evaluated(expression: Expression, scope: Scope, depth = 0): Held {
  if (depth > depthMax) throw new Untranslatable('too deep')
  const inner = (each: Expression) => evaluated(each, scope, depth + 1)
  const value = (each: Expression) => typedOf(inner(each))
  switch (expression.kind) {
    case 'literal':
      return literal(expression.value)
    case 'variable':
      return variable(expression.name, scope)
    case 'member':
      return member(expression, scope, inner)
    case 'call':
      return called(expression, scope, inner)
    case 'function':
      return functionCall(expression, scope, inner)
    case 'static':
      if (namedConstants.has(expression.type) && expression.args.length === 0)
        return { kind: 'constant', type: expression.type, name: expression.method }
      return staticCall(expression.type, expression.method, expression.args.map(value))
    case 'unary':
      return expression.operator === '!' ? negation(value(expression.operand)) : negated(expression, value)
    case 'cast':
      return cast(expression.type, value(expression.operand))
    case 'binary':
      return binary(expression, value)
    case 'conditional':
      return conditional(value(expression.test), value(expression.then), value(expression.otherwise))
    default:
      throw new Untranslatable(expression.kind)
  }
}

/** A value that is one; throws for fields, lists and the like. */
export function typedOf(held: Held): Typed {
  if (held.kind === 'value') return held
  if (held.kind === 'plain') return literal(held.value)
  throw new Untranslatable('no single value')
}

/** A value of the interpreter that is the same for all documents. */
function literal(value: unknown): Typed {
  if (value === null || value === undefined) return nullValue
  if (typeof value === 'string') return textLiteral(value)
  if (typeof value === 'boolean') return typedValue('boolean', value ? yes : no, [], { constant: { value } })
  return numberLiteral(numberTypeOf(value), bare(value) as number | bigint, value)
}

function variable(name: string, { reads, variable: find }: Scope): Held {
  const own = find(name)
  if (own) return own
  if (name === 'doc') return { kind: 'doc' }
  if (name === 'params') return { kind: 'plain', value: reads.params }
  if (name === '_score' && reads.score) return typedValue('double', reads.score)
  if (name === '_value' && reads.over) return reads.over
  throw new Untranslatable('an unknown name')
}

type Kind<K extends Expression['kind']> = Extract<Expression, { kind: K }>
type Inner = (expression: Expression) => Held

const constantText = (held: Held): string => {
  const known = held.kind === 'value' ? held.constant?.value : undefined
  if (typeof known !== 'string') throw new Untranslatable('a name that differs')
  return known
}

function member({ target, key, safe }: Kind<'member'>, { reads }: Scope, inner: Inner): Held {
  if (safe) throw new Untranslatable('?.')
  const container = inner(target)
  const place = inner(key)
  switch (container.kind) {
    case 'doc':
      return fieldOf(reads, constantText(place), 'values')
    case 'plain':
      return constantList(container).at(constantText(place))
    case 'pieces':
      return place.kind === 'value' && place.constant?.value === 'length'
        ? piecesCount(container)
        : pieceAt(container, typedOf(place))
    case 'values': {
      const name = place.kind === 'value' ? place.constant?.value : undefined
      if (name === 'length') return valueCount(container)
      if (name === 'empty') return isEmpty(container)
      if (name === 'values') return { kind: 'list', of: container }
      return typeof name === 'string' ? method(container, getterOf(name), []) : valueAt(container, typedOf(place))
    }
    case 'value':
      if (container.type === 'date' && constantText(place) === 'millis') return method(container, 'getMillis', [])
      if (container.type !== 'date') throw new Untranslatable('a field of no date')
      return method(container, getterOf(constantText(place)), [])
    case 'enum':
      return method(container, getterOf(constantText(place)), [])
    default:
      throw new Untranslatable('no such field')
  }
}

const getterOf = (name: string): string => `get${name.charAt(0).toUpperCase()}${name.slice(1)}`

function fieldOf(reads: ScriptReads, path: string, kind: Values['kind']): Values {
  const of = reads.field(path) ?? { type: 'long', mapped: no, columns: undefined, fault: no, inexact: no }
  return { kind, of }
}

function called({ target, method: name, args, safe }: Kind<'call'>, { reads }: Scope, inner: Inner): Held {
  if (safe) throw new Untranslatable('?.')
  const container = inner(target)
  const given = args.map(inner)
  if (container.kind !== 'doc') return method(container, name, given)
  const [path] = given
  if (path === undefined || given.length !== 1) throw new Untranslatable('other arguments')
  if (name === 'get') return fieldOf(reads, constantText(path), 'values')
  if (name !== 'containsKey') throw new Untranslatable('no such method')
  const { mapped } = fieldOf(reads, constantText(path), 'values').of
  return typedValue('boolean', mapped)
}

function method(container: Held, name: string, args: readonly Held[]): Held {
  switch (container.kind) {
    case 'values':
    case 'field':
      if (container.kind === 'values' && name === 'getValues') return { kind: 'list', of: container }
      return valuesMethod(container, name, args.map(typedOf))
    case 'enum':
      return enumMethod(container, name, enumStyle(args))
    case 'plain':
      return typeof container.value === 'object' && container.value !== null
        ? constantList(container).call(name, args.map(typedOf))
        : method(literal(container.value), name, args)
    case 'value':
      if (container.type === 'String')
        return name === 'splitOnToken'
          ? splitText(container, args.map(typedOf))
          : textMethod(container, name, args.map(typedOf))
      if (container.type === 'date') return dateMethod(container, name, args.map(typedOf))
      return numberMethod(container, name, args.length)
    default:
      throw new Untranslatable('no such method')
  }
}

/** The style that a name of a day or month is asked for in. */
function enumStyle([style, locale]: readonly Held[]): string | undefined {
  const isAsked = style?.kind === 'constant' && style.type === 'TextStyle'
  return isAsked && locale?.kind === 'constant' && locale.type === 'Locale' ? style.name : undefined
}

function valuesMethod(values: Values, name: string, args: readonly Typed[]): Typed {
  const [first, second] = args
  const isField = values.kind === 'field'
  if (name === 'size' && !first) return valueCount(values)
  if (name === 'isEmpty' && !first) return isEmpty(values)
  if (isField) {
    if (name === 'get' && first && !second) return valueOr(values, first, mergedValue)
    throw new Untranslatable('no such method')
  }
  if (name === 'getLength' && !first) return valueCount(values)
  if (name === 'getValue' && !first) return firstValue(values)
  if (name === 'get' && first && !second) return valueAt(values, first)
  if (name === 'contains' && first && !second) return containsText(values, first)
  throw new Untranslatable('no such method')
}

const castMethods: Readonly<Record<string, string>> = { intValue: 'int', longValue: 'long', doubleValue: 'double' }

function numberMethod(value: Typed, name: string, args: number): Typed {
  const type = Object.hasOwn(castMethods, name) ? castMethods[name] : undefined
  if (type === undefined || args > 0) throw new Untranslatable('no such method of numbers')
  return castTyped(type, value)
}

/** `field('f')` and `$('f', otherwise)`. */
function functionCall({ name, args }: Kind<'function'>, { reads }: Scope, inner: Inner): Held {
  const [path, otherwise] = args.map(inner)
  if (path !== undefined && name === 'field' && args.length === 1) return fieldOf(reads, constantText(path), 'field')
  if (path !== undefined && otherwise !== undefined && name === '$' && args.length === 2)
    return valueOr(fieldOf(reads, constantText(path), 'field'), typedOf(otherwise), mergedValue)
  throw new Untranslatable('no such function')
}

function negated({ operator, operand }: Kind<'unary'>, value: (expression: Expression) => Typed): Typed {
  return signed(operator, value(operand))
}

/** A cast that is written. */
function cast(type: string, value: Typed): Typed {
  if (type === 'def') return value
  if (type === 'String' && value.type === 'String') return value
  return castTyped(type, value)
}

function binary({ operator, left, right, at }: Kind<'binary'>, value: (expression: Expression) => Typed): Typed {
  const [one, other] = [value(left), value(right)]
  return combined(operator, one, other, at)
}

/** What an operator makes of two values. */
export function combined(operator: string, one: Typed, other: Typed, at: number): Typed {
  switch (operator) {
    case '&&':
    case '||':
      return joinedConditions(operator, one, other)
    case '==':
    case '===':
      return equalValues(one, other)
    case '!=':
    case '!==': {
      const equal = equalValues(one, other)
      return { ...equal, sql: not(equal.sql) }
    }
    case '?:': {
      // The right side is asked for where the left one is null.
      const merged = mergedValue(one.isNull, other, one)
      return {
        ...merged,
        fault: either(one.fault, both(one.isNull, other.fault)),
        inexact: either(one.inexact, other.inexact),
      }
    }
    default:
      if (operator === '+' && (one.type === 'String' || other.type === 'String')) return joinedTexts(one, other)
      return compared(operator, one, other) ?? folded(operator, one, other, at) ?? calculated(operator, one, other)
  }
}

/** What the interpreter makes of two constants; undefined for others, and where it fails. */
function folded(operator: string, one: Typed, other: Typed, at: number): Typed | undefined {
  if (!one.constant || !other.constant) return undefined
  try {
    const made = calculate(operator, one.constant.value, other.constant.value, at)
    return made === undefined ? undefined : literal(made)
  } catch {
    return undefined
  }
}
