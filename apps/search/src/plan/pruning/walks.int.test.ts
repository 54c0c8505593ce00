import { afterAll, beforeAll, expect, it } from 'vitest'
import { runSearch, scrollPage } from '../../api/search/run-search.ts'
import { systemScope } from '../../security/role-scope.ts'
import type { Services } from '../../services.ts'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'
import { searchContexts } from '../search-contexts.ts'
import { AheadMemory, LookAhead } from './look-ahead.ts'

// Everything that a search finds, read page after page while others write and delete: the same documents in the same order as in one page.

const startMs = Date.UTC(2026, 0, 1)
const signal = new AbortController().signal
const shared = { scope: systemScope, signal, typedKeys: false, totalAsInteger: false }
let search: NotedSearch
let services: Services
let written = 0

interface Page {
  readonly _scroll_id?: string
  readonly hits: { readonly hits: readonly { readonly _id: string; readonly sort?: unknown[] }[] }
}

/** Numbers that look random, the same each time. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * sides)
  }
}
const roll = dice(7)
const oneOf = <T>(all: readonly T[]): T => all[roll(all.length)] as T

const words = ['red', 'green', 'blue', 'grey']
async function write(index: string, count: number): Promise<void> {
  const documents = Array.from({ length: count }, (): [string, object] => {
    written += 1
    return [
      `${written}`,
      {
        ...(roll(9) === 0 ? {} : { '@timestamp': new Date(startMs + roll(500) * 1000).toISOString() }),
        ...(roll(7) === 0 ? {} : { n: roll(40) }),
        name: oneOf(words),
        text: Array.from({ length: 1 + roll(5) }, () => oneOf(words)).join(' '),
      },
    ]
  })
  await search.services.write(index, documents)
}

async function remove(index: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => `${1 + roll(written)}`)
  await search.services.documents.apply([...new Set(ids)].map((id) => ({ action: 'delete', index, id })))
}

beforeAll(async () => {
  search = await openNotedSearch(() => startMs)
  services = search.services as unknown as Services
  const properties = {
    '@timestamp': { type: 'date' },
    n: { type: 'long' },
    name: { type: 'keyword' },
    text: { type: 'text' },
  }
  await search.services.create('walk-a', { properties })
  await search.services.create('walk-b', { properties: { ...properties, name: { type: 'keyword', ignore_above: 20 } } })
  for (const index of ['walk-a', 'walk-b', 'walk-a']) await write(index, 900)
  await remove('walk-a', 200)
})
afterAll(() => search.services.close())

/** Other documents, and fewer, while a search is read. */
async function disturb(): Promise<void> {
  await write(oneOf(['walk-a', 'walk-b']), 3)
  await remove(oneOf(['walk-a', 'walk-b']), 8)
}

const queries = (): object =>
  oneOf<() => object>([
    () => ({ match_all: {} }),
    () => ({ term: { name: oneOf(words) } }),
    () => ({ match: { text: `${oneOf(words)} ${oneOf(words)}` } }),
    () => ({ range: { '@timestamp': { gte: startMs + roll(300) * 1000 } } }),
    () => ({ bool: { filter: [{ term: { name: oneOf(words) } }], must_not: [{ range: { n: { lt: roll(30) } } }] } }),
    () => ({ bool: { should: [{ term: { name: oneOf(words) } }, { match_phrase: { text: 'red blue' } }] } }),
  ])()

const orders: readonly (readonly unknown[])[] = [
  [],
  ['_doc'],
  [{ '@timestamp': 'desc' }],
  [{ '@timestamp': 'asc' }, { name: 'desc' }],
  [{ n: 'desc' }],
  [{ n: { order: 'asc', missing: '_first' } }, { '@timestamp': 'asc' }],
  [{ name: 'asc' }],
  ['_score', { n: 'asc' }],
]

const ids = ({ hits }: Page): string[] => hits.hits.map(({ _id }) => _id)
const parsed = (bytes: Buffer): Page => JSON.parse(bytes.toString('utf8')) as Page

