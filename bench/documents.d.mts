/** The mapping the documents are sent into. */
export const mapping: Readonly<Record<string, unknown>>
/** What the documents have, counted while they were written: the id of one, and numbers of documents. */
export interface Counts {
  readonly traceId: string
  readonly [what: string]: number | string
}
/** Writes `count` documents as bulk bodies of 5,000; answers where each body is and how many bytes the documents alone have. */
export function writeCorpus(
  file: string,
  count: number,
  seed: number,
  span?: { readonly startMs: number; readonly spanMs: number },
): {
  readonly bodies: readonly { readonly offset: number; readonly length: number }[]
  readonly documentBytes: number
  readonly count: number
  readonly counts: Counts
}
/** The same of documents that a file holds, one a line. */
export function copyCorpus(
  file: string,
  from: string,
): {
  readonly bodies: readonly { readonly offset: number; readonly length: number }[]
  readonly documentBytes: number
  readonly count: number
}
