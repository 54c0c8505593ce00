import { AppError, agentsErrors } from '@logstack/errors'
import { type Authority, inspectCertificate, signClientRequest } from '@logstack/pki'

/** An agent's client certificate as PEM, and what is kept of it. */
export interface AgentCertificate {
  readonly certificate: string
  readonly serial: string
  /** In ISO 8601. */
  readonly notAfter: string
}

/** Signs an agent's certificate request, in the agent's name whatever the request says; throws `agent_request_invalid`. */
export async function signAgentCertificate(
  { authority, now }: { readonly authority: Authority; readonly now: () => number },
  request: string,
  id: string,
): Promise<AgentCertificate> {
  try {
    const certificate = await signClientRequest(authority, { request, commonName: id, now: new Date(now()) })
    const { serialNumber, notAfter } = inspectCertificate(certificate)
    return { certificate, serial: serialNumber, notAfter: notAfter.toISOString() }
  } catch (thrown) {
    throw new AppError(agentsErrors.agent_request_invalid, 'certificate_request is no usable certificate request', {
      cause: thrown,
    })
  }
}
