/** Name and body of each search; `traceId` is that of one document. */
export function searchesFor(
  traceId: string,
): readonly (readonly [name: string, body: Readonly<Record<string, unknown>>])[]
