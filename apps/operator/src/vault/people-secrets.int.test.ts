import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Stack } from '../stack.ts'
import { deliverSecrets, peopleSecretsOf } from './deliver-secrets.ts'
import { partOfSecret, requirePartOfSecret } from './people-secrets.ts'
import { Vault } from './vault.ts'

const quadletDir = fileURLToPath(new URL('../../../../quadlet', import.meta.url))
const stack = { choices: { adminUser: 'elastic', ipvar: '127.0.0.1', portOffset: 0 } } as Pick<Stack, 'choices'>

describe('the names of secrets that people keep', () => {
  it.each(['alerter.smtp', 'endpoint-manager.key', 'alerter.slack_2'])('%s is for a part', (name) => {
    expect(requirePartOfSecret(stack, name)).toBe(name.split('.')[0])
  })

  it.each([
    'elastic',
    'logstack_alerter',
    'alerter',
    'alerter.',
    'alerter..x',
    'alerter.a/b',
    'alerter.elastic',
    'x.y',
  ])('%s is none', (name) => {
    expect(() => requirePartOfSecret(stack, name)).toThrow('cannot be set')
  })

  it('are not those of the stack itself', () => {
    expect(['elastic', 'logstack_alerter', 'agents-ca'].map(partOfSecret)).toEqual([undefined, undefined, undefined])
  })
})

describe.skipIf(process.getuid?.() !== 0)('secrets of people on a host', () => {
  // Secrets are put into memory only.
  let folder: string
  let vault: Vault
  beforeEach(() => {
    folder = mkdtempSync('/dev/shm/logstack-people-secrets-')
    vault = new Vault({ vaultDir: join(folder, 'vault'), vaultKeyFile: join(folder, 'key') })
    vault.create()
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('reach their own part, readable by it alone, and leave it when they are removed', () => {
    const runDir = join(folder, 'run')
    const paths = { root: '', runDir, quadletDir, dropInDir: join(folder, 'none') }
    const host = { paths, vault } as unknown as Pick<Stack, 'paths' | 'vault'>
    for (const name of ['logstack_alerter', 'alerter.smtp', 'endpoint-manager.key'])
      vault.write(name, `value of ${name}`)
    deliverSecrets(host, 'alerter')
    const dir = join(runDir, 'secrets/alerter')
    expect(readdirSync(dir).sort()).toEqual(['alerter.smtp', 'logstack_alerter'])
    expect(readFileSync(join(dir, 'alerter.smtp'), 'utf8')).toBe('value of alerter.smtp')
    const { mode, uid } = statSync(join(dir, 'alerter.smtp'))
    expect([mode & 0o777, uid]).toEqual([0o400, 7004])
    vault.remove('alerter.smtp')
    expect(peopleSecretsOf(vault, 'alerter')).toEqual([])
    deliverSecrets(host, 'alerter')
    expect(readdirSync(dir)).toEqual(['logstack_alerter'])
  })
})
