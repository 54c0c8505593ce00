import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
})
afterAll(() => logs.services.close())

const aggs: SampleLogs['aggs'] = (...given) => logs.aggs(...given)

it('answers keys without documents, at the top and below', async () => {
  const query = { term: { 'host.name': 'web-1' } }
  const found = await aggs({ t: { terms: { field: 'status', min_doc_count: 0 } } }, { query })
  expect(found).toMatchObject({
    t: {
      sum_other_doc_count: 0,
      buckets: [
        { key: 200, doc_count: 1 },
        { key: 404, doc_count: 1 },
        { key: 500, doc_count: 0 },
      ],
    },
  })
  const below = await aggs({
    h: {
      terms: { field: 'host.name', size: 1 },
      aggs: { t: { terms: { field: 'tags', min_doc_count: 0, order: { _key: 'desc' } } } },
    },
  })
  expect(below).toMatchObject({
    h: {
      buckets: [
        {
          key: 'web-1',
          t: {
            buckets: [
              { key: 'c', doc_count: 0 },
              { key: 'b', doc_count: 1 },
              { key: 'a', doc_count: 2 },
            ],
          },
        },
      ],
    },
  })
})

it('finds what is more frequent here than everywhere', async () => {
  const found = await aggs(
    { s: { significant_terms: { field: 'tags', min_doc_count: 1 } } },
    { query: { term: { 'host.name': 'web-1' } } },
  )
  // `a`: two of two here, two of five in all.
  expect(found).toMatchObject({
    s: {
      doc_count: 2,
      bg_count: 5,
      buckets: [{ key: 'a', doc_count: 2, bg_count: 2, score: (1 - 2 / 5) * (1 / (2 / 5)) }, { key: 'b' }],
    },
  })
})

it('chooses a round interval for as many buckets as wanted', async () => {
  const found = (await aggs({
    d: { auto_date_histogram: { field: '@timestamp', buckets: 3 }, aggs: { s: { sum: { field: 'status' } } } },
  })) as {
    d: { interval: string; buckets: { key_as_string: string; doc_count: number; s: { value: number } }[] }
  }
  expect(found.d.interval).toBe('12h')
  expect(found.d.buckets.map(({ key_as_string, doc_count, s }) => [key_as_string, doc_count, s.value])).toEqual([
    ['2026-11-20T09:00:00.000Z', 1, 200],
    ['2026-11-20T21:00:00.000Z', 0, 0],
    ['2026-11-21T09:00:00.000Z', 3, 1104],
  ])
})

it('groups addresses by network and describes texts and numbers', async () => {
  const found = await aggs({
    net: { ip_prefix: { field: 'host.ip', prefix_length: 16 } },
    text: { string_stats: { field: 'host.name' } },
    box: { boxplot: { field: 'status' } },
    all: { sampler: { shard_size: 1 }, aggs: { n: { value_count: { field: 'status' } } } },
    shown: { histogram: { field: 'status', interval: 500, format: "0.0 'ms'" } },
  })
  expect(found).toMatchObject({
    net: {
      buckets: [
        { key: '10.0.0.0', doc_count: 2, netmask: '255.255.0.0' },
        { key: '10.1.0.0', doc_count: 1 },
      ],
    },
    text: { count: 4, min_length: 4, max_length: 5, avg_length: 4.5 },
    box: { min: 200, max: 500, q2: 302 },
    all: { doc_count: 1, n: { value: 1 } },
    shown: { buckets: [{ key_as_string: '0.0 ms' }, { key_as_string: '500.0 ms' }] },
  })
})

it('fills in values of a type for fields that nothing maps, and takes one of several partitions', async () => {
  expect(await aggs({ t: { terms: { field: 'nowhere', value_type: 'long', missing: 3 } } })).toMatchObject({
    t: { buckets: [{ key: 3, doc_count: 5 }] },
  })
  const parts = await Promise.all(
    [0, 1].map((partition) =>
      aggs({ t: { terms: { field: 'host.name', include: { partition, num_partitions: 2 } } } }),
    ),
  )
  const keys = (parts as { t: { buckets: { key: string }[] } }[]).flatMap(({ t }) => t.buckets.map(({ key }) => key))
  expect(keys.sort()).toEqual(['db-1', 'db-2', 'web-1'])
})
