import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.create('things', {
    properties: {
      days: { type: 'date_range' },
      net: { type: 'ip_range' },
      n: { type: 'integer_range' },
      tag: { type: 'keyword' },
      size: { type: 'long' },
      items: {
        type: 'nested',
        properties: { name: { type: 'keyword' }, count: { type: 'long' }, at: { type: 'date' } },
      },
    },
  })
  await logs.services.write('things', [
    [
      '1',
      {
        days: { gte: '2026-01-01', lt: '2026-02-01' },
        net: '10.0.0.0/8',
        n: { gte: 1, lte: 5 },
        tag: 'a',
        size: 1,
        items: [
          { name: 'x', count: 1, at: '2026-01-01' },
          { name: 'y', count: 2 },
        ],
      },
    ],
    [
      '2',
      { days: { gte: '2026-02-10' }, n: [{ gt: 7 }, { lt: 0 }], tag: 'b', size: 2, items: { name: 'x', count: 2 } },
    ],
    ['3', { net: { gte: '10.1.0.0', lte: '10.1.0.9' }, tag: 'a', size: 3 }],
  ])
})
afterAll(() => logs.services.close())

interface Answer {
  readonly hits: {
    readonly total: { readonly value: number }
    readonly hits: { readonly _id: string; readonly [key: string]: unknown }[]
  }
}

async function found(body: Record<string, unknown>): Promise<Answer['hits']> {
  return ((await logs.answer(body, {}, 'things')) as unknown as Answer).hits
}

async function ids(query: unknown): Promise<string[]> {
  return (await found({ query })).hits.map(({ _id }) => _id).sort()
}

describe('range fields', () => {
  it.each<[string, unknown, string[]]>([
    ['a day', { term: { days: '2026-01-15' } }, ['1']],
    ['the day after the last', { term: { days: '2026-02-01' } }, []],
    ['an open end', { range: { days: { gte: '2030-01-01' } } }, ['2']],
    ['an address', { term: { net: '10.1.0.5' } }, ['1', '3']],
    ['a block', { range: { net: { gte: '10.1.0.0', lte: '10.1.0.255' } } }, ['1', '3']],
    ['a number in one of two', { term: { n: -3 } }, ['2']],
    ['an excluded end', { term: { n: 7 } }, []],
    ['all of it within', { range: { n: { gte: 0, lte: 9, relation: 'within' } } }, ['1']],
    ['all of it contained', { range: { n: { gte: 2, lte: 3, relation: 'contains' } } }, ['1']],
    ['any value', { exists: { field: 'net' } }, ['1', '3']],
  ])('find %s', async (_, query, expected) => expect(await ids(query)).toEqual(expected))

  it('count in every bucket they reach into', async () => {
    const months = { date_histogram: { field: 'days', calendar_interval: 'month', hard_bounds: { max: '2026-03-31' } } }
    const whole = { histogram: { field: 'n', interval: 5, hard_bounds: { min: 0, max: 9 } } }
    const { m, h } = (await logs.aggs({ m: months, h: whole }, {}, 'things')) as Record<
      string,
      { buckets: { key: number; doc_count: number }[] }
    >
    expect(m?.buckets.map(({ doc_count }) => doc_count)).toEqual([1, 1, 1])
    expect(h?.buckets.map(({ key, doc_count }) => [key, doc_count])).toEqual([
      [0, 1],
      [5, 2],
    ])
  })
})

it('takes a single range of an aggregation without a list around it', async () => {
  const aggs = { small: { range: { field: 'size', ranges: { to: 3 } } } }
  const { aggregations } = (await logs.answer({ size: 0, aggs }, {}, 'things')) as unknown as {
    aggregations: Record<string, unknown>
  }
  expect(aggregations['small']).toMatchObject({ buckets: [{ key: '*-3.0', doc_count: 2 }] })
})

