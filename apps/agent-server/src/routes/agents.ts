import { z } from 'zod'
import type { StoredAgent } from '../agents/agents.ts'
import { administratorRoute } from './administrator.ts'

const path = '/api/fleet/agents'

const reassignSchema = z.strictObject({ policy_id: z.string().min(1).max(256) })

function render(id: string, agent: StoredAgent) {
  const { access_key_id: _id, access_key_sha256: _hash, ...shown } = agent
  return { id, ...shown }
}

const list = administratorRoute({
  method: 'GET',
  path,
  async handle({ services }) {
    services.agents.sweep(services.settings.get('agents.offline_after_ms'))
    const items = services.agents.list().map(({ id, agent }) => render(id, agent))
    return { items, total: items.length, page: 1, perPage: items.length }
  },
})

const find = administratorRoute({
  method: 'GET',
  path: `${path}/:id`,
  async handle({ services, id }) {
    return { item: render(id, services.agents.find(id)) }
  },
})

/** `DELETE /api/fleet/agents/{id}`: unenrols; the agent stops when it hears of it, its events are refused from now on. */
const unenrol = administratorRoute({
  method: 'DELETE',
  path: `${path}/:id`,
  async handle({ services, by, id }) {
    await services.agents.unenrol(id)
    services.logger.info({ agent: id, by }, 'agent is being unenrolled')
    return { action: 'deleted' }
  },
})

/** `POST /api/fleet/agents/{id}/reassign`: another policy; an agent that waits gets it at once. */
const reassign = administratorRoute({
  method: 'POST',
  path: `${path}/:id/reassign`,
  async handle({ services, body, by, id }) {
    services.agents.get(id)
    const { policy_id } = await body(reassignSchema)
    services.policies.get(policy_id)
    await services.agents.reassign(id, policy_id)
    services.logger.info({ agent: id, policy: policy_id, by }, 'agent moved to another policy')
    return { item: render(id, services.agents.find(id)) }
  },
})

/** The enrolled agents, for administrators. */
export const agents = [list, find, unenrol, reassign]
