import { AppError, searchErrors } from '@logstack/errors'

/** Where an offset of a text is: `line 2:5`, lines and columns from 1. */
function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return `line ${line}:${offset - before.lastIndexOf('\n')}`
}

/** A query that is not ES|QL. */
export function syntaxError(text: string, offset: number, reason: string): AppError {
  return new AppError(searchErrors.parsing_exception, `${placeOf(text, offset)}: ${reason}`)
}

/** Something that stands wrong in a query that can be read. */
export class Problem extends Error {
  readonly offset: number

  constructor(offset: number, reason: string) {
    super(reason)
    this.offset = offset
  }
}

/** A query that can be read and not be answered: all that stands wrong in it. */
export function verificationError(text: string, problems: readonly Problem[]): AppError {
  const lines = [...new Set(problems.map(({ offset, message }) => `${placeOf(text, offset)}: ${message}`))]
  const found = lines.length === 1 ? 'Found 1 problem' : `Found ${lines.length} problems`
  return new AppError(searchErrors.verification_exception, [found, ...lines].join('\n'))
}
