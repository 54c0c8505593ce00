import type { ParsedScript, ScriptFunction, Statement } from './ast.ts'
import { CharValue } from './char-value.ts'
import { checkFlow, neverEndsNormally } from './check-flow.ts'
import { compileCondition, compileExpression, converted, given } from './compile-expression.ts'
import { loopThatNeverEnds } from './endless-loops.ts'
import { catches, ExceptionValue } from './exceptions.ts'
import { countStep, type Frame, type Names, type OwnFunction } from './frame.ts'
import { HostObject } from './host-object.ts'
import { javaName } from './java-values.ts'
import { ScriptFault } from './script-error.ts'
import { checkAssignable, isSmallConstant } from './static-types.ts'
import { numberOf } from './typed-number.ts'
import { numericType } from './types.ts'

/** How a statement ended: `undefined` goes on to the next. */
type Ending = undefined | 'break' | 'continue' | { readonly returned: unknown }

/** A compiled statement. */
export type Run = (frame: Frame) => Ending

/** Turns a script into one function of the frame. */
export function compileParsed({ functions, body }: ParsedScript, names: Names): Run {
  names.bodiesCompiledBy(compileLambdaBody)
  const declared = functions.map((each) => {
    const own: OwnFunction = { call: () => null }
    names.declareOwnFunction(`${each.name}/${each.parameters.length}`, own, each.at)
    return { each, own }
  })
  for (const { body: inner } of functions) checkFlow(inner)
  checkFlow(body)
  for (const { each, own } of declared) own.call = compileFunction(each, names.withinFunction())
  return compileBlock(body, names)
}

/** What the `return` of a lambda's block gives. */
function compileLambdaBody(body: readonly Statement[], names: Names): (frame: Frame) => unknown {
  const run = compileBlock(body, names)
  return (frame) => {
    const ending = run(frame)
    return typeof ending === 'object' ? ending.returned : null
  }
}

function compileFunction({ name, returns, parameters, body, at }: ScriptFunction, names: Names): OwnFunction['call'] {
  names.bodiesCompiledBy(compileLambdaBody)
  if (returns !== 'void' && !neverEndsNormally(body)) {
    const reason = `not all paths provide a return value for function [${name}] with [${parameters.length}] parameters`
    throw new ScriptFault(at, `invalid function definition: ${reason}`)
  }
  names.returning(returns)
  const slots = parameters.map((each) => ({ type: each.type, slot: names.declare(each.name, each.type, at).slot }))
  const run = compileBlock(body, names)
  return (frame, args) => {
    countStep(frame, at)
    const inner: Frame = { slots: [], run: frame.run }
    for (const [place, { type, slot }] of slots.entries())
      inner.slots[slot] = type === 'def' ? (args[place] ?? null) : converted(type, args[place] ?? null, at)
    const ending = run(inner)
    return typeof ending === 'object' ? ending.returned : null
  }
}

/** Turns statements into one function of the frame; names declared in them end with them. */
function compileBlock(statements: readonly Statement[], names: Names): Run {
  const runs = statements.map((statement) => compileStatement(statement, names))
  return (frame) => {
    for (const run of runs) {
      const ending = run(frame)
      if (ending !== undefined) return ending
    }
    return undefined
  }
}

function compileStatement(statement: Statement, names: Names): Run {
  switch (statement.kind) {
    case 'expression': {
      const evaluate = compileExpression(statement.expression, names)
      return (frame) => {
        evaluate(frame)
        return undefined
      }
    }
    case 'declare':
      return compileDeclaration(statement, names)
    case 'block':
      return compileBlock(statement.body, names.inner())
    case 'if': {
      const test = compileCondition(statement.test, names)
      const then = compileStatement(statement.then, names.inner())
      const otherwise = statement.otherwise && compileStatement(statement.otherwise, names.inner())
      return (frame) => (test(frame) ? then(frame) : otherwise?.(frame))
    }
    case 'for':
      return compileFor(statement, names.inner())
    case 'each':
      return compileEach(statement, names.inner())
    case 'return': {
      const value = statement.value && compileExpression(statement.value, names)
      const { returnType } = names
      if (statement.value) checkAssignable(statement.value, returnType, names)
      if (!value || returnType === 'void') return () => ({ returned: null })
      return (frame) => ({ returned: given(returnType, value(frame) ?? null, statement.at) })
    }
    case 'throw': {
      const value = compileExpression(statement.value, names)
      return (frame) => {
        const thrown = value(frame)
        if (thrown instanceof ExceptionValue) throw thrown.fault
        throw new ScriptFault(statement.at, 'Cannot throw a value that is no exception', 'class_cast_exception')
      }
    }
    case 'try':
      return compileTry(statement, names)
    case 'break':
    case 'continue': {
      const { kind } = statement
      return () => kind
    }
  }
}

