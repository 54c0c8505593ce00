import { X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'

/** TLS material (PEM) of a server: its own certificate, and an imported one for clients that ask for one of that one's names. */
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
 * Chooses the certificate by the name that a client asks for (SNI, RFC 6066): the imported one for the names it covers, the stack's own for all others and for
 * clients that connect to an address. So the parts never see the imported one.
 */
export class NamedCertificate {
  #imported: { readonly facts: X509Certificate; readonly context: SecureContext } | undefined

  constructor(tls: ServerCertificates) {
    this.replace(tls)
  }

  /** Uses other certificates from now on; throws, and changes nothing, when the imported one cannot be used. */
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
