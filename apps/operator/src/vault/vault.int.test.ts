import { accessSync, constants, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runCommand } from '@logstack/process'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Vault } from './vault.ts'

let temporary: TempDir
let vault: Vault
let places: { vaultDir: string; vaultKeyFile: string }

beforeEach(() => {
  temporary = tempDir('logstack-vault')
  places = { vaultDir: join(temporary.path, 'vault'), vaultKeyFile: join(temporary.path, 'vault-key') }
  vault = new Vault(places)
  vault.create()
})

afterEach(() => temporary.remove())

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
const onPath = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((dir) => {
    try {
      accessSync(join(dir, program), constants.X_OK)
      return true
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code) return false
      throw thrown
    }
  })

describe('vault', () => {
  it('keeps secrets, directory and key to their owner', () => {
    vault.write('elastic', 's3cret')
    expect(vault.read('elastic')).toBe('s3cret')
    expect(vault.names()).toEqual(['elastic'])
    expect([places.vaultDir, places.vaultKeyFile, join(places.vaultDir, 'elastic')].map(modeOf)).toEqual([
      '700',
      '600',
      '600',
    ])
  })

  it('never replaces its key', () => {
    vault.write('elastic', 's3cret')
    vault.create()
    expect(vault.read('elastic')).toBe('s3cret')
  })

  it('names what is missing or damaged, with a fix', () => {
    expect(() => vault.read('nobody')).toThrow(expect.objectContaining({ code: 'secret_missing' }))
    writeFileSync(join(places.vaultDir, 'broken'), 'x')
    expect(() => vault.read('broken')).toThrow(expect.objectContaining({ code: 'vault_unreadable' }))
    expect(() => vault.read('../vault-key')).toThrow(expect.objectContaining({ code: 'option_invalid' }))
  })

  it('reads its files and its key as they are now, whatever it read before', () => {
    vault.write('elastic', 'before')
    expect(vault.read('elastic')).toBe('before')
    new Vault(places).write('elastic', 'after')
    expect(vault.read('elastic')).toBe('after')
    writeFileSync(places.vaultKeyFile, 'another key\n')
    expect(() => vault.read('elastic')).toThrow(expect.objectContaining({ code: 'vault_unreadable' }))
  })

  it.skipIf(!onPath('ansible-vault'))('is read by the real ansible-vault', async () => {
    const value = `quo"te's, spaces and $HOME`
    vault.write('elastic', value)
    const argv = [
      'ansible-vault',
      'view',
      '--vault-password-file',
      places.vaultKeyFile,
      join(places.vaultDir, 'elastic'),
    ]
    const shown = await runCommand(argv, { timeoutMs: 60_000 })
    expect(shown.stdout.replace(/\n$/, '')).toBe(value)
  })
})
