import { AppError } from './app-error.ts'
import { searchErrors } from './catalog/search.ts'

/** Where an offset of a text is, as errors of queries name it: `line 2:5`, lines and columns from 1. */
export function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return `line ${line}:${offset - before.lastIndexOf('\n')}`
}

/** A query that cannot be read: `parsing_exception` with the place. */
export function syntaxError(text: string, offset: number, reason: string): AppError {
  return new AppError(searchErrors.parsing_exception, `${placeOf(text, offset)}: ${reason}`)
}

/** A query that can be read and not be answered: all that stands wrong in it, a line each. */
export function verificationError(lines: readonly string[]): AppError {
  const found = lines.length === 1 ? 'Found 1 problem' : `Found ${lines.length} problems`
  return new AppError(searchErrors.verification_exception, [found, ...lines].join('\n'))
}
