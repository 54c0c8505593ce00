import { z } from 'zod'
import type { SearchClient } from './client.ts'

const page = 5_000

const pageSchema = z.object({
  hits: z.object({ hits: z.array(z.object({ _id: z.string(), _source: z.unknown(), sort: z.array(z.unknown()) })) }),
})

/** A document that was found. */
interface FoundDocument {
  readonly _id: string
  readonly _source?: unknown
}

/** All hits of a search, however many, page by page. Its `sort` must tell each document from every other; an index that is not there has none. */
export async function* readHits(
  search: SearchClient,
  index: string,
  body: { readonly sort: readonly unknown[] } & Readonly<Record<string, unknown>>,
): AsyncGenerator<FoundDocument> {
  for (let after: readonly unknown[] | undefined; ; ) {
    const answer = await search.request({
      method: 'POST',
      path: `/${encodeURIComponent(index)}/_search`,
      query: { ignore_unavailable: true },
      body: { size: page, track_total_hits: false, ...body, ...(after === undefined ? {} : { search_after: after }) },
    })
    const { hits } = pageSchema.parse(answer.body).hits
    yield* hits
    if (hits.length < page) return
    after = hits.at(-1)?.sort
  }
}
