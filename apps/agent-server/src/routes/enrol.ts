import { randomUUID } from 'node:crypto'
import { agentApiPaths, type EnrolResponse, enrolRequestSchema } from '@logstack/contracts'
import { AppError, agentsErrors } from '@logstack/errors'
import { createApiKey } from '@logstack/passwords/api-key'
import { signAgentCertificate } from '../agents/agent-certificate.ts'
import { describeHost, type StoredAgent } from '../agents/agents.ts'
import { limits } from '../limits.ts'
import { defineRoute } from './define-route.ts'
import { minuteWindow } from './minute-window.ts'

const enrolments = minuteWindow(limits.enrolmentsPerMinuteMax)

/** `POST /api/fleet/agents/enroll`: makes an agent of whoever holds a valid token, and signs its certificate. */
export const enrol = defineRoute({
  method: 'POST',
  path: agentApiPaths.enrol,
  access: 'enrolment-token',
  async handle({ services, authorization, body }): Promise<EnrolResponse> {
    const { agents, tokens, logger, now } = services
    if (!enrolments.take(now())) {
      throw new AppError(agentsErrors.agent_limit_reached, 'too many enrolments within a minute, try again later')
    }
    const token = await tokens.authenticate(authorization)
    services.policies.get(token.policy_id)
    const request = await body(enrolRequestSchema)
    const id = request.id ?? randomUUID()
    const key = createApiKey()
    const wanted = request.certificate_request
    const signed = wanted === undefined ? undefined : await signAgentCertificate(services, wanted, id)
    const local = request.metadata?.local ?? {}
    const enrolledAt = new Date(now()).toISOString()
    const agent: StoredAgent = {
      active: true,
      status: 'online',
      policy_id: token.policy_id,
      policy_revision: 0,
      enrolled_at: enrolledAt,
      access_key_id: key.id,
      access_key_sha256: key.sha256,
      tags: request.metadata?.tags ?? [],
      ...describeHost(local),
      ...(signed ? { certificate_serial: signed.serial, certificate_not_after: signed.notAfter } : {}),
    }
    await agents.add(id, agent)
    logger.info({ agent: id, host: agent.host_name, policy: token.policy_id }, 'agent enrolled')
    return {
      action: 'created',
      item: {
        id,
        active: true,
        policy_id: token.policy_id,
        type: 'PERMANENT',
        enrolled_at: enrolledAt,
        user_provided_metadata: request.metadata?.user_provided ?? {},
        local_metadata: local,
        actions: [],
        access_api_key_id: key.id,
        access_api_key: key.encoded,
        status: 'online',
        tags: agent.tags,
        ...(signed ? { certificate: signed.certificate } : {}),
      },
    }
  },
})
