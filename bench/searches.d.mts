import type { Counts } from './documents.mjs'

/** Name and body. */
export type Search = readonly [name: string, body: Readonly<Record<string, unknown>>]
/** All searches; `traceId` is that of one document. */
export function searchesFor(traceId: string): readonly Search[]
/** What must be found among the documents, by the search's name. */
export const expectedOf: Readonly<Record<string, (counts: Counts) => number>>
/** The value that such a share of `times` does not exceed. */
export function shareOf(times: number[], share: number): number
