import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reasonsOf } from '../../testing/reasons-of.ts'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

/** Twelve posts of three authors on two days; the later ones have the better score. */
const posts = Array.from({ length: 12 }, (_, at): readonly [string, unknown] => [
  String(at),
  {
    '@timestamp': `2026-11-${at % 2 === 0 ? '20' : '21'}T10:00:00Z`,
    author: ['ann', 'ann', 'bob', 'ann', 'cy', 'ann'][at % 6],
    rank: at,
    tags: at === 0 ? ['a', 'b'] : ['a'],
    ...(at < 2 ? {} : { topic: `t${at % 3}` }),
  },
])

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.create('posts', {
    properties: {
      '@timestamp': { type: 'date' },
      author: { type: 'keyword' },
      rank: { type: 'long' },
      tags: { type: 'keyword' },
      topic: { type: 'keyword' },
      nowhere: { type: 'keyword' },
    },
  })
  await logs.services.write('posts', posts)
})
afterAll(() => logs.services.close())

const byRank = { query: { function_score: { field_value_factor: { field: 'rank', modifier: 'none' } } } }
const ranks = { ranks: { terms: { field: 'rank', size: 20, order: { _key: 'asc' } } } }
const sample = async (body: object, more: object = byRank): Promise<unknown> => logs.aggs(body, { ...more }, 'posts')
const keys = (answer: unknown) =>
  (answer as { ranks: { buckets: { key: number }[] } }).ranks.buckets.map(({ key }) => key)
const ranksOf = async (kind: object, more: object = byRank) =>
  keys(((await sample({ s: { ...kind, aggs: ranks } }, more)) as { s: unknown }).s)

describe('sampler', () => {
  it('takes the best documents of the query', async () => {
    expect(await ranksOf({ sampler: { shard_size: 3 } })).toEqual([9, 10, 11])
    expect(await ranksOf({ sampler: { shard_size: 0 } })).toEqual([])
    expect(await ranksOf({ sampler: {} })).toHaveLength(12)
  })

  it('takes the first of those that score alike', async () => {
    expect(await ranksOf({ sampler: { shard_size: 2 } }, { query: { match_all: {} } })).toEqual([0, 1])
  })

  it('takes the best of every bucket of terms and of date_histogram', async () => {
    const s = { sampler: { shard_size: 2 }, aggs: { least: { min: { field: 'rank' } } } }
    expect(await sample({ authors: { terms: { field: 'author' }, aggs: { s } } })).toMatchObject({
      authors: {
        buckets: [
          { key: 'ann', doc_count: 8, s: { doc_count: 2, least: { value: 9 } } },
          { key: 'bob', doc_count: 2, s: { doc_count: 2, least: { value: 2 } } },
          { key: 'cy', doc_count: 2, s: { doc_count: 2, least: { value: 4 } } },
        ],
      },
    })
    const days = { date_histogram: { field: '@timestamp', calendar_interval: 'day' }, aggs: { s } }
    expect(await sample({ days })).toMatchObject({
      days: { buckets: [{ s: { least: { value: 8 } } }, { s: { least: { value: 9 } } }] },
    })
  })

  it('keeps buckets below it to the sample, whatever is above', async () => {
    const deep = { filter: { term: { author: 'ann' } }, aggs: { s: { sampler: { shard_size: 3 }, aggs: ranks } } }
    const { deep: found } = (await sample({ deep })) as { deep: { s: unknown } }
    expect(keys(found.s)).toEqual([7, 9, 11])
  })
})

describe('diversified_sampler', () => {
  it('takes only so many of each value', async () => {
    expect(await ranksOf({ diversified_sampler: { field: 'author' } })).toEqual([8, 10, 11])
    expect(await ranksOf({ diversified_sampler: { field: 'author', max_docs_per_value: 2, shard_size: 4 } })).toEqual([
      8, 9, 10, 11,
    ])
  })

  it('takes documents without a value as those of one more', async () => {
    expect(await ranksOf({ diversified_sampler: { field: 'topic' } })).toEqual([1, 9, 10, 11])
    expect(await ranksOf({ diversified_sampler: { field: 'nowhere' } })).toEqual([11])
    expect(await ranksOf({ diversified_sampler: { field: 'unmapped' } })).toEqual([])
  })

  it('samples every bucket of terms and of date_histogram', async () => {
    const s = { diversified_sampler: { field: 'author' }, aggs: { all: { value_count: { field: 'rank' } } } }
    expect(await sample({ topics: { terms: { field: 'topic', order: { _key: 'asc' } }, aggs: { s } } })).toMatchObject({
      topics: { buckets: [{ s: { all: { value: 1 } } }, { s: { all: { value: 2 } } }, { s: { all: { value: 2 } } }] },
    })
    const days = { date_histogram: { field: '@timestamp', calendar_interval: 'day' }, aggs: { s } }
    expect(await sample({ days })).toMatchObject({
      days: { buckets: [{ s: { doc_count: 3 } }, { s: { doc_count: 1 } }] },
    })
  })

  it('answers with its type and meta', async () => {
    const s = { diversified_sampler: { field: 'author' }, meta: { is: 'few' } }
    const answer = await logs.answer({ size: 0, ...byRank, aggs: { s } }, { typed_keys: true }, 'posts')
    expect(answer['aggregations']).toEqual({ 'diversified_sampler#s': { meta: { is: 'few' }, doc_count: 3 } })
  })

  it.each([
    [{ diversified_sampler: { field: 'tags' } }, 'Sample diversifying key must be a single valued-field'],
    [
      { diversified_sampler: { field: 'author', shard_size: -1 } },
      '[shardSize] must be greater than or equal to 0. Found [-1] in [s]',
    ],
    [
      { diversified_sampler: { field: 'author', max_docs_per_value: -1 } },
      '[maxDocsPerValue] must be greater than or equal to 0. Found [-1] in [s]',
    ],
    [
      { diversified_sampler: { field: 'author', execution_hint: 'x' } },
      'Unknown `execution_hint`: [x], expected any of [map, global_ordinals, bytes_hash]',
    ],
    [{ diversified_sampler: { field: 'author', size: 1 } }, '[diversified_sampler] unknown field [size]'],
    [{ sampler: { shard_size: -1 } }, '[shardSize] must be greater than or equal to 0. Found [-1] in [s]'],
    [{ random_sampler: { probability: 0.7 } }, '[probability] must be greater than 0 and at most 0.5, or exactly 1'],
  ])('refuses %j', async (body, reason) => {
    expect(await reasonsOf(sample({ s: body }))).toContain(reason)
  })
})
