import { wazuhAgentIdSchema, wazuhAgentsIndex } from '@logstack/contracts'
import { z } from 'zod'
import { forward } from '../forward.ts'
import { checked, defineRoutes, pathParameter } from '../route.ts'
import { nameOf } from './caller-rights.ts'

const parametersSchema = z.object({ id: wazuhAgentIdSchema })

/** Wazuh agents: search forgets one with the caller's rights, and endpoint-manager lets it in no more. */
export const wazuhAgentRoutes = defineRoutes({
  method: 'DELETE',
  path: '/api/wazuh-agents/:id',
  access: 'authenticated',
  async handle(call, services) {
    const { id } = checked({ id: pathParameter(call, 'id') }, parametersSchema, 'query')
    const path = `/${wazuhAgentsIndex.name}/_doc/${id}?refresh=true`
    const answer = await forward(call, services, {
      method: 'DELETE',
      path,
      body: Buffer.alloc(0),
      contentType: undefined,
    })
    if (answer.status === 200)
      services.logger.info({ agent: id, by: await nameOf(call, services) }, 'Wazuh agent was removed')
    return answer
  },
})
