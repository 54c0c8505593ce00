import { createPublicKey, X509Certificate } from 'node:crypto'
import type { CertificateResponse } from '@logstack/contracts'
import { createLogger } from '@logstack/logging'
import { type Authority, createAuthority, issueClientCertificate, signClientRequest } from '@logstack/pki'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CertificateRenewal, needsRenewal } from './certificate-renewal.ts'
import { dataPaths } from './data-directory.ts'
import { type Identity, readIdentity, writeIdentity } from './identity.ts'
import { ServerClient, type ServerRequest } from './server-client.ts'

const id = 'a0000000-0000-4000-8000-000000000001'
const enrolledAt = new Date('2026-01-01T00:00:00Z')
const hourMs = 3_600_000

/** An agent-server that signs, or does not. */
class Signer extends ServerClient {
  asked = 0
  isAway = false
  signs: (request: string) => Promise<string>

  constructor(authority: Authority) {
    super({ url: 'https://127.0.0.1:9', ca: '' })
    this.signs = (request) => signClientRequest(authority, { request, commonName: id, now: new Date('2027-08-01') })
  }

  override async request<T>({ body, schema }: ServerRequest<T>): Promise<T> {
    this.asked += 1
    if (this.isAway) throw new Error('away')
    const certificate = await this.signs((body as { certificate_request: string }).certificate_request)
    const item = { certificate, certificate_not_after: '2029-08-01T00:00:00.000Z' }
    return schema.parse({ action: 'renewed', item } satisfies CertificateResponse)
  }
}

let temporary: TempDir
let identity: Identity
let server: Signer
let now: Date
let renewals: number
let renewal: CertificateRenewal

beforeEach(async () => {
  temporary = tempDir('logstack-renewal')
  const authority = await createAuthority({ commonName: 'agents' })
  const { cert, key } = await issueClientCertificate(authority, { commonName: id, now: enrolledAt })
  const paths = dataPaths(temporary.path)
  const rest = { version: 1, name: 'h', url: 'https://127.0.0.1:9', ca: '', access_key: 'k' } as const
  identity = { ...rest, id, certificate: cert, key, policy_id: 'default', enrolled_at: enrolledAt.toISOString() }
  writeIdentity(paths, identity)
  server = new Signer(authority)
  renewals = 0
  const logger = createLogger('agent', 'silent')
  const renewed = (): void => {
    renewals += 1
  }
  renewal = new CertificateRenewal({ identity, paths, client: server, logger, now: () => now, renewed })
})

afterEach(() => {
  server.close()
  temporary.remove()
})

const kept = () => readIdentity(dataPaths(temporary.path))

describe('the renewal of the client certificate', () => {
  it('is due in the last quarter of its time, afterwards, before it begins, and where there is none', () => {
    expect(needsRenewal(identity.certificate, new Date('2027-06-01'))).toBe(false)
    expect(needsRenewal(identity.certificate, new Date('2027-07-15'))).toBe(true)
    expect(needsRenewal(identity.certificate, new Date('2030-01-01'))).toBe(true)
    expect(needsRenewal('', enrolledAt)).toBe(true)
    expect(needsRenewal(identity.certificate, new Date('2025-12-01'))).toBe(true)
  })

  it('leaves one alone that is good for long', async () => {
    now = new Date('2026-06-01')
    await renewal.look()
    expect(server.asked).toBe(0)
    expect(kept()).toEqual(identity)
  })

  it('looks again where the clock was set back', async () => {
    now = new Date('2027-06-01')
    await renewal.look()
    now = new Date('2026-06-01')
    await renewal.look()
    expect(server.asked).toBe(0)
    now = new Date('2027-08-01')
    server.isAway = true
    await renewal.look()
    now = new Date('2027-07-20')
    await renewal.look()
    expect(server.asked).toBe(2)
  })

  it('keeps the new one with its new key, and everything else as it was', async () => {
    now = new Date('2027-08-01')
    await renewal.look()
    const after = kept()
    expect(renewals).toBe(1)
    expect({ ...after, certificate: '', key: '' }).toEqual({ ...identity, certificate: '', key: '' })
    const certificate = new X509Certificate(after?.certificate ?? '')
    expect(certificate.publicKey.equals(createPublicKey(after?.key ?? ''))).toBe(true)
    expect(certificate.subject).toBe(`CN=${id}`)
    expect(after?.key).not.toBe(identity.key)
  })

  it('keeps the one at work while the server is away or signs another key, and asks again a minute later', async () => {
    now = new Date('2027-08-01')
    server.isAway = true
    await renewal.look()
    await renewal.look()
    expect(server.asked).toBe(1)
    server.isAway = false
    const { signs } = server
    server.signs = async () => identity.certificate
    now = new Date(now.getTime() + 60_000)
    await renewal.look()
    expect(kept()).toEqual(identity)
    expect(renewals).toBe(0)
    server.signs = signs
    now = new Date(now.getTime() + hourMs)
    await renewal.look()
    expect(server.asked).toBe(3)
    expect(renewals).toBe(1)
  })
})
