import type { Statement } from './ast.ts'
import { compileCondition, compileExpression, converted, isDecimal } from './compile-expression.ts'
import { countStep, type Frame, type Names } from './frame.ts'
import { HostObject } from './host-object.ts'
import { ScriptFault } from './script-error.ts'

/** How a statement ended: `undefined` goes on to the next. */
type Ending = undefined | 'break' | 'continue' | { readonly returned: unknown }

/** A compiled statement. */
export type Run = (frame: Frame) => Ending

/** Turns statements into one function of the frame; names declared in them end with them. */
export function compileBlock(statements: readonly Statement[], names: Names): Run {
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
      if (statement.value && isDecimal(statement.value, names)) names.noteReturn(true)
      return (frame) => ({ returned: value?.(frame) ?? null })
    }
    case 'break':
    case 'continue': {
      const { kind } = statement
      return () => kind
    }
  }
}

function compileDeclaration({ type, names: declared, at }: Extract<Statement, { kind: 'declare' }>, names: Names): Run {
  const steps = declared.map(({ name, value }) => {
    const evaluate = value && compileExpression(value, names)
    return { evaluate, slot: names.declare(name, type, at, value && isDecimal(value, names)).slot }
  })
  return (frame) => {
    for (const { evaluate, slot } of steps) {
      frame.slots[slot] = evaluate ? (type === 'def' ? evaluate(frame) : converted(type, evaluate(frame), at)) : null
    }
    return undefined
  }
}

function compileFor(statement: Extract<Statement, { kind: 'for' }>, names: Names): Run {
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
  const { slot } = names.declare(statement.name, 'def', statement.at)
  const body = compileStatement(statement.body, names.inner())
  return (frame) => {
    for (const value of iterable(over(frame), statement.at)) {
      countStep(frame, statement.at)
      frame.slots[slot] = value
      const ending = body(frame)
      if (ending === 'break') return undefined
      if (typeof ending === 'object') return ending
    }
    return undefined
  }
}

function iterable(value: unknown, at: number): readonly unknown[] {
  const items = value instanceof HostObject ? value.items() : value
  if (!Array.isArray(items)) throw new ScriptFault(at, 'Cannot iterate over a value that is no list')
  return [...items]
}
