import { type PartName, type StateIndex, startOrder, stateIndices } from '@logstack/contracts'
import { ensureHiddenIndex, type HiddenIndexState, nameMadeAnew } from '@logstack/search-client'
import { z } from 'zod'
import { defineFault } from '../../doctor/define-fault.ts'
import { askSearch } from '../../evidence/search-answers.ts'
import { restartCommands, restartParts } from '../../mending/restart-parts.ts'

const answer = z.record(
  z.string(),
  z.object({
    mappings: z.object({ _meta: z.object({ version: z.number().optional() }).optional() }),
  }),
)

interface Lost {
  readonly part: PartName
  readonly index: StateIndex
  readonly state: Extract<HiddenIndexState, 'absent' | 'guessed'>
}

const owners: Partial<Record<PartName, readonly StateIndex[]>> = stateIndices
const all = startOrder.flat().flatMap((part) => (owners[part] ?? []).map((index) => ({ part, index })))

const words = {
  absent: 'not there, though its part runs',
  guessed: 'made by a write after it had been deleted: the types of its fields are guessed',
} as const

/** Hidden indices in which parts keep their state were deleted, by a request that deletes all indices for example. */
export const stateIndicesLost = defineFault<readonly Lost[]>({
  name: 'state-indices',
  title: 'indices of the parts',
  explainedBy: ['mounts'],
  async diagnose(context) {
    const found = (await askSearch(context, { path: '/.logstack-*/_mapping?expand_wildcards=all', answer })) ?? {}
    const listing = await context.look.listing()
    const runs = new Set(
      listing.state === 'answered' ? listing.parts.flatMap(({ part, ready }) => (ready ? [part] : [])) : [],
    )
    const lost = all.flatMap(({ part, index }): Lost[] => {
      const mappings = (found[index.name] ?? found[nameMadeAnew(index)])?.mappings
      // A part that does not run makes what it lacks when it starts.
      if (mappings === undefined) return runs.has(part) ? [{ part, index, state: 'absent' }] : []
      return mappings._meta?.version === undefined ? [{ part, index, state: 'guessed' }] : []
    })
    if (lost.length === 0) return { status: 'healthy', detail: `${all.length} as their parts made them` }
    return {
      status: 'fault',
      problem: `somebody deleted what ${partsOf(lost).join(', ')} ${partsOf(lost).length === 1 ? 'keeps' : 'keep'} in search: ${lost.map(({ index }) => index.name).join(', ')}`,
      evidence: lost.map(({ index, state }) => `${index.name}: ${words[state]}`),
      meaning: 'the parts do not start again, and what they knew is gone: saved dashboards, alerts, agents, policies',
      found: lost,
    }
  },
  plan: (_context, lost) => [
    '# make them anew, with what is in them',
    ...restartCommands(partsOf(lost)),
    '# only a snapshot brings back what was deleted: docs/snapshots.md',
  ],
  async repair({ stack }, lost, progress) {
    const search = stack.clients.search()
    for (const { index } of lost) await ensureHiddenIndex(search, index)
    await restartParts(stack, partsOf(lost), progress)
  },
})

function partsOf(lost: readonly Lost[]): PartName[] {
  return [...new Set(lost.map(({ part }) => part))]
}
