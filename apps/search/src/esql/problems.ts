import { type AppError, placeOf, verificationError as refused } from '@logstack/errors'

/** Something that stands wrong in a query that can be read. */
export class Problem extends Error {
  readonly offset: number

  constructor(offset: number, reason: string) {
    super(reason)
    this.offset = offset
  }
}

/** A query that can be read and not be answered: all that stands wrong in it, each once. */
export function verificationError(text: string, problems: readonly Problem[]): AppError {
  return refused([...new Set(problems.map(({ offset, message }) => `${placeOf(text, offset)}: ${message}`))])
}
