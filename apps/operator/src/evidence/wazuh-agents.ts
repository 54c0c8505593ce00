import { wazuhAgentsIndex } from '@logstack/contracts'
import { z } from 'zod'
import type { DoctorContext } from '../doctor/define-fault.ts'
import { askSearch } from './search-answers.ts'

/** How the Wazuh agents are that came at least once: whoever imports keys need not lead all of their hosts here. */
export interface SeenWazuhAgents {
  readonly count: number
  /** How many of them have been silent for so long. */
  readonly silent: number
  /** Some of these, the longest silent first; `since` is epoch milliseconds. */
  readonly examples: readonly { readonly id: string; readonly host: string; readonly since: number }[]
}

const one = z
  .array(z.string())
  .nullish()
  .transform((values) => values?.[0])
const answer = z.object({
  hits: z.object({
    total: z.object({ value: z.number() }),
    hits: z.array(z.object({ _id: z.string(), fields: z.object({ name: one, last_seen: one }).optional() })),
  }),
})

/** Asks how many there are, and which were heard of last before `silentSinceMs` (epoch milliseconds): there may be tens of thousands, so search counts. */
export async function seenWazuhAgents(
  context: DoctorContext,
  { silentSinceMs, examplesMax }: { readonly silentSinceMs: number; readonly examplesMax: number },
): Promise<SeenWazuhAgents> {
  const ask = async (body: object) =>
    (await askSearch(context, { path: `/${wazuhAgentsIndex.name}/_search`, answer, body }))?.hits
  const all = await ask({ size: 0, track_total_hits: true, query: { exists: { field: 'last_seen' } } })
  if (all === undefined || all.total.value === 0) return { count: 0, silent: 0, examples: [] }
  const silent = await ask({
    size: examplesMax,
    track_total_hits: true,
    query: { range: { last_seen: { lt: new Date(silentSinceMs).toISOString() } } },
    // Columns: the document holds the key.
    _source: false,
    docvalue_fields: ['name', 'last_seen'],
    sort: [{ last_seen: 'asc' }, { name: 'asc' }],
  })
  return {
    count: all.total.value,
    silent: silent?.total.value ?? 0,
    examples: (silent?.hits ?? []).map(({ _id: id, fields }) => ({
      id,
      host: fields?.name ?? 'unknown host',
      since: Date.parse(fields?.last_seen ?? ''),
    })),
  }
}
