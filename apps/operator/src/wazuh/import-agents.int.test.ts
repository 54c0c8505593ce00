import { wazuhAgentsIndex } from '@logstack/contracts'
import { SearchClient } from '@logstack/search-client'
import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readClientKeys } from './client-keys.ts'
import { importWazuhAgents } from './import-agents.ts'
import { removeWazuhAgents, wazuhAgentsNamed } from './remove-agents.ts'
import { storedWazuhAgents, storedWazuhKeys } from './stored-agents.ts'

let server: TestSearch
let search: SearchClient

beforeAll(async () => {
  server = await startSearch()
  const { url, ca, username, password } = server
  search = new SearchClient({ url, ca, credentials: { username, password } })
}, 120_000)

afterAll(async () => {
  search?.close()
  await server?.stop()
})

beforeEach(async () => {
  await search.request({ method: 'DELETE', path: `/${wazuhAgentsIndex.name}`, accept: [404] })
})

const keyOf = (digit: string): string => digit.repeat(64)
const at = '2026-11-28T08:00:00.000Z'
const take = (lines: string[], replace = false) =>
  importWazuhAgents(search, readClientKeys(lines.join('\n')).entries, { replace, at })

it('adds agents once, and says what is there otherwise', async () => {
  const lines = [`001 web any ${keyOf('a')}`, `002 db 10.0.0.0/255.0.0.0 ${keyOf('b')}`]
  expect(await take(lines)).toEqual({ added: 2, replaced: 0, unchanged: 0, refused: [] })
  expect(await take([...lines, `003 mail any ${keyOf('c')}`])).toEqual({
    added: 1,
    replaced: 0,
    unchanged: 2,
    refused: [],
  })
  const mine = { ip: 'any', added: at, added_by: 'import' }
  expect((await storedWazuhAgents(search)).sort((one, other) => one.id.localeCompare(other.id))).toEqual([
    { id: '001', name: 'web', ...mine },
    { id: '002', name: 'db', ...mine, ip: '10.0.0.0/8' },
    { id: '003', name: 'mail', ...mine },
  ])
})

it('never changes a key unless told, and keeps what was heard of the agent then', async () => {
  await take([`001 web any ${keyOf('a')}`, `002 db any ${keyOf('b')}`])
  const heard = { version: '4.14.7', last_seen: at, connected: true }
  await search.request({
    method: 'POST',
    path: `/${wazuhAgentsIndex.name}/_update/001`,
    query: { refresh: true },
    body: { doc: heard },
  })
  const changed = [`001 web any ${keyOf('c')}`, `002 db 10.0.0.5 ${keyOf('b')}`]
  const taken = [`003 web any ${keyOf('d')}`, `002 other any ${keyOf('e')}`]
  const none = { added: 0, replaced: 0, unchanged: 0, refused: [] }
  const refused = [
    { line: 1, because: 'otherwise', why: 'agent 001 (web) is there with another key' },
    { line: 2, because: 'otherwise', why: 'agent 002 (db) is there with another address' },
  ]
  expect(await take(changed)).toEqual({ ...none, refused })
  expect((await storedWazuhKeys(search)).get('001')?.key).toBe(keyOf('a'))
  expect(await take(changed, true)).toEqual({ ...none, replaced: 2 })
  for (const replace of [false, true])
    expect(await take(taken, replace)).toEqual({
      ...none,
      refused: [
        { line: 1, because: 'taken', why: 'the name web is taken by the agent 001' },
        { line: 2, because: 'taken', why: 'id 002 is taken by the agent db' },
      ],
    })
  expect((await storedWazuhKeys(search)).get('001')?.key).toBe(keyOf('c'))
  expect((await storedWazuhAgents(search)).find(({ id }) => id === '001')).toMatchObject(heard)
})

it('takes fifty thousand, lists them all without their keys, and forgets those that are named', async () => {
  const lines = Array.from({ length: 50_000 }, (_, n) => `${String(n + 1).padStart(3, '0')} pc-${n} any ${keyOf('f')}`)
  expect(await take(lines)).toMatchObject({ added: 50_000, refused: [] })
  expect(await take(lines)).toMatchObject({ added: 0, unchanged: 50_000, refused: [] })
  const all = await storedWazuhAgents(search)
  expect(all).toHaveLength(50_000)
  expect(JSON.stringify(all)).not.toContain(keyOf('f'))
  const gone = wazuhAgentsNamed(all, ['pc-7', '20000', '008'])
  expect(gone.map(({ id }) => id)).toEqual(['008', '20000'])
  await removeWazuhAgents(
    search,
    gone.map(({ id }) => id),
  )
  expect(await storedWazuhAgents(search)).toHaveLength(49_998)
  expect(() => wazuhAgentsNamed(all, ['nobody-here'])).toThrow('no Wazuh agent is called [nobody-here]')
}, 120_000)
