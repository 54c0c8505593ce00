import { expect, test } from 'vitest'
import { EventCounter } from './count-events.ts'
import type { EventRange, EventSource } from './event-query.ts'

interface Sent {
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: { readonly track_total_hits: boolean; readonly aggs?: object; readonly query: object }
}

const source: EventSource = {
  filter: [{ term: { a: 1 } }],
  timestamp: { field: '@timestamp', type: 'iso', format: '' },
  queryKey: ['host.name'],
  termsSize: 2,
}

function rangeOf(index: string, after: number, checkpoint: number, shards = 1): EventRange {
  return { shard: { index, shard: 0, shards, checkpoint }, after, notBefore: 0 }
}

/** A counter whose searches are answered by `answer`, and what was sent. */
function counterOf(answer: (sent: Sent) => unknown, product = 'logstack') {
  const sent: Sent[] = []
  const client = {
    capabilities: async () => ({ product }),
    request: async (request: Sent) => {
      sent.push(request)
      return { body: request.path.endsWith('/_refresh') ? {} : answer(request) }
    },
  }
  return { sent, counter: new EventCounter(client as unknown as ConstructorParameters<typeof EventCounter>[0]) }
}

const buckets = (counts: Readonly<Record<string, number>>, others = 0) => ({
  sum_other_doc_count: others,
  buckets: Object.entries(counts).map(([key, count]) => ({ key, doc_count: count })),
})

test('rules that ask about the same events at once share one search over all indices, each with its own range', async () => {
  const { sent, counter } = counterOf(() => ({
    hits: { total: { value: 7 } },
    aggregations: { counts0: buckets({ web1: 4, web2: 3 }), counts1: buckets({ web1: 4 }) },
  }))
  const ranges = [rangeOf('a', 1, 5), rangeOf('b', -1, 2)]
  const counts = await Promise.all([
    counter.count(source, ranges, true),
    counter.count(source, ranges, false),
    counter.count({ ...source, termsSize: 1 }, ranges, true),
  ])
  expect(counts).toEqual([
    [
      { key: 'web1', count: 4 },
      { key: 'web2', count: 3 },
    ],
    [{ key: '', count: 7 }],
    [{ key: 'web1', count: 4 }],
  ])
  expect(sent).toHaveLength(1)
  const since = { range: { '@timestamp': { gte: '1970-01-01T00:00:00.000Z' } } }
  const of = (index: string, gt: number, lte: number) => ({
    bool: { filter: [{ term: { _index: index } }, { range: { _seq_no: { gt, lte } } }, since] },
  })
  expect(sent[0]).toMatchObject({
    path: '/a,b/_search',
    query: { ignore_unavailable: true, allow_partial_search_results: false },
    body: {
      size: 0,
      track_total_hits: true,
      query: {
        bool: {
          filter: [{ bool: { should: [of('a', 1, 5), of('b', -1, 2)], minimum_should_match: 1 } }, ...source.filter],
        },
      },
      aggs: {
        counts0: { terms: { field: 'host.name', size: 2, min_doc_count: 1 } },
        counts1: { terms: { field: 'host.name', size: 1, min_doc_count: 1 } },
      },
    },
  })
  await counter.count(source, ranges, true)
  expect(sent[1]?.body).toMatchObject({ track_total_hits: false })
})

test('others about other events, and indices of several shards, are asked apart', async () => {
  const { sent, counter } = counterOf(() => ({ hits: { total: { value: 1 } } }))
  const counts = await Promise.all([
    counter.count(source, [rangeOf('a', 1, 5), rangeOf('many', 0, 9, 3)], false),
    counter.count({ ...source, filter: [] }, [rangeOf('a', 1, 5)], false),
    counter.count(source, [rangeOf('a', 2, 5)], false),
  ])
  expect(counts).toEqual([[{ key: '', count: 2 }], [{ key: '', count: 1 }], [{ key: '', count: 1 }]])
  expect(sent.map(({ path, query }) => [path, query?.['preference']]).sort()).toEqual([
    ['/a/_search', undefined],
    ['/a/_search', undefined],
    ['/a/_search', undefined],
    ['/many/_search', '_shards:0'],
  ])
})

test('where an index may have more keys than are asked for, each is asked for its own', async () => {
  const { counter } = counterOf(({ path }) => ({
    hits: {},
    aggregations: {
      counts0:
        path === '/a,b/_search'
          ? buckets({ x: 9, y: 8 }, 5)
          : buckets(path.startsWith('/a') ? { x: 9, z: 3 } : { y: 8, z: 2 }),
    },
  }))
  expect(await counter.count(source, [rangeOf('a', 0, 9), rangeOf('b', 0, 9)], true)).toEqual([
    { key: 'x', count: 9 },
    { key: 'z', count: 5 },
    { key: 'y', count: 8 },
  ])
})

test('a rule whose question is refused takes no other with it', async () => {
  const { counter } = counterOf(({ body }) => {
    if (body?.aggs) throw new Error('host.name is a text')
    return { hits: { total: { value: 3 } } }
  })
  const ranges = [rangeOf('a', 0, 9)]
  const [byKey, all] = await Promise.allSettled([
    counter.count(source, ranges, true),
    counter.count(source, ranges, false),
  ])
  expect(byKey).toMatchObject({ status: 'rejected', reason: new Error('host.name is a text') })
  expect(all).toEqual({ status: 'fulfilled', value: [{ key: '', count: 3 }] })
})

test('other servers are told to refresh first, whatever became of an index', async () => {
  const { sent, counter } = counterOf(() => ({ hits: { total: { value: 0 } } }), 'elasticsearch')
  await counter.count(source, [rangeOf('a', 0, 9), rangeOf('b', 0, 9)], false)
  expect(sent.map(({ path }) => path)).toEqual(['/a,b/_refresh', '/a,b/_search'])
  expect(sent[0]?.query).toEqual({ ignore_unavailable: true })
})

test('indices with long names are asked for by as many searches as their names take', async () => {
  const { sent, counter } = counterOf(() => ({ hits: { total: { value: 1 } } }))
  const ranges = Array.from({ length: 40 }, (_, at) => rangeOf(`${'long-'.repeat(40)}${at}`, -1, 5))
  expect(await counter.count(source, ranges, false)).toEqual([{ key: '', count: sent.length }])
  const asked = sent.map(({ path }) => path.slice(1).split('/')[0]?.split(',') ?? [])
  expect(asked.flat()).toEqual(ranges.map(({ shard }) => shard.index))
  for (const { path } of sent) expect(path.length).toBeLessThan(3_100)
})
