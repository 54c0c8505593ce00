import { wazuhAgentSchema, wazuhAgentsIndex } from '@logstack/contracts'
import type { SearchClient } from '@logstack/search-client'
import { z } from 'zod'
import { shapedAnswer } from '../clients/answer-shape.ts'

/** As many as search shows of one answer. */
const pageSize = 10_000

const agentSchema = wazuhAgentSchema.omit({ key: true })
const keyedSchema = wazuhAgentSchema.pick({ name: true, ip: true, key: true })

/** A Wazuh agent, without its key. */
export interface StoredWazuhAgent extends z.infer<typeof agentSchema> {
  readonly id: string
}

/** Every Wazuh agent there is, without keys, in no order. None where none was ever added. */
export async function storedWazuhAgents(search: SearchClient): Promise<StoredWazuhAgent[]> {
  const found = await readAll(search, agentSchema)
  return [...found].map(([id, agent]) => ({ id, ...agent }))
}

/** What an import compares with: name, address and key of every agent, by id. */
export function storedWazuhKeys(search: SearchClient): Promise<ReadonlyMap<string, z.infer<typeof keyedSchema>>> {
  return readAll(search, keyedSchema)
}

async function readAll<T>(
  search: SearchClient,
  schema: z.ZodObject<z.ZodRawShape> & z.ZodType<T>,
): Promise<Map<string, T>> {
  const answer = z.object({
    hits: z.object({ hits: z.array(z.object({ _id: z.string(), _source: schema, sort: z.array(z.unknown()) })) }),
  })
  const found = new Map<string, T>()
  for (let after: readonly unknown[] | undefined; ; ) {
    const { body } = await search.request({
      method: 'POST',
      path: `/${encodeURIComponent(wazuhAgentsIndex.name)}/_search`,
      query: { ignore_unavailable: true },
      body: {
        size: pageSize,
        track_total_hits: false,
        _source: Object.keys(schema.shape),
        // One that endpoint-manager changes meanwhile comes again, and none is left out.
        sort: [{ _seq_no: { order: 'asc' } }],
        ...(after === undefined ? {} : { search_after: after }),
      },
    })
    const { hits } = shapedAnswer({ body }, answer, `what search answers of ${wazuhAgentsIndex.name}`).hits
    for (const { _id, _source } of hits) found.set(_id, _source as T)
    if (hits.length < pageSize) return found
    after = hits.at(-1)?.sort
  }
}
