import { X509Certificate } from 'node:crypto'
import { agentApiPaths, certificateResponseSchema } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { DataPaths } from './data-directory.ts'
import { type Identity, writeIdentity } from './identity.ts'
import type { ServerClient } from './server-client.ts'

const timeoutMs = 30_000
const lookEveryMs = 3_600_000
const triedAgainMs = 60_000
/** Renewed when so much of its time is left: of two years half a year, for hosts that are seldom on. */
const renewedAtShare = 0.25

/** Whether a client certificate ends soon, has ended, is none, or begins later: it was made while the server's clock was ahead, and nobody takes it now. */
export function needsRenewal(certificate: string, now: Date): boolean {
  if (certificate === '') return true
  const { validFrom, validTo } = new X509Certificate(certificate)
  const end = Date.parse(validTo)
  if (Date.parse(validFrom) > now.getTime()) return true
  return end - now.getTime() < (end - Date.parse(validFrom)) * renewedAtShare
}

interface RenewalOptions {
  readonly identity: Identity
  readonly paths: DataPaths
  readonly client: ServerClient
  readonly logger: Logger
  readonly now: () => Date
  /** The new one is on disk. */
  readonly renewed: () => void
}

/** Gets an agent a new client certificate, for a new key, before its own ends: endpoint-manager takes events from nobody without. */
export class CertificateRenewal {
  readonly #options: RenewalOptions
  #next = 0
  #isAtIt = false

  constructor(options: RenewalOptions) {
    this.#options = options
  }

  /** Call at the start and after each answer of agent-server: renews when it is time, and looks at most once an hour; a minute after a failure. */
  async look(): Promise<void> {
    const { identity, logger, now, renewed } = this.#options
    const leftMs = this.#next - now().getTime()
    // So long only where the clock was set back.
    const isEarly = leftMs > 0 && leftMs <= lookEveryMs
    if (this.#isAtIt || isEarly) return
    this.#next = now().getTime() + lookEveryMs
    if (!needsRenewal(identity.certificate, now())) return
    this.#isAtIt = true
    try {
      const notAfter = await this.#renew()
      logger.info({ not_after: notAfter }, 'the client certificate was renewed')
      renewed()
    } catch (thrown) {
      logger.warn(`the client certificate is not renewed yet: ${messageOf(thrown)}`)
      this.#next = now().getTime() + triedAgainMs
    } finally {
      this.#isAtIt = false
    }
  }

  async #renew(): Promise<string> {
    const { identity, paths, client } = this.#options
    const { createClientRequest, keyMatchesCertificate } = await import('@logstack/pki')
    const { request, key } = await createClientRequest(identity.id)
    const { item } = await client.request({
      method: 'POST',
      path: agentApiPaths.certificate.replace(':id', identity.id),
      body: { certificate_request: request },
      timeoutMs,
      schema: certificateResponseSchema,
    })
    // What does not fit would lock the agent out; the one at work is good still.
    if (!keyMatchesCertificate(item.certificate, key)) throw new Error('agent-server signed another key')
    writeIdentity(paths, { ...identity, certificate: item.certificate, key })
    return item.certificate_not_after
  }
}
