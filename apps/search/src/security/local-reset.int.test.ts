import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLogger } from '@logstack/logging'
import { createSealingKeys, openSealed } from '@logstack/passwords'
import { askLocal } from '@logstack/process'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { serveLocalReset } from './local-reset.ts'

let temporary: TempDir
let server: Awaited<ReturnType<typeof serveLocalReset>>
const keys = createSealingKeys()
const passwords = new Map([['elastic', 'old']])
let fails = false
const at = (name: string): string => join(temporary.path, name)

beforeEach(async () => {
  temporary = tempDir('logstack local reset')
  mkdirSync(at('certs'))
  writeFileSync(at('certs/operator.pub'), keys.publicKey)
  fails = false
  server = await serveLocalReset({
    path: at('local.sock'),
    logger: createLogger('test', 'silent'),
    places: { publicKeyFile: at('certs/operator.pub'), directory: at('handover') },
    security: {
      user: (username) =>
        passwords.has(username)
          ? { username, roles: [], fullName: undefined, email: undefined, metadata: {}, enabled: true, reserved: true }
          : undefined,
      async changePassword(username, { password = '' }) {
        if (fails) throw new Error('disk full')
        passwords.set(username, password)
      },
    },
  })
})
afterEach(async () => {
  await new Promise<void>((resolve) => server.close(() => resolve()))
  temporary.remove()
})

it('sets a random password, and leaves it for the operator so that nobody else can read it', async () => {
  const { password } = (await askLocal(at('local.sock'), { username: 'elastic' })) as { password: string }
  expect(password).toMatch(/^[A-Za-z][A-Za-z0-9]{23}$/)
  expect(passwords.get('elastic')).toBe(password)
  const [file = ''] = readdirSync(at('handover'))
  const text = readFileSync(join(at('handover'), file), 'utf8')
  expect(text).not.toContain(password)
  expect(JSON.parse(openSealed(JSON.parse(text).sealed, keys.privateKey))).toEqual({ username: 'elastic', password })
})

it('sets the given one, and leaves nothing when the caller stores it', async () => {
  const password = `quo'te" $x`
  expect(await askLocal(at('local.sock'), { username: 'elastic', password, handover: false })).toEqual({ password })
  expect(passwords.get('elastic')).toBe(password)
  expect(() => readdirSync(at('handover'))).toThrow('ENOENT')
})

it('says who is unknown, and shows no password that did not come into effect', async () => {
  expect(await askLocal(at('local.sock'), { username: 'nobody' })).toEqual({ refused: 'user [nobody] does not exist' })
  fails = true
  await expect(askLocal(at('local.sock'), { username: 'elastic' })).rejects.toThrow('no answer')
  expect(readdirSync(at('handover')).filter((name) => !name.startsWith('.'))).toEqual([])
})
