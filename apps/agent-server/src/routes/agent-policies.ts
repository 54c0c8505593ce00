import { randomUUID } from 'node:crypto'
import { agentPolicySchema, policyEditSchema, policyInputsSchema } from '@logstack/contracts'
import { AppError, agentsErrors } from '@logstack/errors'
import { z } from 'zod'
import { limits } from '../limits.ts'
import { defaultPolicyId } from '../policies/default-policy.ts'
import { administratorRoute } from './administrator.ts'

const path = '/api/fleet/agent_policies'
const createSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'small letters, digits, - and _, at most 64')
    .optional(),
  name: z.string().min(1).max(256),
  copy_of: z.string().max(256).default(defaultPolicyId),
  inputs: policyInputsSchema.optional(),
  collect_paths: agentPolicySchema.shape.collect_paths,
})

const list = administratorRoute({
  method: 'GET',
  path,
  async handle({ services }) {
    const items = services.policies.list().map(({ id, policy }) => ({ id, ...policy }))
    return { items, total: items.length, page: 1, perPage: items.length }
  },
})

const find = administratorRoute({
  method: 'GET',
  path: `${path}/:id`,
  async handle({ services, id }) {
    return { item: { id, ...services.policies.get(id) } }
  },
})

/** `POST /api/fleet/agent_policies`: a new policy, with the inputs of the one it is a copy of unless it says others. */
const create = administratorRoute({
  method: 'POST',
  path,
  async handle({ services, body, by }) {
    const { id = randomUUID(), copy_of: copyOf, ...wanted } = await body(createSchema)
    if (services.policies.list().length >= limits.policiesMax)
      throw new AppError(agentsErrors.agent_limit_reached, `there are ${limits.policiesMax} policies already`)
    const policy = await services.policies.create(id, { ...wanted, copyOf })
    services.logger.info({ policy: id, by }, 'policy made')
    return { item: { id, ...policy } }
  },
})

/** `DELETE /api/fleet/agent_policies/{id}`: refused while an agent has it. */
const remove = administratorRoute({
  method: 'DELETE',
  path: `${path}/:id`,
  async handle({ services, by, id }) {
    const having = services.agents.list().filter(({ agent }) => agent.policy_id === id).length
    if (having > 0)
      throw new AppError(agentsErrors.agent_policy_in_use, `${having} agents have the policy [${id}]: move them first`)
    await services.policies.remove(id)
    services.logger.info({ policy: id, by }, 'policy deleted')
    return { action: 'deleted' }
  },
})

/** `PUT /api/fleet/agent_policies/{id}`: other inputs as a new revision, unless it names a revision that is not the last; agents that wait get it at once. */
const update = administratorRoute({
  method: 'PUT',
  path: `${path}/:id`,
  async handle({ services, body, by, id }) {
    services.policies.get(id)
    const { revision, ...change } = await body(policyEditSchema)
    const policy = await services.policies.update(id, change, revision)
    services.logger.info({ policy: id, revision: policy.revision, by }, 'policy changed')
    return { item: { id, ...policy } }
  },
})

/** Agent policies, for administrators. */
export const agentPolicies = [list, find, create, update, remove]
