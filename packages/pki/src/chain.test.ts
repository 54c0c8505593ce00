import { expect, it } from 'vitest'
import {
  createAuthority,
  foreignPairProblem,
  issueClientCertificate,
  issueServerCertificate,
  splitChain,
} from './index.ts'

const now = new Date('2026-06-01T00:00:00Z')
const issued = new Date('2026-01-01T00:00:00Z')
const authority = await createAuthority({ commonName: 'A', now: issued })
const stranger = await createAuthority({ commonName: 'B', now: issued })
const leaf = await issueServerCertificate(authority, { commonName: 'logs.test', now: issued })
const client = await issueClientCertificate(authority, { commonName: 'logs.test', now: issued })
const chain = leaf.cert + authority.cert
const names = ['logs.test']

it('finds nothing wrong with a certificate, its key and its chain', () => {
  expect(splitChain(`text before\n${chain}`)).toHaveLength(2)
  expect(foreignPairProblem({ chain, key: leaf.key }, names, now)).toBeUndefined()
  expect(foreignPairProblem({ chain: leaf.cert, key: leaf.key }, ['x', 'logs.test'], now)).toBeUndefined()
})

it.each([
  ['no certificate', { chain: 'nothing', key: leaf.key }, 'holds no certificate in PEM form'],
  [
    'a damaged one',
    { chain: leaf.cert.replace(/MII|MIIB/, 'AAA'), key: leaf.key },
    'certificate 1 in the file is damaged',
  ],
  ['no key', { chain, key: 'nothing' }, 'holds no private key in PEM form'],
  ['a key with a passphrase', { chain, key: '-----BEGIN ENCRYPTED PRIVATE KEY-----' }, 'protected by a passphrase'],
  ['another key', { chain, key: authority.key }, 'the key does not belong to the certificate'],
  [
    'the authority first',
    { chain: authority.cert + leaf.cert, key: authority.key },
    'the first certificate in the file is',
  ],
  ['another authority', { chain: leaf.cert + stranger.cert, key: leaf.key }, 'certificate 2 in the file did not sign'],
  ['a client’s', { chain: client.cert, key: client.key }, 'not for servers'],
])('refuses %s', (_what, pair, words) => {
  expect(foreignPairProblem(pair, names, now)).toContain(words)
})

it('refuses what is not valid now, and names of another host', () => {
  const pair = { chain, key: leaf.key }
  expect(foreignPairProblem(pair, names, new Date('2029-01-01T00:00:00Z'))).toContain(
    'the certificate expired on 2028-01-01',
  )
  expect(foreignPairProblem(pair, names, new Date('2025-01-01T00:00:00Z'))).toContain('is not valid before 2025-12-31')
  expect(foreignPairProblem(pair, ['other.test'], now)).toContain('this host is called other.test')
})
