import type { Expression, Place } from './ast.ts'
import { exceptionOf } from './exceptions.ts'
import { countStep, type Evaluate, type Frame, type Names } from './frame.ts'
import { guarded } from './guarded.ts'
import { HostObject } from './host-object.ts'
import { javaName, own, putKey, textOf } from './java-values.ts'
import { methodOf, sizeOf, stepsOf } from './methods.ts'
import { applyBinary, applyUnary } from './operators.ts'
import { ScriptFault } from './script-error.ts'
import { withOrder } from './script-map.ts'
import {
  canonicalName,
  checkAssignable,
  checkField,
  checkMethod,
  checkOperands,
  isSmallConstant,
  staticType,
} from './static-types.ts'
import { staticMethod } from './statics.ts'
import { bare, numberOf, numberTypeOf } from './typed-number.ts'
import { assignTo, castTo, isInstance, numericType } from './types.ts'

/** Turns an expression into a function of the frame. Throws a `ScriptFault` for names that are nowhere declared. */
export function compileExpression(expression: Expression, names: Names): Evaluate {
  switch (expression.kind) {
    case 'literal': {
      const { value } = expression
      return () => value
    }
    case 'list': {
      const items = expression.items.map((item) => compileExpression(item, names))
      return (frame) => items.map((item) => item(frame))
    }
    case 'map':
      return compileMap(expression, names)
    case 'variable': {
      const { slot } = resolve(expression.name, names, expression.at)
      return (frame) => frame.slots[slot] ?? null
    }
    case 'member':
      return compileMember(expression, names)
    case 'call':
      return compileCall(expression, names)
    case 'static':
      return compileStatic(expression, names)
    case 'function':
      return compileFunction(expression, names)
    case 'lambda':
      return compileLambda(expression, names)
    case 'reference':
      return compileReference(expression, names)
    case 'array':
      return compileArray(expression, names)
    case 'exception': {
      const message = expression.message && compileExpression(expression.message, names)
      return (frame) => exceptionOf(expression.type, message ? textOf(message(frame)) : '', expression.at)
    }
    case 'unary': {
      const operand = compileExpression(expression.operand, names)
      return (frame) => applyUnary(expression.operator, operand(frame), expression.at)
    }
    case 'cast': {
      const operand = compileExpression(expression.operand, names)
      refuseCast(expression, names)
      return (frame) => casted(expression.type, operand(frame), expression.at)
    }
    case 'instanceof': {
      const operand = compileExpression(expression.operand, names)
      return (frame) => isInstance(expression.type, operand(frame))
    }
    case 'binary':
      return compileBinary(expression, names)
    case 'conditional': {
      const test = compileCondition(expression.test, names)
      const then = compileExpression(expression.then, names)
      const otherwise = compileExpression(expression.otherwise, names)
      return (frame) => (test(frame) ? then(frame) : otherwise(frame))
    }
    case 'assign':
      return compileAssign(expression, names)
  }
}

type Kind<K extends Expression['kind']> = Extract<Expression, { kind: K }>

/** A condition: anything but a boolean is a fault, as in Java. */
export function compileCondition(expression: Expression, names: Names): (frame: Frame) => boolean {
  const evaluate = compileExpression(expression, names)
  checkAssignable(expression, 'boolean', names)
  return (frame) => booleanOf(evaluate(frame), expression.at)
}

function booleanOf(value: unknown, at: number): boolean {
  if (typeof value === 'boolean') return value
  const reason =
    value === null ? 'cannot cast a null to boolean' : `cannot implicitly cast def [${javaName(value)}] to boolean`
  throw new ScriptFault(at, reason, value === null ? 'null_pointer_exception' : 'class_cast_exception')
}

/** Converts to a declared type, or says that it cannot be. */
export function converted(type: string, value: unknown, at: number): unknown {
  if (type === 'boolean') return booleanOf(value, at)
  const result = assignTo(type, value)
  if (result !== undefined) return result
  const found = numberTypeOf(value)
  const reason =
    found === undefined || numericType(type) === undefined
      ? `Cannot cast [${textOf(value)}] to [${canonicalName(type)}].`
      : `cannot implicitly cast def [${found}] to ${type}`
  throw new ScriptFault(at, reason, value === null ? 'null_pointer_exception' : 'class_cast_exception')
}

