import { agentIndices } from '@logstack/contracts'
import type { DoctorContext } from '../checks/faults/define-fault.ts'
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

interface Unit {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly message: string
}

interface StoredAgent {
  readonly active?: boolean
  readonly status?: string
  readonly host_name?: string
  readonly agent_version?: string
  readonly enrolled_at: string
  readonly last_checkin?: string
  readonly last_checkin_message?: string
  readonly components?: readonly { readonly units?: readonly Unit[] }[]
}

interface AgentsAnswer {
  readonly hits?: { readonly hits?: readonly { readonly _id: string; readonly _source: StoredAgent }[] }
}

const agentsMax = 1_000

/** The agents that are enrolled, at most a thousand. */
export async function enrolledAgents(context: DoctorContext): Promise<EnrolledAgent[]> {
  const body = { size: agentsMax, query: { term: { active: true } } }
  const answer = await askSearch<AgentsAnswer>(context, { path: `/${agentIndices.agents.name}/_search`, body })
  return (answer?.hits?.hits ?? []).map(({ _id, _source: agent }) => {
    const units = (agent.components ?? []).flatMap(({ units: own }) => own ?? [])
    const waiting = units.find(({ type, status }) => type === 'output' && status === 'DEGRADED')?.message
    return {
      id: _id,
      host: agent.host_name ?? 'unknown host',
      status: agent.status ?? 'unknown',
      silentSince: Date.parse(agent.last_checkin ?? agent.enrolled_at),
      message: agent.last_checkin_message ?? '',
      version: agent.agent_version,
      failed: units.filter(({ status }) => status === 'FAILED').map(({ id, message }) => `${id}: ${message}`),
      waiting,
    }
  })
}
