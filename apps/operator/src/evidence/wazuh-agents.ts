import { wazuhAgentStatus, wazuhAgentsIndex } from '@logstack/contracts'
import { z } from 'zod'
import type { DoctorContext } from '../doctor/define-fault.ts'
import { askSearch } from './search-answers.ts'

/** What doctor looks at of a Wazuh agent. */
export interface SeenWazuhAgent {
  readonly id: string
  readonly host: string
  /** Epoch milliseconds of when it was heard of last, of one that is not connected; undefined while it is. */
  readonly silentSince: number | undefined
}

/** Of one answer; search refuses more. */
const pageSize = 10_000
const one = <T>(value: z.ZodType<T>) =>
  z
    .array(value)
    .nullish()
    .transform((values) => values?.[0])
const fieldsSchema = z.object({ name: one(z.string()), last_seen: one(z.string()), connected: one(z.boolean()) })
const answer = z.object({
  hits: z.object({
    hits: z.array(z.object({ _id: z.string(), fields: fieldsSchema, sort: z.array(z.unknown()) })),
  }),
})

/** Wazuh agents that came at least once: whoever imports keys need not lead all of their hosts here. */
export async function seenWazuhAgents(context: DoctorContext, nowMs: number): Promise<SeenWazuhAgent[]> {
  const found: SeenWazuhAgent[] = []
  for (let after: readonly unknown[] | undefined; ; ) {
    const body = {
      size: pageSize,
      query: { exists: { field: 'last_seen' } },
      // Columns: the document holds the key.
      _source: false,
      docvalue_fields: Object.keys(fieldsSchema.shape),
      sort: [{ added: 'asc' }, { name: 'asc' }],
      ...(after === undefined ? {} : { search_after: after }),
    }
    const path = `/${wazuhAgentsIndex.name}/_search`
    const hits = (await askSearch(context, { path, body, answer }))?.hits.hits ?? []
    for (const { _id: id, fields } of hits) {
      const { name, last_seen, connected } = fields
      const isActive = wazuhAgentStatus({ connected, last_seen }, nowMs) === 'active'
      found.push({ id, host: name ?? 'unknown host', silentSince: isActive ? undefined : Date.parse(last_seen ?? '') })
    }
    if (hits.length < pageSize) return found
    after = hits.at(-1)?.sort
  }
}