/** A cast that can never be: of a number to a text, of a text to a number. */
function refuseCast({ type, operand, at }: Kind<'cast'>, names: Names): void {
  const from = staticType(operand, names)
  const isNumber = (name: string) => numericType(name) !== undefined
  const isOther = (name: string) => name === 'String' || name === 'boolean' || name === 'Boolean'
  if (!((isNumber(from) && isOther(type)) || (isOther(from) && isNumber(type)))) return
  const reason = `Cannot cast from [${canonicalName(from)}] to [${canonicalName(type)}].`
  throw new ScriptFault(at, reason, 'class_cast_exception')
}

/** Converts as a cast that is written does. */
function casted(type: string, value: unknown, at: number): unknown {
  const result = castTo(type, value)
  if (result !== undefined) return result
  const reason = `Cannot cast [${textOf(value)}] to [${canonicalName(type)}].`
  throw new ScriptFault(at, reason, value === null ? 'null_pointer_exception' : 'class_cast_exception')
}

function resolve(name: string, names: Names, at: number): { readonly slot: number } {
  const variable = names.find(name)
  if (variable) return variable
  throw new ScriptFault(at, `cannot resolve symbol [${name}]`)
}

function compileMap({ entries }: Kind<'map'>, names: Names): Evaluate {
  const compiled = entries.map(
    ([key, value]) => [compileExpression(key, names), compileExpression(value, names)] as const,
  )
  return (frame) => {
    const map: Record<string, unknown> = withOrder({}, 'hash')
    for (const [key, value] of compiled) putKey(map, key(frame), value(frame))
    return map
  }
}

function compileMember(expression: Kind<'member'>, names: Names): Evaluate {
  const target = compileExpression(expression.target, names)
  checkField(expression, names)
  const key = compileExpression(expression.key, names)
  return (frame) => {
    const container = target(frame)
    return container === null && expression.safe ? null : readMember(container, key(frame), expression.at)
  }
}

function readMember(container: unknown, key: unknown, at: number): unknown {
  if (container === null || container === undefined) {
    throw new ScriptFault(
      at,
      `cannot access method/field [${textOf(key)}] from a null def reference`,
      'null_pointer_exception',
    )
  }
  if (Array.isArray(container)) return readElement(container, key, at)
  if (container instanceof HostObject) {
    const value = container.member(String(key), at)
    if (value !== undefined) return value
    throw new ScriptFault(at, `dynamic getter [${container.className}, ${textOf(key)}] not found`)
  }
  if (typeof container === 'object') {
    return own(container as Record<string, unknown>, key) ?? null
  }
  throw new ScriptFault(at, `dynamic getter [${javaName(container)}, ${textOf(key)}] not found`)
}

function readElement(list: readonly unknown[], key: unknown, at: number): unknown {
  if (key === 'length') return list.length
  // Painless also takes `list.0`.
  const index = typeof key === 'string' && /^\d+$/.test(key) ? Number(key) : key
  if (typeof index === 'number' && Number.isInteger(index)) {
    const place = index < 0 ? list.length + index : index
    if (place >= 0 && place < list.length) return list[place]
    throw new ScriptFault(at, `Index ${index} out of bounds for length ${list.length}`, 'index_out_of_bounds_exception')
  }
  throw new ScriptFault(at, `dynamic getter [java.util.ArrayList, ${textOf(key)}] not found`)
}

