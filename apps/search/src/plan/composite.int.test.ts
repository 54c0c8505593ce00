import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../testing/sample-logs.ts'

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
