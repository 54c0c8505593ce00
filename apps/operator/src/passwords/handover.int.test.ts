import { mkdirSync, readdirSync, readFileSync, rmdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seal } from '@logstack/passwords'
import { runCommand } from '@logstack/process'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { handoverDir } from '../places/handover-dir.ts'
import { leafFilesOf } from '../places/paths.ts'
import type { EmbeddedStack } from '../stack.ts'
import { certificates } from '../steps/certificates.ts'
import { secrets } from '../steps/secrets.ts'
import { settlePasswordsStep } from '../steps/settle-passwords.ts'
import { type FakeSearch, startFakeSearch } from '../testing/fake-search.ts'
import { runStep, testStack } from '../testing/test-stack.ts'
import { adoptHandedOver, operatorPublicKeyFile } from './handover.ts'

let test: ReturnType<typeof testStack>
let stack: EmbeddedStack
let search: FakeSearch
const folder = (): string => handoverDir(stack.paths)

beforeEach(async () => {
  test = testStack()
  await runStep(secrets, test.stack)
  await runStep(certificates, test.stack)
  const { cert, key } = leafFilesOf(test.stack.paths, 'search')
  const tls = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  search = await startFakeSearch(tls, { name: 'elastic', password: 'was-reset-inside' })
  stack = test.reopen({ portOffset: Math.max(search.port - 9200, 0) })
  mkdirSync(folder(), { recursive: true })
})
afterEach(async () => {
  stack.clients.close()
  await search.close()
  test.remove()
})

function leave(name: string, content: { username: string; password: string }): void {
  const sealed = seal(JSON.stringify(content), readFileSync(operatorPublicKeyFile(stack.paths), 'utf8'))
  writeFileSync(join(folder(), name), JSON.stringify({ version: 1, sealed }))
}

it('stores what search accepts, forgets what it does not, and removes what nobody can read', async () => {
  search.users.set('anna', { password: 'of-a-person', roles: [] })
  leave('1.json', { username: 'elastic', password: 'was-reset-inside' })
  leave('2.json', { username: 'anna', password: 'of-a-person' })
  leave('3.json', { username: 'logstack_alerter', password: 'set-again-since' })
  writeFileSync(join(folder(), '4.json'), '{"version":1,"sealed":"AAAA"}')
  const before = stack.vault.read('logstack_alerter')
  expect(await adoptHandedOver(stack)).toEqual([
    { username: 'elastic', outcome: 'stored' },
    { username: 'anna', outcome: 'known' },
    { username: 'logstack_alerter', outcome: 'outdated' },
    { username: '4.json', outcome: 'unreadable' },
  ])
  expect(stack.vault.read('elastic')).toBe('was-reset-inside')
  expect(stack.vault.read('logstack_alerter')).toBe(before)
  expect(stack.vault.has('anna')).toBe(false)
  expect(readdirSync(folder())).toEqual([])
})

it('takes over what a crash of search left unshown, and keeps everything while search does not answer', async () => {
  leave('.1.json', { username: 'elastic', password: 'was-reset-inside' })
  // Search may just be about to show it.
  expect(await runStep(settlePasswordsStep, stack)).toBe(false)
  const longAgo = new Date(Date.now() - 3_600_000)
  utimesSync(join(folder(), '.1.json'), longAgo, longAgo)
  search.fault = () => 'cut-before'
  await expect(adoptHandedOver(stack)).rejects.toThrow()
  expect(readdirSync(folder())).toEqual(['.1.json'])
  search.fault = undefined
  stack.clients.close()
  expect(await runStep(settlePasswordsStep, stack)).toBe(true)
  expect(stack.vault.read('elastic')).toBe('was-reset-inside')
  expect(await runStep(settlePasswordsStep, stack)).toBe(false)
})

it('does not follow links that search put there, nor wait for a pipe', async () => {
  const elsewhere = join(stack.paths.volume('logstack_data_search'), 'elsewhere')
  mkdirSync(elsewhere)
  const kept = join(elsewhere, 'daemon.json')
  writeFileSync(kept, '{}')
  symlinkSync(kept, join(folder(), '1.json'))
  await runCommand(['mkfifo', join(folder(), '2.json')], { timeoutMs: 60_000 })
  expect(await adoptHandedOver(stack)).toEqual([
    { username: '1.json', outcome: 'unreadable' },
    { username: '2.json', outcome: 'unreadable' },
  ])
  expect(readdirSync(folder())).toEqual([])
  rmdirSync(folder())
  symlinkSync(elsewhere, folder())
  expect(await adoptHandedOver(stack)).toEqual([])
  expect(readFileSync(kept, 'utf8')).toBe('{}')
})
