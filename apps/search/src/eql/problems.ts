import { placeOf, verificationError } from '@logstack/errors'

/** Problems of a query that are shown; a query of a megabyte may have a hundred thousand. */
const shownMax = 100

/** What is wrong with a query that can be read, in the order of its places. */
export class Problems {
  readonly #query: string
  readonly #found = new Map<string, number>()

  constructor(query: string) {
    this.#query = query
  }

  /** Notes a problem; without a place it is one of the request. */
  add(at: number | undefined, message: string): void {
    if (this.#found.size >= shownMax) return
    const line = at === undefined ? 'line -1:-1' : placeOf(this.#query, at)
    this.#found.set(`${line}: ${message}`, at ?? -1)
  }

  /** Throws `verification_exception` when there are any. */
  throwAny(): void {
    if (this.#found.size === 0) return
    const lines = [...this.#found].sort(([, one], [, other]) => one - other).map(([line]) => line)
    throw verificationError(lines)
  }
}
