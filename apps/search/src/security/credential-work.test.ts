import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, type Mock, vi } from 'vitest'
import type { Security } from './security.ts'

/**
 * Who is refused cannot tell by the time whether the user, the key or the token is there: the same hashes are computed. What the times themselves
 * look like is measured by `bench/credentials.ts`.
 */

type Passwords = typeof import('@logstack/passwords')
let passwords: Passwords
let verify: Mock<Passwords['verifyPassword']>
let compare: Mock<Passwords['secretsEqual']>
let modules: typeof import('./create-security.ts') & typeof import('../testing/memory-store.ts')
let hashOfToken: typeof import('./tokens.ts').hashOfToken

// Other files of this process have these modules, too, with the real comparisons.
beforeAll(async () => {
  vi.resetModules()
  passwords = await vi.importActual<Passwords>('@logstack/passwords')
  verify = vi.fn(passwords.verifyPassword)
  compare = vi.fn(passwords.secretsEqual)
  vi.doMock('@logstack/passwords', () => ({ ...passwords, verifyPassword: verify, secretsEqual: compare }))
  modules = { ...(await import('./create-security.ts')), ...(await import('../testing/memory-store.ts')) }
  hashOfToken = (await import('./tokens.ts')).hashOfToken
})
afterAll(() => {
  vi.doUnmock('@logstack/passwords')
  vi.resetModules()
})

const now = () => 1_000_000
const right = 'password-of-ann'
let security: Security
const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
const key = (id: string, secret: string) => `ApiKey ${Buffer.from(`${id}:${secret}`).toString('base64')}`
/** Salt and hash of a PHC string by their lengths, everything else as it is: what the work of a verification follows from. */
const costOf = (phc: string): string =>
  phc.replace(/\$([^$]+)\$([^$]+)$/, (_, salt: string, hash: string) => `$${salt.length}$${hash.length}`)

/** What was computed until the refusal: argon2 hashes by cost and length of password, comparisons by lengths. */
async function workOf(authorization: string, address: string): Promise<readonly string[]> {
  verify.mockClear()
  compare.mockClear()
  await expect(security.authenticate(authorization, '/', address)).rejects.toThrow('unable to authenticate')
  return [
    ...verify.mock.calls.map(([phc, password]) => `argon2 ${costOf(phc)} of ${password.length}`),
    ...compare.mock.calls.map(([given, expected]) => `sha256 of ${given.length} and ${expected.length}`),
  ]
}

beforeEach(async () => {
  const store = modules.memoryStore()
  security = modules.createSecurity({ store, now })
  await modules.bootstrapAdministrator(store, 'elastic', 'first-password')
  await security.putUser('ann', { password: right })
  await security.putUser('off', { password: right, enabled: false })
})

describe('a refused password', () => {
  it('costs one hash of the same kind, whoever is named and whatever was remembered', async () => {
    const wrong = 'password-of-amm'
    const works = [
      await workOf(basic('ann', wrong), 'a'),
      await workOf(basic('nobody', wrong), 'b'),
      await workOf(basic('elastic', wrong), 'c'),
      await workOf(basic('off', right), 'd'),
      await workOf(basic('off', wrong), 'e'),
    ]
    await security.authenticate(basic('ann', right), '/', 'f')
    works.push(await workOf(basic('ann', wrong), 'g'))
    expect(works[0]).toEqual([expect.stringMatching(/^argon2 \$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$22\$43 of 15$/)])
    for (const work of works) expect(work).toEqual(works[0])
  })

  it('of nobody costs what hashes are made with today', async () => {
    const [work] = await workOf(basic('nobody', right), 'a')
    expect(work).toBe(`argon2 ${costOf(await passwords.hashPassword(right))} of ${right.length}`)
  })
})

describe('a refused key', () => {
  it('costs one comparison of hashes, whether its id is there and however near it is', async () => {
    const owner = await security.authenticate(basic('ann', right), '/')
    const made = await security.createApiKey({ owner, name: 'beat', roles: {}, expiresAtMs: undefined, metadata: {} })
    const near = `${made.key.slice(0, -1)}${made.key.endsWith('A') ? 'B' : 'A'}`
    const far = hashOfToken('other').slice(0, made.key.length)
    const works = [
      await workOf(key(made.id, near), 'a'),
      await workOf(key(made.id, far), 'a'),
      await workOf(key('no-such-id', made.key), 'a'),
    ]
    await security.invalidateApiKeys([made.id])
    works.push(await workOf(key(made.id, made.key), 'a'))
    const bytes = createHash('sha256').digest('base64url').length
    for (const work of works) expect(work).toEqual([`sha256 of ${bytes} and ${bytes}`])
  })
})

describe('a refused token of a service', () => {
  it('costs one comparison of hashes, whether its name is there or not', async () => {
    const token = await security.serviceTokens.create('elastic/fleet-server', 'one')
    const text = Buffer.from(token, 'base64').toString('latin1')
    const forged = (from: string, to: string) =>
      `Bearer ${Buffer.from(text.replace(from, to), 'latin1').toString('base64')}`
    const counts = []
    for (const authorization of [forged('server/one', 'server/two'), forged('/one:', '/one:x')]) {
      compare.mockClear()
      await expect(security.authenticate(authorization, '/')).rejects.toThrow()
      counts.push(compare.mock.calls.length)
    }
    expect(counts).toEqual([1, 1])
  })
})
