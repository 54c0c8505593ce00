import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'

/** What a certificate says, without the names of a library. */
export interface CertificateFacts {
  readonly commonName: string
  readonly issuerCommonName: string
  readonly notBefore: Date
  readonly notAfter: Date
  readonly dnsNames: readonly string[]
  /** Canonical address texts; IPv6 as the platform writes them. */
  readonly addresses: readonly string[]
  readonly isAuthority: boolean
  /** SHA-256 of the DER bytes, upper-case hexadecimal pairs joined by colons. */
  readonly fingerprint: string
  readonly serialNumber: string
}

/** Reads a PEM certificate; throws on anything else. */
export function inspectCertificate(pem: string): CertificateFacts {
  const certificate = new X509Certificate(pem)
  const names = (certificate.subjectAltName ?? '').split(', ').filter(Boolean)
  const named = (prefix: string): string[] =>
    names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  return {
    commonName: commonNameOf(certificate.subject),
    issuerCommonName: commonNameOf(certificate.issuer),
    notBefore: new Date(certificate.validFrom),
    notAfter: new Date(certificate.validTo),
    dnsNames: named('DNS:'),
    addresses: named('IP Address:'),
    isAuthority: certificate.ca,
    fingerprint: certificate.fingerprint256,
    serialNumber: certificate.serialNumber,
  }
}

/** Whether the certificate covers a host name or an address, as a TLS client would judge. */
export function certificateCovers(pem: string, host: string): boolean {
  const certificate = new X509Certificate(pem)
  return (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined
}

/** Whether the PEM private key belongs to the PEM certificate. */
export function keyMatchesCertificate(pem: string, key: string): boolean {
  return new X509Certificate(pem).checkPrivateKey(createPrivateKey(key))
}

/** Whether the authority's key signed the certificate; says nothing about dates. */
export function isSignedBy(pem: string, authorityPem: string): boolean {
  const authority = new X509Certificate(authorityPem)
  const certificate = new X509Certificate(pem)
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey)
}

function commonNameOf(distinguishedName: string | undefined): string {
  const line = (distinguishedName ?? '').split('\n').find((part) => part.startsWith('CN='))
  return line ? line.slice('CN='.length) : ''
}
