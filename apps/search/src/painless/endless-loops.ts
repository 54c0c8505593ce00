import type { Statement } from './ast.ts'

type Loop = Extract<Statement, { kind: 'for' }>

/** The kind of a loop that nothing ends, as Elasticsearch names it in its refusal; undefined for loops that may end. */
export function loopThatNeverEnds({ test, initial, update, bodyFirst, body }: Loop): string | undefined {
  if (test !== undefined && !(test.kind === 'literal' && test.value === true)) return undefined
  if (escapes(body, true)) return undefined
  if (bodyFirst) return 'do-while'
  return test === undefined || initial !== undefined || update !== undefined ? 'for' : 'while'
}

/** Whether a statement may leave the loop it stands in; a `break` counts for the innermost loop only. */
function escapes(statement: Statement, innermost: boolean): boolean {
  switch (statement.kind) {
    case 'return':
    case 'throw':
      return true
    case 'break':
      return innermost
    case 'block':
      return statement.body.some((each) => escapes(each, innermost))
    case 'if':
      return (
        escapes(statement.then, innermost) ||
        (statement.otherwise !== undefined && escapes(statement.otherwise, innermost))
      )
    case 'try':
      return [statement.body, ...statement.catches.map(({ body }) => body)].some((each) => escapes(each, innermost))
    case 'for':
    case 'each':
      return escapes(statement.body, false)
    default:
      return false
  }
}