async function scrolled(expression: string, body: object): Promise<string[]> {
  const first = await search.ask<Page>(expression, body, { scroll: 60_000 })
  const context = searchContexts(services).use(String(first._scroll_id), systemScope, startMs, undefined)
  const found = ids(first)
  for (let page = first; page.hits.hits.length > 0; found.push(...ids(page))) {
    await disturb()
    page = parsed(await scrollPage(services, context, shared))
  }
  searchContexts(services).close([context.id], systemScope)
  return found
}

it.each(Array.from({ length: 24 }, (_, at) => at))('scrolls through what one page has (%i)', async () => {
  const expression = oneOf(['walk-a', 'walk-*'])
  const body = { query: queries(), sort: oneOf(orders), ...(roll(4) === 0 ? { slice: { id: roll(2), max: 2 } } : {}) }
  const whole = await search.ask<Page>(expression, { ...body, size: 10_000 }, { scroll: 60_000 })
  searchContexts(services).close('all', systemScope)
  const found = await scrolled(expression, { ...body, size: oneOf([90, 250, 640]) })
  expect(new Set(found).size).toBe(found.length)
  expect(found).toEqual(ids(whole))
})

it.each(Array.from({ length: 16 }, (_, at) => at))(
  'goes on in a point in time through what one page has (%i)',
  async () => {
    const names = oneOf([['walk-a'], ['walk-a', 'walk-b']])
    const indices = services.catalogue.resolve(names.join(','), { expand: ['open'] } as never)
    const tables = new Set(indices.map(({ index }) => index.table))
    const snapshots = new Map([...tables].map((table) => [table, services.documents.visibility(table)]))
    const held = { indices, scope: systemScope, snapshots, nowMs: startMs, keepAliveMs: 60_000 }
    const { id } = searchContexts(services).open(held, startMs)
    const sort = [...oneOf(orders), '_shard_doc']
    const ask = async (more: object) => {
      const body = { query, sort, ...slice, pit: { id }, ...more }
      const call = { scope: systemScope, signal, expression: '', route: 'search', query: { request_cache: false } }
      return parsed(await runSearch(services, { ...call, body }))
    }
    const query = queries()
    const slice = roll(4) === 0 ? { slice: { id: roll(2), max: 2 } } : {}
    const whole = ids(await ask({ size: 10_000 }))
    const size = oneOf([90, 250, 640])
    const found: string[] = []
    for (let page = await ask({ size }); page.hits.hits.length > 0; ) {
      found.push(...ids(page))
      await disturb()
      page = await ask({ size, search_after: page.hits.hits.at(-1)?.sort })
    }
    expect(found).toEqual(whole)
  },
)

it('looks for the order of several pages at once', async () => {
  const first = await search.ask<Page>('walk-a', { sort: [{ n: 'desc' }], size: 50 }, { scroll: 60_000 })
  const context = searchContexts(services).use(String(first._scroll_id), systemScope, startMs, undefined)
  const looks: number[] = []
  for (let page = 1; page < 20; page += 1) {
    const before = search.statements().length
    await scrollPage(services, context, shared)
    looks.push(search.statements().length - before)
  }
  // The first page looked for itself, the next for four, and then for sixteen.
  expect(looks).toEqual([2, 1, 1, 1, 2, ...Array.from({ length: 14 }, () => 1)])
})

it('forgets the rows to come of the scroll that was used longest ago', () => {
  const memory = new AheadMemory(10)
  const leaf = { table: { id: 1 }, indices: [{ id: 1 }], filters: '' } as never
  const [one, other] = [new LookAhead(memory), new LookAhead(memory)]
  const cursors = [[1], [1]]
  for (const [at, ahead] of [one, other].entries()) {
    ahead.found(leaf, Float64Array.of(1, 2, 3, 4, 5, 6), false)
    ahead.shown(new Map([[leaf, 1]]), cursors[at])
  }
  expect(one.next(leaf, cursors[0], 2)).toBeUndefined()
  expect(other.next(leaf, cursors[0], 2)).toBeUndefined()
  expect(other.next(leaf, cursors[1], 2)).toEqual(Float64Array.of(2, 3))
  expect(other.next(leaf, cursors[1], 6)).toBeUndefined()
  other.end()
  other.found(leaf, Float64Array.of(1, 2), false)
  other.shown(new Map([[leaf, 1]]), cursors[1])
  expect(other.next(leaf, cursors[1], 1)).toBeUndefined()
})
