import { isIP } from 'node:net'
import { type Authority, validity, validityYears } from './authority.ts'
import type { SignedPair } from './x509.ts'

/** A leaf: PEM certificate and PEM private key. */
export type IssuedCertificate = SignedPair

/** Who a server certificate is for. `hosts` are DNS names and addresses, in any mix. */
export interface ServerCertificateRequest {
  readonly commonName: string
  readonly hosts?: readonly string[]
  readonly now?: Date
}

/** Every server certificate covers these: the host itself, by name and by address. */
export const loopbackHosts = ['localhost', '127.0.0.1', '::1'] as const

/**
 * Issues a leaf for TLS servers (and for a part that is a TLS client of another), valid for two years; SANs are the common name,
 * `hosts` and the loopback names.
 */
export async function issueServerCertificate(
  authority: Authority,
  request: ServerCertificateRequest,
): Promise<IssuedCertificate> {
  const { signCertificate } = await x509()
  const hosts = [...new Set([request.commonName, ...(request.hosts ?? []), ...loopbackHosts])].filter(Boolean)
  return signCertificate(
    {
      commonName: request.commonName,
      ...validity(validityYears.leaf, request.now),
      use: 'server',
      dnsNames: hosts.filter((host) => isIP(host) === 0),
      addresses: hosts.filter((host) => isIP(host) !== 0),
    },
    authority,
  )
}

/** Issues a client certificate with a fresh key, valid for two years; an agent's common name is its id. */
export async function issueClientCertificate(
  authority: Authority,
  request: { readonly commonName: string; readonly now?: Date },
): Promise<IssuedCertificate> {
  const { signCertificate } = await x509()
  return signCertificate(clientContent(request), authority)
}

/** Signs a PEM certificate request as a client certificate. The name is the caller's, never the request's; returns the PEM certificate. */
export async function signClientRequest(
  authority: Authority,
  options: { readonly request: string; readonly commonName: string; readonly now?: Date },
): Promise<string> {
  const { signRequest } = await x509()
  return signRequest(options.request, clientContent(options), authority)
}

/** Makes a key and a PEM certificate request for it, for a client whose key never leaves its host. */
export async function createClientRequest(
  commonName: string,
): Promise<{ readonly request: string; readonly key: string }> {
  const { createRequest } = await x509()
  return createRequest(commonName)
}

// Loaded when something is signed: of all who read certificates few sign one, and to load the library takes longer than most of them work.
const x509 = () => import('./x509.ts')

function clientContent(request: { readonly commonName: string; readonly now?: Date }) {
  return { commonName: request.commonName, ...validity(validityYears.leaf, request.now), use: 'client' as const }
}
