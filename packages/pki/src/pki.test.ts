import { describe, expect, it } from 'vitest'
import {
  certificateCovers,
  createAuthority,
  createClientRequest,
  inspectCertificate,
  isSignedBy,
  issueClientCertificate,
  issueServerCertificate,
  keyMatchesCertificate,
  signClientRequest,
} from './index.ts'

const now = new Date('2026-03-04T05:06:07.890Z')

describe('authority', () => {
  it('is valid for ten years, from a day before for clocks that are behind, and signs itself', async () => {
    const authority = await createAuthority({ now })
    const facts = inspectCertificate(authority.cert)
    expect(facts.isAuthority).toBe(true)
    expect(facts.commonName).toBe('logstack CA')
    expect(facts.notBefore.toISOString()).toBe('2026-03-03T05:06:07.000Z')
    expect(facts.notAfter.toISOString()).toBe('2036-03-04T05:06:07.000Z')
    expect(isSignedBy(authority.cert, authority.cert)).toBe(true)
    expect(keyMatchesCertificate(authority.cert, authority.key)).toBe(true)
  })
})

describe('server certificate', () => {
  it('is valid for two years, from a day before, and covers names, addresses and loopback', async () => {
    const authority = await createAuthority({ now })
    const leaf = await issueServerCertificate(authority, {
      commonName: 'logstack-search',
      hosts: ['box.example.org', '192.0.2.7', 'fe80::1'],
      now,
    })
    const facts = inspectCertificate(leaf.cert)
    expect(facts.notBefore.toISOString()).toBe('2026-03-03T05:06:07.000Z')
    expect(facts.notAfter.toISOString()).toBe('2028-03-04T05:06:07.000Z')
    expect(facts.isAuthority).toBe(false)
    expect(facts.dnsNames).toEqual(['logstack-search', 'box.example.org', 'localhost'])
    for (const host of [
      'logstack-search',
      'box.example.org',
      '192.0.2.7',
      'fe80::1',
      'localhost',
      '127.0.0.1',
      '::1',
    ]) {
      expect(certificateCovers(leaf.cert, host), host).toBe(true)
    }
    expect(certificateCovers(leaf.cert, 'other.example.org')).toBe(false)
    expect(certificateCovers(leaf.cert, '192.0.2.8')).toBe(false)
    expect(isSignedBy(leaf.cert, authority.cert)).toBe(true)
  })

  it('is not signed by another authority of the same name', async () => {
    const leaf = await issueServerCertificate(await createAuthority({ now }), { commonName: 'a', now })
    expect(isSignedBy(leaf.cert, (await createAuthority({ now })).cert)).toBe(false)
  })
})

describe('client certificate', () => {
  it('with a fresh key carries the given name', async () => {
    const authority = await createAuthority({ now })
    const client = await issueClientCertificate(authority, { commonName: 'agent, one=1', now })
    expect(inspectCertificate(client.cert).commonName).toContain('agent')
    expect(keyMatchesCertificate(client.cert, client.key)).toBe(true)
  })

  it('from a request takes its key but not its name', async () => {
    const authority = await createAuthority({ now })
    const { request, key } = await createClientRequest('someone-else')
    const cert = await signClientRequest(authority, { request, commonName: 'agent-1', now })
    expect(inspectCertificate(cert).commonName).toBe('agent-1')
    expect(keyMatchesCertificate(cert, key)).toBe(true)
    expect(isSignedBy(cert, authority.cert)).toBe(true)
  })

  it('is refused for a request whose signature was changed', async () => {
    const authority = await createAuthority({ now })
    const { request } = await createClientRequest('a')
    const lines = request.trim().split('\n')
    const bytes = Buffer.from(lines.slice(1, -1).join(''), 'base64')
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1
    const forged = [lines[0], bytes.toString('base64'), lines.at(-1)].join('\n')
    await expect(signClientRequest(authority, { request: forged, commonName: 'a', now })).rejects.toThrow('signed by')
  })
})