function writeMember(container: unknown, key: unknown, value: unknown, at: number): void {
  if (typeof container === 'object' && container !== null && Object.isFrozen(container))
    throw new ScriptFault(at, 'null', 'unsupported_operation_exception')
  if (Array.isArray(container)) {
    readElement(container, key, at)
    container[Number(key) < 0 ? container.length + Number(key) : Number(key)] = value
  } else if (typeof container === 'object' && container !== null)
    guarded(at, () => putKey(container as Record<string, unknown>, key, value))
  else if (container === null || container === undefined) {
    throw new ScriptFault(
      at,
      `cannot access method/field [${textOf(key)}] from a null def reference`,
      'null_pointer_exception',
    )
  } else throw new ScriptFault(at, `dynamic setter [${textOf(key)}] not found`)
}

function compileCall(expression: Kind<'call'>, names: Names): Evaluate {
  const { target, method, args, safe, at } = expression
  const receiver = compileExpression(target, names)
  checkMethod(expression, names)
  const values = args.map((arg) => compileExpression(arg, names))
  return (frame) => {
    const value = receiver(frame)
    if (value === null || value === undefined) {
      if (safe) return null
      throw new ScriptFault(
        at,
        `cannot access method/field [${method}] from a null def reference`,
        'null_pointer_exception',
      )
    }
    const call = value instanceof HostObject ? value.method(method, at) : methodOf(value, method)
    if (!call) throw new ScriptFault(at, `dynamic method [${javaName(value)}, ${method}/${args.length}] not found`)
    const given = values.map((evaluate) => evaluate(frame))
    countStep(frame, at, stepsOf(value, method, given))
    return guarded(at, () => call(...given), Object.isFrozen(value))
  }
}

function compileStatic({ type, method, args, at }: Kind<'static'>, names: Names): Evaluate {
  const call = staticMethod(type, method)
  if (!call) throw new ScriptFault(at, `static method [${canonicalName(type)}, ${method}/${args.length}] not found`)
  const values = args.map((arg) => compileExpression(arg, names))
  return (frame) => {
    const given = values.map((evaluate) => evaluate(frame))
    countStep(frame, at, stepsOf(given[0], method, []))
    const made = guarded(at, () => call(...given))
    countStep(frame, at, sizeOf(made))
    return made
  }
}

function compileFunction({ name, args, at }: Kind<'function'>, names: Names): Evaluate {
  const own = names.ownFunction(`${name}/${args.length}`)
  const found = names.findFunction(name)
  const types = found?.forms?.find((form) => form.length === args.length)
  if (!own && (!found || (found.forms && !types)))
    throw new ScriptFault(at, `Unknown call [${name}] with [${args.length}] arguments.`)
  const values = args.map((arg, place) => {
    const evaluate = compileExpression(arg, names)
    const type = own ? undefined : types?.[place]
    if (type === undefined) return evaluate
    checkAssignable(arg, type, names)
    return (frame: Frame) => converted(type, evaluate(frame), arg.at)
  })
  if (own)
    return (frame) =>
      own.call(
        frame,
        values.map((evaluate) => evaluate(frame)),
      )
  return (frame) => {
    const call = found && frame.slots[found.slot]
    if (typeof call !== 'function') throw new ScriptFault(at, `Unknown call [${name}] with [${args.length}] arguments.`)
    return guarded(at, () => call(...values.map((evaluate) => evaluate(frame))))
  }
}

function compileLambda({ parameters, body, at }: Kind<'lambda'>, names: Names): Evaluate {
  const inner = names.inner()
  const slots = parameters.map(({ type, name }) => ({ type, slot: inner.declare(name, type, at).slot }))
  const evaluate = 'kind' in body ? compileExpression(body, inner) : names.compileBody(body, inner.lambda())
  return (frame) => {
    const call = (...values: unknown[]): unknown => {
      countStep(frame, at)
      for (const [place, { type, slot }] of slots.entries()) frame.slots[slot] = given(type, values[place] ?? null, at)
      return evaluate(frame)
    }
    // Methods that take a function of one value or of two tell them apart by it.
    return Object.defineProperty(call, 'length', { value: slots.length })
  }
}

