import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { leafFilesOf } from '../places/paths.ts'
import type { EmbeddedStack } from '../stack.ts'
import { certificates } from '../steps/certificates.ts'
import { secrets } from '../steps/secrets.ts'
import { type FakeSearch, startFakeSearch } from '../testing/fake-search.ts'
import { runStep, testStack } from '../testing/test-stack.ts'
import { changePassword, settlePasswords } from './change-password.ts'

let test: ReturnType<typeof testStack>
let stack: EmbeddedStack
let search: FakeSearch
let before: string
const wanted = `neu'es "Paß$wort" €`

beforeEach(async () => {
  test = testStack()
  await runStep(secrets, test.stack)
  await runStep(certificates, test.stack)
  const { cert, key } = leafFilesOf(test.stack.paths, 'search')
  before = test.stack.vault.read('elastic')
  const tls = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  search = await startFakeSearch(tls, { name: 'elastic', password: before })
  stack = test.reopen({ portOffset: Math.max(search.port - 9200, 0) })
})

afterEach(async () => {
  stack.clients.close()
  await search.close()
  test.remove()
})

const isChange = ({ path }: { path: string }): boolean => path.endsWith('/_password')
/** What search and the vault hold, and what is still undecided. */
const state = () => ({
  search: search.users.get('elastic')?.password,
  vault: stack.vault.read('elastic'),
  undecided: stack.vault.stagedNames(),
})
const both = (password: string) => ({ search: password, vault: password, undecided: [] })
const failing = (message: string) => () => {
  throw new Error(message)
}

describe('a change of a password', () => {
  it('reaches search and vault', async () => {
    expect(await changePassword(stack, 'elastic', wanted)).toEqual({ stored: true, restarted: undefined })
    expect(state()).toEqual(both(wanted))
  })

  it('that cannot be noted down changes nothing', async () => {
    stack.vault.stage = failing('disk full')
    await expect(changePassword(stack, 'elastic', wanted)).rejects.toThrow('disk full')
    expect(state()).toEqual(both(before))
    expect(search.changes).toEqual([])
  })

  it('that search does not take, because the connection ends before, changes nothing', async () => {
    search.fault = (request) => (isChange(request) ? 'cut-before' : undefined)
    await expect(changePassword(stack, 'elastic', wanted)).rejects.toThrow()
    expect(state()).toEqual(both(before))
  })

  it('that search took, but whose answer is lost, is taken back in search', async () => {
    let changes = 0
    search.fault = (request) => (isChange(request) && changes++ === 0 ? 'cut-after' : undefined)
    await expect(changePassword(stack, 'elastic', wanted)).rejects.toThrow()
    expect(state()).toEqual(both(before))
  })

  it('that cannot be stored is taken back in search', async () => {
    stack.vault.commitStaged = failing('read-only file system')
    await expect(changePassword(stack, 'elastic', wanted)).rejects.toMatchObject({ code: 'vault_unreadable' })
    expect(state()).toEqual(both(before))
  })

  it('with a control character is refused before anything is asked', async () => {
    await expect(changePassword(stack, 'elastic', 'two\nlines')).rejects.toMatchObject({ code: 'option_invalid' })
    expect(search.changes).toEqual([])
  })
})

describe('a change of a password that is cut off', () => {
  it('in its proof stays in both, where it had become the secret', async () => {
    search.fault = ({ method, path }) =>
      method === 'GET' && path.endsWith('/_authenticate') && search.changes.length === 1 ? 'cut-before' : undefined
    await expect(changePassword(stack, 'elastic', wanted)).rejects.toMatchObject({ code: 'password_undecided' })
    search.fault = undefined
    stack.clients.close()
    expect(state()).toEqual(both(wanted))
  })

  it('altogether is decided by what search accepts, once it answers', async () => {
    for (const [cut, holds] of [
      ['cut-before', before],
      ['cut-after', wanted],
    ] as const) {
      let cutOff = false
      search.fault = (request) => {
        if (isChange(request)) cutOff = true
        return cutOff ? (isChange(request) ? cut : 'cut-before') : undefined
      }
      await expect(changePassword(stack, 'elastic', wanted)).rejects.toMatchObject({ code: 'password_undecided' })
      expect(stack.vault.stagedNames(), cut).toEqual(['elastic'])
      search.fault = undefined
      stack.clients.close()
      await settlePasswords(stack)
      expect(state(), cut).toEqual(both(holds))
    }
  })

  it('by a crash is ended by the next one', async () => {
    stack.vault.stage('elastic', 'crashed-before-search')
    await changePassword(stack, 'elastic', wanted)
    expect(state()).toEqual(both(wanted))
    stack.vault.stage('elastic', 'crashed-after-search')
    search.users.set('elastic', { password: 'crashed-after-search', roles: ['superuser'] })
    await changePassword(stack, 'elastic', before)
    expect(state()).toEqual(both(before))
  })

  it('is forgotten when nobody can read what was set aside, and only then', async () => {
    stack.vault.stage('elastic', wanted)
    const staged = join(stack.paths.vaultDir, '.staged-elastic')
    const [sealed, key] = [readFileSync(staged, 'utf8'), readFileSync(stack.paths.vaultKeyFile, 'utf8')]
    rmSync(stack.paths.vaultKeyFile)
    await expect(settlePasswords(stack)).rejects.toMatchObject({ code: 'vault_unreadable' })
    expect(readFileSync(staged, 'utf8')).toBe(sealed)
    writeFileSync(stack.paths.vaultKeyFile, key, { mode: 0o600 })
    writeFileSync(staged, 'written with a key that is lost')
    expect(await settlePasswords(stack)).toEqual([])
    expect(state()).toEqual(both(before))
  })
})
