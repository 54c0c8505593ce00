import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runSecretDriver, type SecretDriverPlaces } from './secret-driver.ts'
import { Vault } from './vault.ts'

const value = `pa$$ "quo'ted" value`
let temporary: TempDir
let places: SecretDriverPlaces

beforeEach(() => {
  temporary = tempDir('logstack-secret-driver')
  const at = (name: string): string => join(temporary.path, name)
  places = { vaultDir: at('vault'), vaultKeyFile: at('vault-key'), secretsFile: at('secrets.json') }
  writeFileSync(
    places.secretsFile,
    JSON.stringify({ secrets: {}, nameToID: { elastic: 'id1' }, idToName: { id1: 'elastic' } }),
  )
})
afterEach(() => temporary.remove())

const call = (verb: string, options: { id?: string; name?: string; input?: string } = {}): string =>
  runSecretDriver(places, { verb, id: options.id ?? 'id1', name: options.name, readInput: () => options.input ?? '' })

describe('secret driver', () => {
  it('stores under the name it is told, and finds it again by the id', () => {
    call('store', { id: 'not listed yet', name: 'elastic', input: value })
    expect(new Vault(places).read('elastic')).toBe(value)
    expect(call('lookup')).toBe(value)
    expect(call('list')).toBe('id1\n')
  })

  it('keeps the old value while a secret is made anew, and deletes it when it is removed', () => {
    call('store', { name: 'elastic', input: value })
    call('delete', { name: 'elastic' })
    expect(call('lookup')).toBe(value)
    call('delete')
    expect(existsSync(join(places.vaultDir, 'elastic'))).toBe(false)
  })

  it('refuses to store without a name, an unknown id and an unknown request', () => {
    expect(() => call('store', { input: value })).toThrow('not made with podman alone')
    expect(() => call('lookup', { id: 'id2' })).toThrow('no secret with the id [id2]')
    expect(() => call('rotate')).toThrow('[rotate]')
  })
})
