// The one file that knows the X.509 library; everything else speaks PEM texts. It takes long to load: import it where something is signed.
import 'reflect-metadata'
import { createPrivateKey, createPublicKey, KeyObject, randomBytes, webcrypto } from 'node:crypto'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Pkcs10CertificateRequest,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

const keyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const
const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' } as const
const purposes = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const
const serialBytes = 16

type KeyPair = webcrypto.CryptoKeyPair

/** A PEM certificate (or request) and its PEM private key (PKCS #8, EC P-256). */
export interface SignedPair {
  readonly cert: string
  readonly key: string
}

/** What goes into a certificate; times are whole seconds. */
export interface CertificateContent {
  readonly commonName: string
  readonly notBefore: Date
  readonly notAfter: Date
  readonly use: 'authority' | 'server' | 'client'
  readonly dnsNames?: readonly string[]
  readonly addresses?: readonly string[]
}

/** Makes a new key and a certificate for it, signed by `issuer` or by itself. */
export async function signCertificate(content: CertificateContent, issuer?: SignedPair): Promise<SignedPair> {
  const keys = await newKeys()
  const cert = await sign(content, keys.publicKey, issuer ?? { keys })
  return { cert, key: privateKeyPem(keys.privateKey) }
}

/** Signs the public key of a PEM request; the names in the request are ignored, the content's count. A request not signed by its own key throws. */
export async function signRequest(request: string, content: CertificateContent, issuer: SignedPair): Promise<string> {
  const parsed = new Pkcs10CertificateRequest(request)
  if (!(await parsed.verify(webcrypto))) throw new Error('the request is not signed by its own key')
  const spki = createPublicKey({ key: Buffer.from(parsed.publicKey.rawData), format: 'der', type: 'spki' })
  if (spki.asymmetricKeyType !== 'ec' || spki.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new Error('the request has another key than EC P-256')
  }
  const publicKey = await webcrypto.subtle.importKey('spki', parsed.publicKey.rawData, keyAlgorithm, true, ['verify'])
  return sign(content, publicKey, issuer)
}

/** Makes a new key and a PEM certificate request for it. */
export async function createRequest(commonName: string): Promise<{ readonly request: string; readonly key: string }> {
  const keys = await newKeys()
  const request = await Pkcs10CertificateRequestGenerator.create(
    { name: [{ CN: [commonName] }], keys: keys, signingAlgorithm },
    webcrypto,
  )
  return { request: `${request.toString('pem')}\n`, key: privateKeyPem(keys.privateKey) }
}

type Issuer = SignedPair | { readonly keys: KeyPair }

async function sign(content: CertificateContent, publicKey: webcrypto.CryptoKey, issuer: Issuer): Promise<string> {
  const own = { CN: [content.commonName] }
  const signer =
    'keys' in issuer
      ? { name: [own], privateKey: issuer.keys.privateKey, publicKey: issuer.keys.publicKey }
      : await loadIssuer(issuer)
  const extensions = [
    ...usage(content),
    await SubjectKeyIdentifierExtension.create(publicKey, false, webcrypto),
    await AuthorityKeyIdentifierExtension.create(signer.publicKey, false, webcrypto),
  ]
  const certificate = await X509CertificateGenerator.create(
    {
      subject: [own],
      issuer: signer.name,
      serialNumber: newSerial(),
      notBefore: content.notBefore,
      notAfter: content.notAfter,
      publicKey: publicKey,
      signingKey: signer.privateKey,
      signingAlgorithm,
      extensions,
    },
    webcrypto,
  )
  return `${certificate.toString('pem')}\n`
}

function usage(content: CertificateContent): Extension[] {
  if (content.use === 'authority') {
    return [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ]
  }
  const names = [
    ...(content.dnsNames ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(content.addresses ?? []).map((value) => ({ type: 'ip' as const, value })),
  ]
  // A part's leaf is also its client certificate where it calls another part.
  const extended = content.use === 'server' ? [purposes.server, purposes.client] : [purposes.client]
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension(extended),
    ...(names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : []),
  ]
}

async function loadIssuer(issuer: SignedPair) {
  const certificate = new X509Certificate(issuer.cert)
  const pkcs8 = createPrivateKey(issuer.key).export({ format: 'der', type: 'pkcs8' })
  const privateKey = await webcrypto.subtle.importKey('pkcs8', pkcs8, keyAlgorithm, false, ['sign'])
  const spki = certificate.publicKey.rawData
  const publicKey = await webcrypto.subtle.importKey('spki', spki, keyAlgorithm, true, ['verify'])
  return { name: certificate.subjectName.toJSON(), privateKey, publicKey }
}

async function newKeys(): Promise<KeyPair> {
  return webcrypto.subtle.generateKey(keyAlgorithm, true, ['sign', 'verify'])
}

function privateKeyPem(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ format: 'pem', type: 'pkcs8' }).toString()
}

function newSerial(): string {
  const bytes = randomBytes(serialBytes)
  // A serial number is a positive integer: the highest bit stays clear, the highest byte is not zero.
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return bytes.toString('hex')
}
