import { X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'

/** TLS material (PEM) of a server: what every client gets, and what those get who ask for a name of the imported certificate. */
export interface ServerCertificates {
  readonly cert: string
  readonly key: string
  /** Checked against for clients' certificates. */
  readonly ca?: string
  readonly imported?: { readonly cert: string; readonly key: string }
}

/** The oldest TLS that is spoken. */
export const minVersion = 'TLSv1.2'

// The parts, agents and local tools trust the stack's own authority only, and ask for these names.
const ownNames = /^(localhost|logstack-[a-z-]+)$/i

/**
 * Picks by the name a client asks for (RFC 6066, SNI): the imported certificate for the names it covers, the stack's own for everything
 * else, also for clients that connect to an address. So an imported one never stands between the parts.
 */
export class NamedCertificate {
  #imported: { readonly facts: X509Certificate; readonly context: SecureContext } | undefined

  constructor(tls: ServerCertificates) {
    this.replace(tls)
  }

  /** From now on; a certificate that cannot be used throws and changes nothing. */
  replace({ imported }: ServerCertificates): void {
    this.#imported = imported && {
      facts: new X509Certificate(imported.cert),
      context: createSecureContext({ ...imported, minVersion }),
    }
  }

  /** The context for a name; undefined for the server's own. */
  contextFor(name: string): SecureContext | undefined {
    if (ownNames.test(name)) return undefined
    return this.#imported?.facts.checkHost(name) === undefined ? undefined : this.#imported.context
  }
}
