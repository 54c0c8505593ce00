import { existsSync, readFileSync } from 'node:fs'
import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadDefinition } from '../quadlet/load.ts'
import { runStep, testStack } from '../testing/test-stack.ts'
import { remoteSearchStep } from './remote-search.ts'

// A search of another stack is as foreign as a cluster.

let search: TestSearch
const { stack: own, reopen, remove } = testStack()
beforeAll(async () => {
  search = await startSearch()
})
afterAll(async () => {
  own.clients.close()
  await search.stop()
  remove()
})

const given = (password: string) => ({ ca: search.ca, password: { fresh: false, read: async () => password } })
const addressOf = (stack: typeof own, part: 'alerter' | 'search') =>
  loadDefinition(stack.paths, part).environment['LOGSTACK_SEARCH_URL']

it('gives the parts the address of a cluster that takes the password, keeps both, and goes back', async () => {
  const stack = reopen({ searchUrl: search.url, adminUser: search.username })
  await expect(runStep(remoteSearchStep({ ca: search.ca }), stack)).rejects.toMatchObject({ code: 'secret_missing' })
  await expect(runStep(remoteSearchStep(given('wrong')), stack)).rejects.toMatchObject({ code: 'part_refused' })
  expect(stack.vault.has(search.username)).toBe(false)
  expect(await runStep(remoteSearchStep(given(search.password)), stack)).toBe(true)
  expect(stack.vault.read(search.username)).toBe(search.password)
  expect(readFileSync(stack.paths.searchCaFile, 'utf8')).toBe(search.ca)
  expect(addressOf(stack, 'alerter')).toBe(search.url)
  expect(addressOf(stack, 'search')).toBe('https://logstack-search:9200')
  expect(await runStep(remoteSearchStep(), stack)).toBe(false)
  stack.clients.close()

  expect(await runStep(remoteSearchStep(), own)).toBe(true)
  expect(addressOf(own, 'alerter')).toBe('https://logstack-search:9200')
  expect(existsSync(own.paths.searchCaFile)).toBe(false)
}, 180_000)

it('lists the cluster as search while it answers, and orders nothing of it', async () => {
  const stack = reopen({ searchUrl: search.url, adminUser: search.username })
  await runStep(remoteSearchStep(given(search.password)), stack)
  const listed = async () => (await stack.runtime.list()).find(({ part }) => part === 'search')
  expect(await listed()).toMatchObject({ statusText: `Up at ${search.url} (healthy)`, ready: true })
  await stack.runtime.stop('search')
  expect(await listed()).toMatchObject({ ready: true })
  expect(() => stack.runtime.logs('search', { lines: 1, follow: false })).toThrow('which is not the stack')
  stack.clients.close()
  const gone = reopen({ searchUrl: 'https://127.0.0.1:1', adminUser: search.username })
  expect((await gone.runtime.list()).find(({ part }) => part === 'search')).toMatchObject({
    statusText: 'Unreachable at https://127.0.0.1:1',
    ready: false,
  })
  gone.clients.close()
}, 180_000)

it('takes addresses of nodes and nothing else', () => {
  expect(reopen({ searchUrl: 'https://a:9200, https://b:9200' }).choices.searchUrl).toBe(
    'https://a:9200,https://b:9200',
  )
  for (const searchUrl of ['http://a:9200', 'a:9200', 'https://a:9200/path', 'https://u:p@a:9200']) {
    expect(() => reopen({ searchUrl })).toThrow('is no address as https://host:9200')
  }
})
