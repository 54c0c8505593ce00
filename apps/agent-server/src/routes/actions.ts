import { type OrderedAction, orderActionSchema, orderedActions } from '@logstack/contracts'
import { AppError, agentsErrors } from '@logstack/errors'
import { programOf } from '../agents/agents.ts'
import type { Services } from '../services.ts'
import { administratorRoute } from './administrator.ts'

const path = '/api/fleet/agents/:id/actions'

/** `POST /api/fleet/agents/{id}/actions`: tells an agent to do something; it hears of it at once when it is there. */
const order = administratorRoute({
  method: 'POST',
  path,
  async handle({ services, body, by, id }) {
    services.agents.get(id)
    const { action, expires_in_seconds } = await body(orderActionSchema)
    const data = await dataOf(services, id, action)
    const ordered = await services.actions.order(id, { ...action, data, by, lifetimeMs: expires_in_seconds * 1000 })
    services.logger.info({ agent: id, action: ordered.id, type: action.type, by }, 'action ordered')
    return { item: { id: ordered.id, ...ordered.action } }
  },
})

/** `GET /api/fleet/agents/{id}/actions`: what an agent was told to do in the last week, and what became of it; the newest first. */
const list = administratorRoute({
  method: 'GET',
  path,
  async handle({ services, id }) {
    services.agents.get(id)
    const items = services.actions.list(id).map((kept) => ({ id: kept.id, ...kept.action }))
    return { items, total: items.length }
  },
})

async function dataOf(
  { installer, agents }: Services,
  id: string,
  { type, data }: Pick<OrderedAction, 'type' | 'data'>,
): Promise<OrderedAction['data']> {
  const parsed = orderedActions[type].safeParse(data)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = ['action.data', ...(issue?.path ?? [])].join('.')
    throw new AppError(agentsErrors.agent_request_invalid, `${where}: ${issue?.message ?? 'not allowed'}`)
  }
  return type === 'UPGRADE' ? installer.upgradeOf(programOf(agents.get(id))) : parsed.data
}

/** What administrators tell agents to do. */
export const actions = [order, list]
