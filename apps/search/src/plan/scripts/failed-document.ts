import type { IndexMeta } from '../../model/index-meta.ts'

/** The document that a script failed over. */
export interface FailedDocument {
  readonly index: IndexMeta
  /** What leads to its shard: its routing, or its id. */
  readonly routing: string
}

const failures = new WeakMap<object, FailedDocument>()

/** Notes over which document an error was thrown, so that it can be said which shard failed. */
export function noteFailedDocument(thrown: unknown, document: FailedDocument): void {
  if (typeof thrown === 'object' && thrown !== null && !failures.has(thrown)) failures.set(thrown, document)
}

/** The document that an error was thrown over; undefined when it was none. */
export function failedDocumentOf(thrown: object): FailedDocument | undefined {
  return failures.get(thrown)
}
