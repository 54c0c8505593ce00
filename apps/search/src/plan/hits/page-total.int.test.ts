import { afterAll, beforeAll, expect, it } from 'vitest'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'
import type { TestServices } from '../../testing/search-services.ts'

const startMs = Date.UTC(2026, 0, 1)
let search: NotedSearch
let services: TestServices

const time = (at: number): string => new Date(startMs + at * 1000).toISOString()

beforeAll(async () => {
  search = await openNotedSearch(() => startMs)
  services = search.services
  const properties = { '@timestamp': { type: 'date' }, name: { type: 'keyword' }, n: { type: 'long' } }
  await services.create('events', { properties })
  await services.create('more', { properties })
  await services.write(
    'events',
    Array.from({ length: 200 }, (_, at) => [
      `${at}`,
      { '@timestamp': time(at), name: at % 100 === 0 ? 'rare' : 'often', n: at },
    ]),
  )
  await services.write('more', [['m', { '@timestamp': time(7), name: 'rare' }]])
})
afterAll(() => services.close())

interface Answer {
  readonly total: { readonly value: number; readonly relation: string }
  readonly ids: readonly string[]
  /** How many statements were asked of the engine. */
  readonly asked: number
}

async function ask(body: Record<string, unknown>, expression = 'events'): Promise<Answer> {
  type Found = {
    readonly hits: { readonly total: Answer['total']; readonly hits: readonly { readonly _id: string }[] }
  }
  const { hits } = await search.ask<Found>(expression, body)
  return { total: hits.total, ids: hits.hits.map(({ _id }) => _id), asked: search.statements().length }
}

const named = (name: string): Record<string, unknown> => ({ query: { bool: { filter: { term: { name } } } } })

it('counts what fits a page on the page, once it is known to be little', async () => {
  const first = await ask(named('rare'))
  expect(first).toMatchObject({ total: { value: 2, relation: 'eq' }, ids: ['0', '100'], asked: 2 })
  expect(await ask(named('rare'))).toEqual({ ...first, asked: 1 })
  // Other bounds of time are the same filter.
  const until = { range: { '@timestamp': { lt: time(50) } } }
  const bound = { query: { bool: { filter: [{ term: { name: 'rare' } }, until] } } }
  expect(await ask(bound)).toMatchObject({ total: { value: 1, relation: 'eq' }, ids: ['0'], asked: 1 })
  expect(await ask({ ...named('rare'), track_total_hits: 1 })).toMatchObject({ total: { value: 1, relation: 'gte' } })
  // A page that has no room for all of it, and what is no first page, is counted.
  expect(await ask({ ...named('rare'), size: 1 })).toMatchObject({ total: { value: 2 }, ids: ['0'], asked: 2 })
  expect(await ask({ ...named('rare'), from: 1 })).toMatchObject({ total: { value: 2 }, ids: ['100'] })
  expect(await ask({ ...named('rare'), sort: [{ n: 'asc' }], search_after: [50] })).toMatchObject({
    total: { value: 2 },
    ids: ['100'],
  })
  expect(await ask({ ...named('rare'), collapse: { field: 'name' } })).toMatchObject({
    total: { value: 2 },
    ids: ['0'],
  })
  expect(await ask({ ...named('rare'), terminate_after: 1 })).toMatchObject({ total: { value: 1 }, ids: ['0'] })
})

it('counts what is little no more, though it is thought to be', async () => {
  await ask(named('rare'))
  await services.write(
    'events',
    Array.from({ length: 30 }, (_, at) => [`new${at}`, { '@timestamp': time(at), name: 'rare' }]),
  )
  expect((await ask(named('rare'))).total).toEqual({ value: 32, relation: 'eq' })
  expect((await ask({ ...named('rare'), track_total_hits: 20 })).total).toEqual({ value: 20, relation: 'gte' })
  expect(await ask(named('often'))).toMatchObject({ total: { value: 198, relation: 'eq' }, asked: 2 })
})

it('counts over several tables', async () => {
  for (const _ of [1, 2])
    expect((await ask({ ...named('rare'), size: 50 }, 'events,more')).total).toEqual({ value: 33, relation: 'eq' })
})

it('finds documents without a time after those that have one, and does not look for them within bounds of time', async () => {
  await services.write('events', [
    ['u1', { name: 'timed' }],
    ['t1', { '@timestamp': time(3), name: 'timed' }],
    ['u2', { name: 'timed' }],
    ['t2', { '@timestamp': time(4), name: 'timed' }],
  ])
  const sort = [{ '@timestamp': 'desc' }]
  const found = await ask({ ...named('timed'), sort })
  expect(found).toMatchObject({ ids: ['t2', 't1', 'u1', 'u2'], total: { value: 4 } })
  expect(await ask({ ...named('timed'), sort, size: 3 })).toMatchObject({ ids: ['t2', 't1', 'u1'] })
  expect(await ask({ ...named('timed'), sort, collapse: { field: 'name' } })).toMatchObject({ ids: ['t2'] })
  const bound = {
    query: { bool: { filter: [{ term: { name: 'timed' } }, { range: { '@timestamp': { gte: time(0) } } }] } },
    sort,
  }
  await ask(bound)
  expect(await ask(bound)).toMatchObject({ ids: ['t2', 't1'], total: { value: 2 }, asked: 1 })
})
