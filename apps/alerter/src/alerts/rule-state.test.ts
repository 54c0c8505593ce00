import type { SearchClient } from '@logstack/search-client'
import { beforeEach, expect, test } from 'vitest'
import { type RuleState, ruleStateStore } from './rule-state.ts'

type Request = Parameters<SearchClient['request']>[0]

const ids = Array.from({ length: 120 }, (_, n) => `rule ${n}.yml`)
let written: Map<string, { state: RuleState; updated: string }>
let requests: string[]
let refusesMany: boolean
let unread: string | undefined

const client = {
  request: async ({ method, path, body }: Request) => {
    requests.push(`${method} ${path}`)
    if (path.endsWith('/_mget')) {
      if (refusesMany) throw new Error('too much')
      const asked = (body as { ids: readonly string[] }).ids
      const docs = asked.map((id) =>
        id === unread
          ? { _id: id, error: { type: 'illegal_state' } }
          : { _id: id, found: written.has(id), _source: written.get(id) },
      )
      return { status: 200, body: { docs } }
    }
    const id = decodeURIComponent(path.split('/').at(-1) ?? '')
    if (method === 'PUT') written.set(id, body as { state: RuleState; updated: string })
    const source = written.get(id)
    return { status: source ? 200 : 404, body: { _source: source } }
  },
} as unknown as SearchClient

const stateOf = (fingerprint: string): RuleState => ({ checkpoints: { logs: [1] }, fingerprint, outbox: [] })

beforeEach(() => {
  requests = []
  refusesMany = false
  unread = undefined
  written = new Map(ids.slice(1).map((id) => [id, { state: stateOf(id), updated: '2026-11-28T00:00:00.000Z' }]))
})

test('the states of rules that are about to start are read together, each once', async () => {
  const states = ruleStateStore(client)
  states.expect(ids)
  const found = await Promise.all(ids.map((id) => states.load(id)))
  expect(found.map((state) => state?.fingerprint)).toEqual([undefined, ...ids.slice(1)])
  expect(found[1]?.savedAt).toBe(Date.UTC(2026, 10, 28))
  expect(requests).toHaveLength(3)
  // Told of again, they have started: each is read by itself where it starts over.
  states.expect(ids)
  await states.load(ids[7] ?? '')
  expect(requests).toHaveLength(4)
  expect(requests[3]).toBe('GET /.logstack-alerter-state/_doc/rule%207.yml')
})

test('what was written since is read anew', async () => {
  const states = ruleStateStore(client)
  states.expect(ids)
  const [first, second] = [states.load(ids[1] ?? ''), states.save(ids[2] ?? '', stateOf('later'), 0)]
  await Promise.all([first, second])
  expect((await states.load(ids[2] ?? ''))?.fingerprint).toBe('later')
})

test('one that could not be read with the others is not taken for a rule without a state', async () => {
  unread = ids[5]
  const states = ruleStateStore(client)
  states.expect(ids)
  expect((await states.load(ids[5] ?? ''))?.fingerprint).toBe(ids[5])
})

test('where search does not give many at once, each is asked for by itself', async () => {
  refusesMany = true
  const states = ruleStateStore(client)
  states.expect(ids)
  expect((await states.load(ids[3] ?? ''))?.fingerprint).toBe(ids[3])
  expect((await states.load(ids[4] ?? ''))?.fingerprint).toBe(ids[4])
  expect(requests.filter((request) => request.endsWith('_mget'))).toHaveLength(1)
})