function compileTry({ body, catches: clauses }: Extract<Statement, { kind: 'try' }>, names: Names): Run {
  const run = compileStatement(body, names.inner())
  const caught = clauses.map((clause) => {
    const inner = names.inner()
    return {
      ...clause,
      slot: inner.declare(clause.name, 'def', clause.body.at).slot,
      run: compileStatement(clause.body, inner),
    }
  })
  return (frame) => {
    try {
      return run(frame)
    } catch (thrown) {
      if (!(thrown instanceof ScriptFault)) throw thrown
      const clause = caught.find(({ type }) => catches(type, thrown))
      if (!clause) throw thrown
      frame.slots[clause.slot] = new ExceptionValue(thrown)
      return clause.run(frame)
    }
  }
}

function compileDeclaration({ type, names: declared, at }: Extract<Statement, { kind: 'declare' }>, names: Names): Run {
  const steps = declared.map(({ name, value }) => {
    const evaluate = value && compileExpression(value, names)
    if (value) checkAssignable(value, type, names)
    const isConstant = value !== undefined && isSmallConstant(value, type)
    return { evaluate, isConstant, slot: names.declare(name, type, at).slot }
  })
  return (frame) => {
    for (const { evaluate, isConstant, slot } of steps)
      frame.slots[slot] = evaluate ? given(type, evaluate(frame), at, isConstant) : firstValue(type)
    return undefined
  }
}

/** What a variable holds that was declared without a value. */
function firstValue(type: string): unknown {
  if (type === 'boolean') return false
  if (type === 'char') return new CharValue('\0')
  const primitive = /^[a-z]/u.test(type) ? numericType(type) : undefined
  return primitive === undefined ? null : numberOf(primitive, 0)
}

function compileFor(statement: Extract<Statement, { kind: 'for' }>, names: Names): Run {
  const endless = loopThatNeverEnds(statement)
  if (endless !== undefined) throw new ScriptFault(statement.at, `no paths escape from ${endless} loop`)
  const initial = statement.initial && compileStatement(statement.initial, names)
  const test = statement.test && compileCondition(statement.test, names)
  const update = statement.update && compileExpression(statement.update, names)
  const body = compileStatement(statement.body, names.inner())
  return (frame) => {
    initial?.(frame)
    for (let first = true; (first && statement.bodyFirst) || (test?.(frame) ?? true); first = false) {
      countStep(frame, statement.at)
      const ending = body(frame)
      if (ending === 'break') return undefined
      if (typeof ending === 'object') return ending
      update?.(frame)
    }
    return undefined
  }
}

function compileEach(statement: Extract<Statement, { kind: 'each' }>, names: Names): Run {
  const over = compileExpression(statement.over, names)
  const { slot } = names.declare(statement.name, statement.type, statement.at)
  const body = compileStatement(statement.body, names.inner())
  return (frame) => {
    for (const value of iterable(over(frame), statement.at)) {
      countStep(frame, statement.at)
      frame.slots[slot] = given(statement.type, value, statement.at)
      const ending = body(frame)
      if (ending === 'break') return undefined
      if (typeof ending === 'object') return ending
    }
    return undefined
  }
}

function iterable(value: unknown, at: number): readonly unknown[] {
  const items = value instanceof HostObject ? value.items() : value
  if (!Array.isArray(items)) throw new ScriptFault(at, `Cannot iterate over [${javaName(value)}]`)
  return [...items]
}
