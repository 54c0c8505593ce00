import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { prepareRekey } from './rekey.ts'
import { Vault } from './vault.ts'

let temporary: TempDir
let places: { vaultDir: string; vaultKeyFile: string }
let vault: Vault
const values = new Map([
  ['elastic', `quo"te's $x`],
  ['logstack_alerter', 'two\nlines'],
])

beforeEach(() => {
  temporary = tempDir('logstack-rekey')
  places = { vaultDir: join(temporary.path, 'vault'), vaultKeyFile: join(temporary.path, 'vault-key') }
  vault = new Vault(places)
  vault.create()
  for (const [name, value] of values) vault.write(name, value)
})
afterEach(() => temporary.remove())

const readAll = () => new Map(vault.names().map((name) => [name, vault.read(name)]))
const textOf = (name: string): string => readFileSync(join(places.vaultDir, name), 'utf8')

describe('a new key of the vault', () => {
  it('leaves every secret as it was, staged ones too, and makes the old key useless', () => {
    const oldKey = readFileSync(places.vaultKeyFile, 'utf8')
    vault.stage('elastic', 'staged')
    expect(vault.rekey()).toBe(2)
    expect(readAll()).toEqual(values)
    expect(vault.readStaged('elastic')).toBe('staged')
    expect(statSync(places.vaultKeyFile).mode & 0o777).toBe(0o600)
    writeFileSync(places.vaultKeyFile, oldKey)
    expect(() => vault.read('elastic')).toThrow(expect.objectContaining({ code: 'vault_unreadable' }))
  })

  it('that was cut off before it was decided changes nothing', () => {
    const before = textOf('elastic')
    mkdirSync(join(places.vaultDir, '.rekey-unfinished'))
    writeFileSync(join(places.vaultDir, '.rekey-unfinished', 'elastic'), 'half')
    expect(readAll()).toEqual(values)
    expect(textOf('elastic')).toBe(before)
    expect(vault.rekey()).toBe(2)
    expect(existsSync(join(places.vaultDir, '.rekey-unfinished'))).toBe(false)
  })

  it('that was cut off after each move is finished by the next who reads', () => {
    const order = ['elastic', 'logstack_alerter', '.key']
    for (let moved = 0; moved <= order.length; moved += 1) {
      prepareRekey(places, { values, newKey: `key number ${moved}` })
      for (const name of order.slice(0, moved)) {
        const to = name === '.key' ? places.vaultKeyFile : join(places.vaultDir, name)
        renameSync(join(places.vaultDir, '.rekey', name), to)
      }
      expect(readAll()).toEqual(values)
      expect(readFileSync(places.vaultKeyFile, 'utf8')).toBe(`key number ${moved}\n`)
      expect(readdirSync(places.vaultDir).sort()).toEqual([...values.keys()])
    }
  })
})
