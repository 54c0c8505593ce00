import { afterAll, beforeAll, expect, it } from 'vitest'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** The night in which the clocks of Berlin go forward. */
const springMs = Date.UTC(2026, 2, 29)
let search: NotedSearch
let moments: number[]

/** Numbers from 0 up to 1 that are the same in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

beforeAll(async () => {
  const random = randomNumbers(7)
  const within = (from: number, length: number, count: number) =>
    Array.from({ length: count }, () => Math.floor(from + random() * length))
  moments = [
    ...within(springMs, hourMs, 60),
    ...within(springMs - 4 * dayMs, 8 * dayMs, 120),
    ...within(Date.UTC(1958, 0, 1), 80 * 365 * dayMs, 80),
    // The ends of hours and days, and both sides of the epoch.
    ...[springMs, springMs - 1, springMs + hourMs, springMs + dayMs - 1, 0, -1, 1],
  ]
  search = await openNotedSearch(() => springMs)
  const properties = { '@timestamp': { type: 'date' }, name: { type: 'keyword' } }
  await search.services.create('events', { properties })
  await search.services.create('exact', { properties: { '@timestamp': { type: 'date_nanos' } } })
  await search.services.write('events', [
    ...moments.map((ms, at): [string, object] => [
      `${at}`,
      { '@timestamp': new Date(ms).toISOString(), name: at % 2 ? 'odd' : 'even' },
    ]),
    ['untimed', { name: 'odd' }],
  ])
  await search.services.write(
    'exact',
    moments.flatMap((ms, at) => (ms < 0 ? [] : [[`${at}`, { '@timestamp': new Date(ms).toISOString() }]])),
  )
})
afterAll(() => search.services.close())

interface Histogram {
  readonly interval: string
  readonly buckets: readonly { readonly key: number; readonly doc_count: number }[]
}
interface Answer {
  readonly hits: { readonly total: { readonly value: number; readonly relation: string } }
  readonly aggregations: { readonly time: Histogram }
}

async function histogram(expression: string, query: unknown, parameters: object, aggs?: object) {
  const time = { auto_date_histogram: { field: '@timestamp', ...parameters }, ...(aggs ? { aggs } : {}) }
  const body = { query, track_total_hits: true, size: 3, sort: [{ '@timestamp': 'desc' }], aggs: { time } }
  const { hits, aggregations } = await search.ask<Answer>(expression, body)
  return { total: hits.total, ...aggregations.time, asked: search.statements().length }
}

const spans: readonly (readonly [from: number, length: number])[] = [
  [springMs, 20_000],
  [springMs, hourMs],
  [springMs - dayMs, 2 * dayMs],
  [springMs - 4 * dayMs, 8 * dayMs],
  // Bounds that the documents fill a small part of.
  [springMs - 4 * dayMs - 1, 500 * dayMs],
  [-1_000, 2_000],
  [Date.UTC(1965, 0, 1), 20 * 365 * dayMs],
  [Date.UTC(1958, 0, 1), 80 * 365 * dayMs],
]

it.each([
  ['UTC', 'events'],
  ['Europe/Berlin', 'events'],
  ['Asia/Kolkata', 'events'],
  ['America/St_Johns', 'events'],
  ['+05:30', 'events'],
  ['-01:00', 'events'],
  ['Europe/Berlin', 'exact'],
])(
  'counts every document once and between the bounds of its bucket, by the clocks of %s, in %s',
  async (time_zone, index) => {
    for (const [from, length] of spans.filter(([from]) => index === 'events' || from >= 0))
      for (const buckets of [1, 4, 60]) {
        const query = { range: { '@timestamp': { gte: from, lt: from + length, format: 'epoch_millis' } } }
        const inside = moments.filter((ms) => ms >= from && ms < from + length && (index === 'events' || ms >= 0))
        const found = await histogram(index, query, { buckets, time_zone })
        const said = `${from} ${length} ${buckets}`
        const counted = found.buckets.map(({ key }, at) => {
          const end = found.buckets[at + 1]?.key ?? Number.POSITIVE_INFINITY
          return { key, doc_count: inside.filter((ms) => ms >= key && ms < end).length }
        })
        const shown = found.buckets.map(({ key, doc_count }) => ({ key, doc_count }))
        expect([said, shown]).toEqual([said, counted])
        expect([said, found.total]).toEqual([said, { value: inside.length, relation: 'eq' }])
        expect(shown.reduce((sum, { doc_count }) => sum + doc_count, 0)).toBe(inside.length)
        expect(found.buckets.length).toBeLessThanOrEqual(Math.max(buckets, 1))
        // With something below it the buckets are asked for by their own bounds.
        const exact = await histogram(index, query, { buckets, time_zone }, { n: { value_count: { field: '_id' } } })
        expect([said, exact.interval]).toEqual([said, found.interval])
        expect(exact.buckets.map(({ key, doc_count }) => ({ key, doc_count }))).toEqual(shown)
      }
  },
)

it('asks for hits, total and buckets with two statements', async () => {
  const query = (length: number) => ({
    bool: {
      filter: [
        { range: { '@timestamp': { gte: springMs, lt: springMs + length, format: 'epoch_millis' } } },
        { ids: { values: Array.from({ length: 60 }, (_, at) => `${at}`) } },
      ],
    },
  })
  // The first search learns how many hits there are.
  await histogram('events', query(hourMs), { buckets: 60 })
  expect(await histogram('events', query(hourMs), { buckets: 60 })).toMatchObject({ asked: 2, interval: '1m' })
  // Bounds that say nothing of where the documents are cost another.
  expect(await histogram('events', query(3_000 * dayMs), { buckets: 4 })).toMatchObject({ asked: 3 })
})

it('counts no document without a time, and tells of them in the total', async () => {
  const untimed = await histogram('events', { term: { name: 'odd' } }, { buckets: 5 })
  const odd = moments.filter((_, at) => at % 2 === 1).length
  expect(untimed.total).toEqual({ value: odd + 1, relation: 'eq' })
  expect(untimed.buckets.reduce((sum, { doc_count }) => sum + doc_count, 0)).toBe(odd)
})
