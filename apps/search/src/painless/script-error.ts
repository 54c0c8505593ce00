import { AppError, searchErrors } from '@logstack/errors'

/** A fault at a place in a script: `at` is the offset of the character it is about. */
export class ScriptFault extends Error {
  readonly at: number
  /** Elasticsearch's type of the cause. */
  readonly type: string

  constructor(at: number, message: string, type = 'illegal_argument_exception') {
    super(message)
    this.name = 'ScriptFault'
    this.at = at
    this.type = type
  }
}

const around = 25
/** Letters of a reason that are shown: a script may throw a text as long as it likes. */
const reasonCharsMax = 10_000

/** The `script_exception` that shows a fault as Elasticsearch does: the piece of the script with a mark under it. */
export function scriptException(stage: 'compile' | 'runtime', source: string, fault: ScriptFault): AppError {
  const start = Math.max(0, fault.at - around)
  const end = Math.min(source.length, fault.at + around)
  const piece = `${start > 0 ? '... ' : ''}${source.slice(start, end)}${end < source.length ? ' ...' : ''}`
  const indent = ' '.repeat(fault.at - start + (start > 0 ? 4 : 0))
  const cause = new AppError(
    { ...searchErrors.illegal_argument_exception, code: fault.type },
    fault.message.slice(0, reasonCharsMax),
  )
  return new AppError(searchErrors.script_exception, `${stage} error`, {
    cause,
    detail: {
      script_stack: [piece, `${indent}^---- HERE`],
      script: source,
      lang: 'painless',
      position: { offset: fault.at, start, end },
    },
  })
}
