import { agentApiPaths } from '@logstack/contracts'
import { defineRoute } from './define-route.ts'

/** `GET /api/status`: agents ask it before they move to another address. */
export const status = defineRoute({
  method: 'GET',
  path: agentApiPaths.status,
  access: 'open',
  handle: async () => ({ name: 'fleet-server', status: 'HEALTHY' }),
})
