import { AppError, placeOf, searchErrors } from '@logstack/errors'

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
