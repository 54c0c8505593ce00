import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.create('months', { properties: { '@timestamp': { type: 'date' } } })
  const days = Array.from({ length: 40 }, (_, day) => new Date(Date.UTC(2026, 9, 10) + day * 86_400_000 + 7_200_000))
  await logs.services.write(
    'months',
    days.map((at) => [at.toISOString(), { '@timestamp': at.toISOString() }]),
  )
})
afterAll(() => logs.services.close())

interface Page {
  readonly c: { readonly after_key?: unknown; readonly buckets: { key: unknown; doc_count: number }[] }
}

/** All buckets of a composite aggregation, by pages of five. */
async function paged(source: unknown): Promise<{ keys: string[]; documents: number }> {
  const keys: string[] = []
  let documents = 0
  let after: unknown
  do {
    const composite = { sources: [{ at: source }], size: 5, ...(after === undefined ? {} : { after }) }
    const { c } = (await logs.aggs({ c: { composite } }, {}, 'months')) as Page
    keys.push(...c.buckets.map(({ key }) => JSON.stringify(key)))
    documents += c.buckets.reduce((sum, { doc_count }) => sum + doc_count, 0)
    after = c.after_key
  } while (after !== undefined && keys.length < 200)
  return { keys, documents }
}

const zones = ['-05:00', '+05:30', 'America/New_York', 'Europe/Berlin', 'America/Sao_Paulo', 'UTC']
const intervals = [
  { calendar_interval: '1d' },
  { calendar_interval: '1w' },
  { calendar_interval: '1M' },
  { fixed_interval: '3d' },
  { fixed_interval: '36h', offset: '5h' },
  { calendar_interval: '1d', offset: '-2h' },
]
const shapes = [{ format: 'yyyy-MM-dd HH:mm' }, { order: 'desc' }, {}]

it.each(
  // Every interval in three zones, each in another shape.
  intervals.flatMap((interval, at) =>
    shapes.map((shape, step) => ({ zone: zones[(at + 2 * step) % zones.length], interval, shape })),
  ),
)('pages through every bucket once: %j', async ({ zone, interval, shape }) => {
  const { keys, documents } = await paged({
    date_histogram: { field: '@timestamp', time_zone: zone, ...interval, ...shape },
  })
  expect(new Set(keys).size).toBe(keys.length)
  expect(documents).toBe(40)
})

it('pages through the tiles of points, by column and row', async () => {
  await logs.services.create('points', { properties: { at: { type: 'geo_point' }, kind: { type: 'keyword' } } })
  await logs.services.write('points', [
    ['1', { at: '37.2343,-115.8067', kind: 'foo' }],
    ['2', { at: ['41.12,-71.34', '90.0,0.0'], kind: 'bar' }],
    ['3', { at: '41.12,-71.34', kind: 'bar' }],
    ['4', { kind: 'bar' }],
  ])
  const tiles = (more: object) => ({
    c: {
      composite: {
        sources: [{ geo: { geotile_grid: { field: 'at', precision: 12 } } }, { kind: { terms: { field: 'kind' } } }],
        ...more,
      },
    },
  })
  const all = [
    { key: { geo: '12/730/1590', kind: 'foo' }, doc_count: 1 },
    { key: { geo: '12/1236/1533', kind: 'bar' }, doc_count: 2 },
    { key: { geo: '12/2048/0', kind: 'bar' }, doc_count: 1 },
  ]
  expect(((await logs.aggs(tiles({}), {}, 'points')) as Page).c.buckets).toEqual(all)
  const after = { after: { geo: '12/730/1590', kind: 'foo' } }
  expect(((await logs.aggs(tiles(after), {}, 'points')) as Page).c.buckets).toEqual(all.slice(1))
  await expect(logs.aggs(tiles({ after: { geo: '7/1/1', kind: 'foo' } }), {}, 'points')).rejects.toMatchObject({
    cause: { message: expect.stringContaining('Invalid geotile_grid hash string of 7/1/1.') },
  })
})
