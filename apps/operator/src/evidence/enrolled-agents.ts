import { agentIndices } from '@logstack/contracts'
import { z } from 'zod'
import type { DoctorContext } from '../checks/faults/define-fault.ts'
import { hitsAnswer } from './answer-shape.ts'
import { askSearch } from './search-answers.ts'

/** An agent as agent-server last wrote it down. */
export interface EnrolledAgent {
  readonly id: string
  readonly host: string
  readonly status: string
  /** Epoch milliseconds of its last check-in, or of its enrolment before the first. */
  readonly silentSince: number
  readonly message: string
  readonly version: string | undefined
  /** Inputs and outputs that failed, in the agent's words. */
  readonly failed: readonly string[]
  /** What its output says while events wait on the agent's disk. */
  readonly waiting: string | undefined
}

// What one agent reports badly must not hide the others.
const word = z
  .string()
  .nullish()
  .transform((text) => text ?? '')
const unitSchema = z.object({ id: word, type: word, status: word, message: word })
const agentSchema = z.object({
  status: z.string().nullish(),
  host_name: z.string().nullish(),
  agent_version: z.string().nullish(),
  enrolled_at: z.string(),
  last_checkin: z.string().nullish(),
  last_checkin_message: z.string().nullish(),
  components: z.array(z.object({ units: z.array(unitSchema).nullish() })).nullish(),
})
const answer = hitsAnswer(agentSchema)

/** Of one answer: what agents say of themselves is some kilobytes each. */
const pageSize = 1_000
/** As many as agent-server takes, and search shows of one list. */
const agentsMax = 10_000
const read = Object.keys(agentSchema.shape)

/** All agents that are enrolled. */
export async function enrolledAgents(context: DoctorContext): Promise<EnrolledAgent[]> {
  const agents: EnrolledAgent[] = []
  for (let from = 0; from < agentsMax; from += pageSize) {
    const page = await readPage(context, from)
    agents.push(...page)
    if (page.length < pageSize) break
  }
  return agents
}

async function readPage(context: DoctorContext, from: number): Promise<EnrolledAgent[]> {
  const body = {
    from,
    size: pageSize,
    query: { term: { active: true } },
    _source: read,
    // Each agent's own, and it stays: none is on two pages, or on none.
    sort: [{ access_key_id: 'asc' }],
  }
  const found = await askSearch(context, { path: `/${agentIndices.agents.name}/_search`, body, answer })
  return (found?.hits.hits ?? []).map(({ _id, _source: agent }) => {
    const units = (agent.components ?? []).flatMap(({ units: own }) => own ?? [])
    const waiting = units.find(({ type, status }) => type === 'output' && status === 'DEGRADED')?.message
    return {
      id: _id,
      host: agent.host_name ?? 'unknown host',
      status: agent.status ?? 'unknown',
      silentSince: Date.parse(agent.last_checkin ?? agent.enrolled_at),
      message: agent.last_checkin_message ?? '',
      version: agent.agent_version ?? undefined,
      failed: units.filter(({ status }) => status === 'FAILED').map(({ id, message }) => `${id}: ${message}`),
      waiting,
    }
  })
}
