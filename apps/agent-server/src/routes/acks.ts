import { type AcksRequest, type AcksResponse, acksRequestSchema, agentApiPaths } from '@logstack/contracts'
import type { Services } from '../services.ts'
import { defineRoute } from './define-route.ts'

/** `POST /api/fleet/agents/{id}/acks`: what became of the actions of a check-in. */
export const acks = defineRoute({
  method: 'POST',
  path: agentApiPaths.acks,
  access: 'agent',
  async handle({ services, parameters, authorization, body }): Promise<AcksResponse> {
    const id = parameters['id'] ?? ''
    services.agents.authenticate(id, authorization)
    const { events } = await body(acksRequestSchema)
    const items = []
    for (const event of events) {
      if (event.error !== undefined) services.logger.warn({ agent: id, action: event.action_id }, event.error)
      const known = await acknowledge(services, id, event)
      items.push(known ? { status: 200, message: 'OK' } : { status: 404, message: 'unknown action' })
    }
    return { action: 'acks', errors: items.some((item) => item.status !== 200), items }
  },
})

async function acknowledge(
  { agents, actions, logger }: Services,
  id: string,
  event: AcksRequest['events'][number],
): Promise<boolean> {
  const { action_id: actionId } = event
  const [, revision] = /^policy:.+:(\d{1,9})$/.exec(actionId) ?? []
  if (revision !== undefined) {
    agents.policyAcknowledged(id, Number(revision))
    return true
  }
  if (await actions.acknowledged(id, actionId, event)) return true
  if (actionId !== `unenroll:${id}` || agents.get(id).active) return false
  await actions.forget(id)
  await agents.forget(id)
  logger.info({ agent: id }, 'agent unenrolled')
  return true
}
