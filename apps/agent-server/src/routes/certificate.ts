import { agentApiPaths, type CertificateResponse, certificateRequestSchema } from '@logstack/contracts'
import { AppError, agentsErrors } from '@logstack/errors'
import { signAgentCertificate } from '../agents/agent-certificate.ts'
import { defineRoute } from './define-route.ts'

/** `POST /api/fleet/agents/{id}/certificate`: a new client certificate for an agent that is enrolled still. */
export const certificate = defineRoute({
  method: 'POST',
  path: agentApiPaths.certificate,
  access: 'agent',
  async handle({ services, parameters, authorization, body }): Promise<CertificateResponse> {
    const id = parameters['id'] ?? ''
    const { active } = services.agents.authenticate(id, authorization)
    if (!active) throw new AppError(agentsErrors.agent_revoked, `agent [${id}] is no longer enrolled`)
    const { certificate_request } = await body(certificateRequestSchema)
    const signed = await signAgentCertificate(services, certificate_request, id)
    await services.agents.certified(id, signed)
    services.logger.info({ agent: id, not_after: signed.notAfter }, 'client certificate renewed')
    return { action: 'renewed', item: { certificate: signed.certificate, certificate_not_after: signed.notAfter } }
  },
})