describe('nested objects', () => {
  const nested = (query: unknown) => ({ nested: { path: 'items', query } })
  it.each<[string, unknown, string[]]>([
    [
      'both conditions in one object',
      nested({ bool: { must: [{ term: { 'items.name': 'x' } }, { term: { 'items.count': 2 } }] } }),
      ['2'],
    ],
    ['one condition', nested({ range: { 'items.count': { gte: 2 } } }), ['1', '2']],
    ['an object without a value', nested({ bool: { must_not: { term: { 'items.name': 'x' } } } }), ['1']],
    ['a date', nested({ range: { 'items.at': { lte: '2026-01-02' } } }), ['1']],
    ['documents without such an object', { bool: { must_not: nested({ exists: { field: 'items.at' } }) } }, ['2', '3']],
    ['nothing from outside', { term: { 'items.name': 'x' } }, []],
  ])('find %s', async (_, query, expected) => expect(await ids(query)).toEqual(expected))

  it('are counted one by one, and lead back to their documents', async () => {
    const names = { terms: { field: 'items.name' }, aggs: { n: { sum: { field: 'items.count' } } } }
    const many = {
      filter: { range: { 'items.count': { gte: 2 } } },
      aggs: { back: { reverse_nested: {}, aggs: { tags: { terms: { field: 'tag' } } } } },
    }
    const { items } = (await logs.aggs(
      { items: { nested: { path: 'items' }, aggs: { names, many, back: { reverse_nested: {} } } } },
      {},
      'things',
    )) as Record<string, unknown>
    expect(items).toMatchObject({
      doc_count: 3,
      names: {
        buckets: [
          { key: 'x', doc_count: 2, n: { value: 3 } },
          { key: 'y', doc_count: 1, n: { value: 2 } },
        ],
      },
      many: {
        doc_count: 2,
        back: {
          doc_count: 2,
          tags: {
            buckets: [
              { key: 'a', doc_count: 1 },
              { key: 'b', doc_count: 1 },
            ],
          },
        },
      },
      back: { doc_count: 2 },
    })
  })

  it('refuse a path that is none', async () =>
    await expect(ids({ nested: { path: 'tag', query: { match_all: {} } } })).rejects.toThrow())
})

describe('groups and parts of hits', () => {
  it('collapses to the first of each value, with the others inside', async () => {
    const collapse = { field: 'tag', inner_hits: { name: 'all', sort: [{ size: 'desc' }] } }
    const hits = await found({ collapse, sort: [{ size: 'asc' }] })
    expect(hits).toMatchObject({
      total: { value: 3 },
      hits: [
        {
          _id: '1',
          fields: { tag: ['a'] },
          inner_hits: { all: { hits: { total: { value: 2 }, hits: [{ _id: '3' }, { _id: '1' }] } } },
        },
        { _id: '2', fields: { tag: ['b'] } },
      ],
    })
  })

  it('collapses what is inside once more', async () => {
    const inner = { name: 'by_size', size: 3, sort: [{ size: 'desc' }], collapse: { field: 'size' } }
    const { hits } = await found({ collapse: { field: 'tag', inner_hits: inner }, sort: [{ size: 'asc' }] })
    expect(Object(hits[0]).inner_hits.by_size.hits).toMatchObject({
      total: { value: 2 },
      hits: [
        { _id: '3', fields: { size: [expect.anything()] } },
        { _id: '1', fields: { size: [expect.anything()] } },
      ],
    })
    for (const more of [{ inner_hits: {} }, { collapse: { field: 'tag' } }]) {
      const deeper = { ...inner, collapse: { field: 'size', ...more } }
      await expect(found({ collapse: { field: 'tag', inner_hits: deeper } })).rejects.toThrow(
        '[inner_hits] failed to parse field [collapse]',
      )
    }
  })

  it('ends early, and says so', async () => {
    expect(await logs.answer({ terminate_after: 2 }, {}, 'things')).toMatchObject({
      terminated_early: true,
      hits: { total: { value: 2, relation: 'eq' } },
    })
    expect(await logs.answer({ terminate_after: 9 }, {}, 'things')).toMatchObject({ terminated_early: false })
  })

  it('refuses a slice outside of a scroll', async () =>
    await expect(found({ slice: { id: 0, max: 2 } })).rejects.toThrow('[slice] can only be used with'))
})
