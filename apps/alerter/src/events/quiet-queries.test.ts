import type { SearchClient } from '@logstack/search-client'
import { beforeEach, expect, test } from 'vitest'
import type { EventRange, EventSource } from './event-query.ts'
import { QuietQueries } from './quiet-queries.ts'
import { EventReader } from './read-events.ts'

interface Body {
  readonly size: number
  readonly query: { bool: { filter: [{ range: { _seq_no: { gt: number; lte: number } } }, ...unknown[]] } }
  readonly aggs?: {
    found: { filters: { filters: Record<string, { bool: { filter: [{ term: { word: string } }] } }> } }
  }
}

/** The words of the events, by their sequence numbers. */
let events: string[]
let asked: Body[]
let clock: number
let broken: string | undefined

const client = {
  capabilities: async () => ({ product: 'logstack' }),
  async request({ body }: { readonly body: Body }) {
    asked.push(body)
    const { gt, lte } = body.query.bool.filter[0].range._seq_no
    const seen = events.map((word, seqNo) => ({ word, seqNo })).filter(({ seqNo }) => seqNo > gt && seqNo <= lte)
    if (broken !== undefined && JSON.stringify(body).includes(`"${broken}"`)) throw new Error('refused')
    const filters = Object.entries(body.aggs?.found.filters.filters ?? {})
    if (filters.length > 0) {
      const count = (word: string) => ({ doc_count: seen.filter((event) => event.word === word).length })
      const buckets = Object.fromEntries(filters.map(([at, one]) => [at, count(one.bool.filter[0].term.word)]))
      return { status: 200, body: { aggregations: { found: { buckets } } } }
    }
    const hits = seen
      .filter(({ word }) => JSON.stringify(body.query).includes(`"word":"${word}"`))
      .map(({ seqNo, word }) => ({
        _index: 'i',
        _id: `${seqNo}`,
        _seq_no: seqNo,
        _source: { '@timestamp': '2026-01-01', word },
      }))
    return { status: 200, body: { hits: { hits } } }
  },
} as unknown as SearchClient

const sourceOf = (word: string): EventSource =>
  ({
    filter: [{ term: { word } }],
    timestamp: { field: '@timestamp', type: 'iso' },
    queryKey: [],
  }) as unknown as EventSource
const rangeOf = (after: number): EventRange => ({
  shard: { index: 'i', shard: 0, shards: 1, checkpoint: events.length - 1 },
  after,
  notBefore: 0,
})
const words = Array.from({ length: 250 }, (_, n) => `word${n}`)
const quiet = () => new QuietQueries(client, () => clock)

/** All words are looked for in one round; answers how many events each found. */
async function round(known: QuietQueries, after: number): Promise<Record<string, number>> {
  asked = []
  const reader = new EventReader(client, Date.now, known)
  const found: Record<string, number> = {}
  for (const word of words) {
    const page = await reader.readEvents(sourceOf(word), rangeOf(after), 500).catch(() => undefined)
    if (page) expect(page.upTo).toBe(events.length - 1)
    if (page && page.events.length > 0) found[word] = page.events.length
  }
  return found
}

beforeEach(() => {
  clock = 0
  broken = undefined
  events = ['word3', 'other']
})

test('hundreds of rules ask a hundredth as often, and miss no event', async () => {
  const known = quiet()
  expect(await round(known, -1)).toEqual({ word3: 1 })
  expect(asked).toHaveLength(250)
  events.push('word7', 'word249', 'word7')
  expect(await round(known, 1)).toEqual({ word7: 2, word249: 1 })
  expect(asked.map(({ size }) => size).sort()).toEqual([0, 0, 0, 500, 500])
  events.push('other')
  expect(await round(known, 4)).toEqual({})
  expect(asked).toHaveLength(3)
})

test('when only some have a turn before more events come, those that are next are counted, not those that just were', async () => {
  const known = quiet()
  await round(known, -1)
  const turns = [words.slice(0, 100), words.slice(100, 200), words.slice(200), words.slice(0, 100)]
  asked = []
  for (const [at, some] of turns.entries()) {
    events.push('other')
    const reader = new EventReader(client, Date.now, known)
    for (const word of some) await reader.readEvents(sourceOf(word), rangeOf(at < 3 ? 1 : 2), 500)
  }
  expect(asked).toHaveLength(turns.length)
})

test('a rule that lags behind finds what others have passed', async () => {
  const known = quiet()
  await round(known, -1)
  events.push('word9')
  await round(known, 1)
  const reader = new EventReader(client, Date.now, known)
  expect((await reader.readEvents(sourceOf('word3'), rangeOf(-1), 500)).events).toHaveLength(1)
})

test('a rule of the round before takes nothing away from what is known', async () => {
  const known = quiet()
  await round(known, -1)
  const before = rangeOf(0)
  events.push('other')
  await round(known, 1)
  known.wasRead(sourceOf('late'), before)
  asked = []
  expect(await known.isQuiet(sourceOf('word9'), rangeOf(1))).toBe(true)
  expect(asked).toEqual([])
})

test('an index that is made anew is looked at from its beginning', async () => {
  const known = quiet()
  events = Array.from({ length: 20 }, () => 'other')
  await round(known, -1)
  events.push('other')
  await round(known, 19)
  events = ['word5']
  expect(await round(known, -1)).toEqual({ word5: 1 })
})

test('one query that is refused keeps no other from being counted', async () => {
  const known = quiet()
  await round(known, -1)
  broken = 'word8'
  events.push('word9')
  expect(await round(known, 1)).toEqual({ word9: 1 })
  events.push('word9')
  expect(await round(known, 2)).toEqual({ word9: 1 })
  // Three counts, the one that found something, and the one that is refused.
  expect(asked).toHaveLength(5)
})

test('a query of a rule that is gone is not counted for ever', async () => {
  const known = quiet()
  await round(known, -1)
  clock += 300_001
  const few = words.slice(0, 10)
  const reader = new EventReader(client, Date.now, known)
  for (const word of few) await reader.readEvents(sourceOf(word), rangeOf(-1), 500)
  asked = []
  events.push('other')
  for (const word of few) await reader.readEvents(sourceOf(word), rangeOf(1), 500)
  expect(asked.map(({ aggs }) => Object.keys(aggs?.found.filters.filters ?? {}).length)).toEqual([10])
})
