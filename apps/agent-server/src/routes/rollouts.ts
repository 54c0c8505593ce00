import { randomUUID } from 'node:crypto'
import { rolloutSchema } from '@logstack/contracts'
import { AppError, agentsErrors } from '@logstack/errors'
import { programOf } from '../agents/agents.ts'
import type { Services } from '../services.ts'
import { administratorRoute } from './administrator.ts'

const path = '/api/fleet/agents/bulk_upgrade'
const lifetimeMs = 24 * 3_600_000

/**
 * `POST /api/fleet/agents/bulk_upgrade`: upgrades many agents, the first at once and the others spread over a time. An agent that goes back to its old program, or
 * is not heard of again, keeps all from beginning that have not begun.
 */
const start = administratorRoute({
  method: 'POST',
  path,
  async handle({ services, body, by }) {
    const wanted = await body(rolloutSchema)
    const ids = agentsOf(services, wanted)
    // All of them before the first is told: a program that is not handed out ends it here.
    const { installer, agents } = services
    const programs = await Promise.all(ids.map((agentId) => installer.upgradeOf(programOf(agents.get(agentId)))))
    const id = randomUUID()
    const now = services.now()
    const stepMs = (wanted.rollout_duration_seconds * 1000) / ids.length
    const order = (agentId: string, at: number) =>
      services.actions.order(agentId, {
        type: 'UPGRADE',
        data: programs[at] ?? {},
        by,
        lifetimeMs,
        rollout: { id, fromMs: Math.round(now + at * stepMs) },
      })
    await Promise.all(ids.map(order))
    services.logger.info({ rollout: id, agents: ids.length, by }, 'rollout ordered')
    return { item: { id, agents: ids.length, statuses: services.actions.rollout(id) } }
  },
})

const find = administratorRoute({
  method: 'GET',
  path: `${path}/:id`,
  async handle({ services, id }) {
    const statuses = services.actions.rollout(id)
    if (!statuses) throw new AppError(agentsErrors.agent_not_found, `no rollout [${id}]`)
    return { item: { id, statuses } }
  },
})

function agentsOf(
  { agents, policies }: Services,
  wanted: { readonly agents?: readonly string[] | undefined; readonly policy_id?: string | undefined },
): string[] {
  if ((wanted.agents === undefined) === (wanted.policy_id === undefined))
    throw new AppError(agentsErrors.agent_request_invalid, 'expected either [agents] or [policy_id]')
  for (const id of wanted.agents ?? []) agents.get(id)
  if (wanted.agents) return [...new Set(wanted.agents)]
  const { policy_id: policyId = '' } = wanted
  policies.get(policyId)
  const ids = agents.list().flatMap(({ id, agent }) => (agent.active && agent.policy_id === policyId ? [id] : []))
  if (ids.length > 0) return ids
  throw new AppError(agentsErrors.agent_request_invalid, `no agent has the policy [${policyId}]`)
}

/** Upgrades of many agents, for administrators. */
export const rollouts = [start, find]
