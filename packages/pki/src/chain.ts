import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { inspectCertificate } from './inspect.ts'

/** A server certificate somebody else issued: PEM texts as they were given. */
export interface ForeignPair {
  /** The server's certificate first, then those that signed it, each by the next. */
  readonly chain: string
  readonly key: string
}

const serverAuthentication = '1.3.6.1.5.5.7.3.1'

/** The single certificates (PEM) of a text that holds several, in their order. */
export function splitChain(text: string): string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)?.map((pem) => `${pem}\n`) ?? []
}

/**
 * Why a certificate with its key and chain cannot serve as one of `names`, as a sentence for people; undefined when it can. `now` is the
 * moment it is judged at.
 */
export function foreignPairProblem(pair: ForeignPair, names: readonly string[], now: Date): string | undefined {
  const chain = readChain(pair.chain)
  if (typeof chain === 'string') return chain
  const [leaf] = chain
  if (!leaf) return 'the certificate file holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)'
  const key = readKey(pair.key)
  if (typeof key === 'string') return key
  if (!leaf.checkPrivateKey(key)) return 'the key does not belong to the certificate (the first one in the file)'
  return leafProblem(leaf, now) ?? chainProblem(chain, now) ?? nameProblem(leaf, names)
}

function readChain(text: string): X509Certificate[] | string {
  const certificates: X509Certificate[] = []
  for (const [index, pem] of splitChain(text).entries()) {
    try {
      certificates.push(new X509Certificate(pem))
    } catch (thrown) {
      if (thrown instanceof Error) return `certificate ${index + 1} in the file is damaged`
      throw thrown
    }
  }
  return certificates
}

function readKey(text: string): KeyObject | string {
  if (/ENCRYPTED/.test(text)) {
    return 'the key is protected by a passphrase, which no service can type: decrypt it with openssl pkey -in KEY -out PLAIN'
  }
  try {
    return createPrivateKey(text)
  } catch (thrown) {
    if (thrown instanceof Error) return 'the key file holds no private key in PEM form (-----BEGIN PRIVATE KEY-----)'
    throw thrown
  }
}

function leafProblem(leaf: X509Certificate, now: Date): string | undefined {
  if (leaf.ca) return 'the first certificate in the file is an authority: the one of the server comes first'
  const dates = dateProblem(leaf, now)
  if (dates) return `the certificate ${dates}`
  // Without the extension a certificate may be used for everything (RFC 5280, 4.2.1.12).
  const purposes: readonly string[] | undefined = leaf.keyUsage
  if (purposes && !purposes.includes(serverAuthentication))
    return 'the certificate is not for servers (extended key usage)'
  return undefined
}

function chainProblem(chain: readonly X509Certificate[], now: Date): string | undefined {
  for (const [index, certificate] of chain.slice(0, -1).entries()) {
    const issuer = chain[index + 1]
    if (!issuer) continue
    if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey)) {
      return `certificate ${index + 2} in the file did not sign certificate ${index + 1}: the chain goes from the server's upwards`
    }
    const dates = dateProblem(issuer, now)
    if (dates) return `certificate ${index + 2} in the file ${dates}`
  }
  return undefined
}

function nameProblem(leaf: X509Certificate, names: readonly string[]): string | undefined {
  const { dnsNames } = inspectCertificate(leaf.toString())
  if (dnsNames.length === 0) {
    return 'the certificate has no DNS name among its subject alternative names, and clients look nowhere else'
  }
  if (names.some((name) => leaf.checkHost(name) !== undefined)) return undefined
  return `the certificate is for ${dnsNames.join(', ')}, and this host is called ${names.join(', ')}`
}

function dateProblem(certificate: X509Certificate, now: Date): string | undefined {
  if (new Date(certificate.validTo) < now) return `expired on ${new Date(certificate.validTo).toISOString()}`
  if (new Date(certificate.validFrom) > now)
    return `is not valid before ${new Date(certificate.validFrom).toISOString()}`
  return undefined
}
