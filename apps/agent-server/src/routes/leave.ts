import { agentApiPaths } from '@logstack/contracts'
import { defineRoute } from './define-route.ts'

/** `POST /api/fleet/agents/{id}/leave`: an agent that is being uninstalled takes its leave, and nothing is kept of it. */
export const leave = defineRoute({
  method: 'POST',
  path: agentApiPaths.leave,
  access: 'agent',
  async handle({ services, parameters, authorization }) {
    const id = parameters['id'] ?? ''
    services.agents.authenticate(id, authorization)
    // First written as unenrolled: where the removal fails, its events are refused all the same.
    await services.agents.unenrol(id)
    await services.agents.forget(id)
    await services.actions.forget(id)
    services.logger.info({ agent: id }, 'agent left')
    return { action: 'left' }
  },
})
