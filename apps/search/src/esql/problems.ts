import { type AppError, placeOf, verificationError as refused, syntaxError } from '@logstack/errors'

/** Something that stands wrong in a query that can be read. */
export class Problem extends Error {
  readonly offset: number

  constructor(offset: number, reason: string) {
    super(reason)
    this.offset = offset
  }
}

/** What is told at its own place, and not at that of the call around it. */
export class ProblemInPlace extends Problem {}

/** A constant that cannot be read as what it stands for. */
export class UnreadConstant extends ProblemInPlace {}

/** What Elasticsearch finds while it still reads the query: a call with too few arguments, a type that there is not. */
export class ReadingProblem extends Problem {}

/** A query that can be read and not be answered: all that stands wrong in it, each once. */
export function verificationError(text: string, problems: readonly Problem[]): AppError {
  const first = problems.find((problem) => problem instanceof ReadingProblem)
  if (first) return syntaxError(text, first.offset, first.message)
  return refused([...new Set(problems.map(({ offset, message }) => `${placeOf(text, offset)}: ${message}`))])
}

/** Runs what looks at the arguments of a call: what is wrong with one is told at the place of the call. */
export function atPlaceOf<Result>({ from }: { readonly from: number }, work: () => Result): Result {
  try {
    return work()
  } catch (thrown) {
    if (!(thrown instanceof Problem) || thrown instanceof ProblemInPlace || thrown instanceof ReadingProblem)
      throw thrown
    throw new Problem(from, thrown.message)
  }
}
