import { z } from 'zod'
import { limits } from '../limits.ts'
import { defaultPolicyId } from '../policies/default-policy.ts'
import type { Services } from '../services.ts'
import type { EnrolmentToken } from '../tokens/enrolment-tokens.ts'
import { administratorRoute } from './administrator.ts'

const path = '/api/fleet/enrollment_api_keys'
const hourMs = 3_600_000

const makeSchema = z.object({
  policy_id: z.string().max(256).default(defaultPolicyId),
  name: z.string().max(256).default(''),
  lifetime_hours: z.number().min(0.01).max(limits.tokenLifetimeHoursMax).optional(),
})

function render(services: Services, id: string, token: EnrolmentToken) {
  const { name, policy_id, created_at, created_by, expires_at } = token
  return {
    id,
    api_key_id: id,
    name,
    policy_id,
    active: services.tokens.isValid(token),
    created_at,
    created_by,
    expires_at,
  }
}

/** `POST /api/fleet/enrollment_api_keys`: makes a token; its `api_key` is shown in this answer only. */
const make = administratorRoute({
  method: 'POST',
  path,
  async handle({ services, body, by: createdBy }) {
    const wanted = await body(makeSchema)
    services.policies.get(wanted.policy_id)
    const lifetimeHours = wanted.lifetime_hours ?? services.settings.get('tokens.lifetime_hours')
    const { id, apiKey, token } = await services.tokens.make({
      name: wanted.name,
      policyId: wanted.policy_id,
      createdBy,
      lifetimeMs: lifetimeHours * hourMs,
    })
    services.logger.info({ enrolment: id, policy: wanted.policy_id, by: createdBy }, 'enrolment token made')
    return { action: 'created', item: { ...render(services, id, token), api_key: apiKey } }
  },
})

const list = administratorRoute({
  method: 'GET',
  path,
  async handle({ services }) {
    const tokens = await services.tokens.list(limits.tokensListedMax)
    const items = tokens.map(({ id, document }) => render(services, id, document))
    return { items, total: items.length, page: 1, perPage: limits.tokensListedMax }
  },
})

const find = administratorRoute({
  method: 'GET',
  path: `${path}/:id`,
  async handle({ services, id }) {
    return { item: render(services, id, await services.tokens.find(id)) }
  },
})

const revoke = administratorRoute({
  method: 'DELETE',
  path: `${path}/:id`,
  async handle({ services, by, id }) {
    await services.tokens.revoke(id)
    services.logger.info({ enrolment: id, by }, 'enrolment token revoked')
    return { action: 'deleted' }
  },
})

/** Enrolment tokens, for administrators. */
export const enrolmentTokens = [make, list, find, revoke]