/** `String::valueOf`, `this::own` and `String::length`: a static method or a function of the script, else a method of the first value. */
function compileReference({ type, method, at }: Kind<'reference'>, names: Names): Evaluate {
  const call = staticMethod(type, method)
  return (frame) =>
    (...values: unknown[]) => {
      const [target, ...args] = values
      countStep(frame, at, 1 + stepsOf(target, method, args))
      if (type === 'this') {
        const owned = names.ownFunction(`${method}/${values.length}`)
        if (owned) return owned.call(frame, values)
      } else if (call) return call(...values)
      else {
        const own = target instanceof HostObject ? target.method(method, at) : methodOf(target, method)
        if (own) return own(...args)
      }
      throw new ScriptFault(at, `function reference [${type}::${method}] matching no function`)
    }
}

function compileArray({ type, size, at }: Kind<'array'>, names: Names): Evaluate {
  const length = compileExpression(size, names)
  const primitive = /^[a-z]/u.test(type) ? numericType(type) : undefined
  const first = primitive ? numberOf(primitive, 0) : type === 'boolean' ? false : null
  return (frame) => {
    const count = Number(bare(length(frame)))
    if (!Number.isInteger(count) || count < 0) throw new ScriptFault(at, String(count), 'negative_array_size_exception')
    countStep(frame, at, count)
    return new Array<unknown>(count).fill(first)
  }
}

function compileBinary(expression: Kind<'binary'>, names: Names): Evaluate {
  const { operator, at } = expression
  if (operator === '&&' || operator === '||') {
    const left = compileCondition(expression.left, names)
    const right = compileCondition(expression.right, names)
    return operator === '&&' ? (frame) => left(frame) && right(frame) : (frame) => left(frame) || right(frame)
  }
  const left = compileExpression(expression.left, names)
  const right = compileExpression(expression.right, names)
  if (operator === '?:') return (frame) => left(frame) ?? right(frame)
  checkOperands(expression, names)
  return (frame) => applyBinary(operator, left(frame), right(frame), at)
}

function compileAssign(expression: Kind<'assign'>, names: Names): Evaluate {
  const { target, operator, yieldsOld, at } = expression
  const value = compileExpression(expression.value, names)
  const type = target.kind === 'variable' ? (names.find(target.name)?.type ?? 'def') : 'def'
  if (operator === '') checkAssignable(expression.value, type, names)
  const isConstant = isSmallConstant(expression.value, type)
  const combine = (frame: Frame, old: () => unknown): { before: unknown; after: unknown } => {
    if (operator === '') return { before: null, after: given(type, value(frame), at, isConstant) }
    const before = old()
    const made = applyBinary(operator, before, value(frame), at)
    // `x += 1.5` casts to the type of x, as in Java.
    return { before, after: castTo(stepTypeOf(type, before, yieldsOld), made) ?? made }
  }
  const place = compilePlace(target, names)
  return (frame) => {
    const { read, write } = place(frame)
    const { before, after } = combine(frame, read)
    write(after)
    return yieldsOld ? before : after
  }
}

/** The type that a changed value is cast back to: a variable's own; of `def`, only `x++` keeps what it was. */
function stepTypeOf(type: string, before: unknown, isStep: boolean): string {
  return type === 'def' && isStep ? (numberTypeOf(before) ?? 'def') : type
}

/** A value as a variable of a type holds it. */
export function given(type: string, value: unknown, at: number, isConstant = false): unknown {
  if (type === 'def') return value
  return isConstant ? castTo(type, value) : converted(type, value, at)
}

interface ReadWrite {
  readonly read: () => unknown
  readonly write: (value: unknown) => void
}

function compilePlace(target: Place, names: Names): (frame: Frame) => ReadWrite {
  if (target.kind === 'variable') {
    const { slot } = resolve(target.name, names, target.at)
    return (frame) => ({
      read: () => frame.slots[slot] ?? null,
      write: (value) => {
        frame.slots[slot] = value
      },
    })
  }
  const container = compileExpression(target.target, names)
  const key = compileExpression(target.key, names)
  return (frame) => {
    const into = container(frame)
    const name = key(frame)
    return {
      read: () => readMember(into, name, target.at),
      write: (value) => writeMember(into, name, value, target.at),
    }
  }
}
