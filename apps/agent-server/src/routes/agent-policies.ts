import { agentPolicySchema } from '@logstack/contracts'
import { z } from 'zod'
import { requireAdministrator } from './administrator.ts'
import { defineRoute } from './define-route.ts'

const path = '/api/fleet/agent_policies'
const updateSchema = z.object({
  name: z.string().min(1).max(256),
  inputs: agentPolicySchema.shape.inputs,
  collect_paths: agentPolicySchema.shape.collect_paths,
})

const list = defineRoute({
  method: 'GET',
  path,
  access: 'administrator',
  async handle({ services, authorization }) {
    await requireAdministrator(services.asCaller, authorization)
    const items = services.policies.list().map(({ id, policy }) => ({ id, ...policy }))
    return { items, total: items.length, page: 1, perPage: items.length }
  },
})

const find = defineRoute({
  method: 'GET',
  path: `${path}/:id`,
  access: 'administrator',
  async handle({ services, authorization, parameters }) {
    await requireAdministrator(services.asCaller, authorization)
    const id = parameters['id'] ?? ''
    return { item: { id, ...services.policies.get(id) } }
  },
})

/** `PUT /api/fleet/agent_policies/{id}`: other inputs as a new revision; agents that wait get it at once. */
const update = defineRoute({
  method: 'PUT',
  path: `${path}/:id`,
  access: 'administrator',
  async handle({ services, authorization, parameters, body }) {
    const by = await requireAdministrator(services.asCaller, authorization)
    const id = parameters['id'] ?? ''
    services.policies.get(id)
    const policy = await services.policies.update(id, await body(updateSchema))
    services.logger.info({ policy: id, revision: policy.revision, by }, 'policy changed')
    return { item: { id, ...policy } }
  },
})

/** Agent policies, for administrators. */
export const agentPolicies = [list, find, update]
