import type { Statement } from './ast.ts'
import { ScriptFault } from './script-error.ts'

/** Refuses statements that nothing reaches, and `break` and `continue` beside loops. Lambdas' blocks are not looked into. */
export function checkFlow(body: readonly Statement[], withinLoop = false): void {
  for (const [at, statement] of body.entries()) {
    const before = body[at - 1]
    if (before && leaves(before)) throw new ScriptFault(statement.at, 'Unreachable statement.')
    checkStatement(statement, withinLoop)
  }
}

function checkStatement(statement: Statement, withinLoop: boolean): void {
  switch (statement.kind) {
    case 'break':
    case 'continue': {
      const name = statement.kind === 'break' ? 'Break' : 'Continue'
      if (!withinLoop) throw new ScriptFault(statement.at, `${name} statement outside of a loop.`)
      return
    }
    case 'block':
      checkFlow(statement.body, withinLoop)
      return
    case 'if':
      checkStatement(statement.then, withinLoop)
      if (statement.otherwise) checkStatement(statement.otherwise, withinLoop)
      return
    case 'for':
    case 'each':
      checkStatement(statement.body, true)
      return
    case 'try':
      for (const { body } of [statement, ...statement.catches]) checkStatement(body, withinLoop)
      return
    default:
  }
}

/** Whether what follows a statement is never reached. */
function leaves(statement: Statement): boolean {
  return statement.kind === 'break' || statement.kind === 'continue' || endsFunction(statement)
}

function endsFunction(statement: Statement): boolean {
  switch (statement.kind) {
    case 'return':
    case 'throw':
      return true
    case 'block':
      return neverEndsNormally(statement.body)
    case 'if':
      return statement.otherwise !== undefined && endsFunction(statement.then) && endsFunction(statement.otherwise)
    case 'try':
      return [statement, ...statement.catches].every(({ body }) => endsFunction(body))
    case 'for':
      return isEndless(statement.test) && !hasBreak(statement.body)
    default:
      return false
  }
}

const isEndless = (test: Extract<Statement, { kind: 'for' }>['test']) =>
  test === undefined || (test.kind === 'literal' && test.value === true)

/** Whether a loop's body may leave it by `break`. */
function hasBreak(statement: Statement): boolean {
  switch (statement.kind) {
    case 'break':
      return true
    case 'block':
      return statement.body.some(hasBreak)
    case 'if':
      return hasBreak(statement.then) || (statement.otherwise !== undefined && hasBreak(statement.otherwise))
    case 'try':
      return [statement, ...statement.catches].some(({ body }) => hasBreak(body))
    default:
      return false
  }
}

/** Whether statements always return or throw. */
export function neverEndsNormally(body: readonly Statement[]): boolean {
  return body.some(endsFunction)
}
