import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
})
afterAll(() => logs.services.close())

const aggs: SampleLogs['aggs'] = (...given) => logs.aggs(...given)

describe('aggregations', () => {
  it('counts terms of several values exactly, with sub-aggregations and the rest', async () => {
    expect(
      await aggs({
        tags: {
          terms: { field: 'tags', size: 2 },
          aggs: { load: { avg: { field: 'load' } }, hosts: { terms: { field: 'host.name' } } },
        },
      }),
    ).toEqual({
      tags: {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 1,
        buckets: [
          {
            key: 'a',
            doc_count: 2,
            load: { value: 1 },
            hosts: {
              doc_count_error_upper_bound: 0,
              sum_other_doc_count: 0,
              buckets: [{ key: 'web-1', doc_count: 2 }],
            },
          },
          {
            key: 'b',
            doc_count: 2,
            load: { value: 0.5 },
            hosts: {
              doc_count_error_upper_bound: 0,
              sum_other_doc_count: 0,
              buckets: [
                { key: 'db-2', doc_count: 1 },
                { key: 'web-1', doc_count: 1 },
              ],
            },
          },
        ],
      },
    })
  })

  it('fills the gaps of a date histogram', async () => {
    const found = (await aggs(
      {
        time: {
          date_histogram: {
            field: '@timestamp',
            fixed_interval: '30m',
            extended_bounds: { min: '2026-11-21T09:30:00Z', max: '2026-11-21T11:00:00Z' },
          },
          aggs: { codes: { terms: { field: 'status' } } },
        },
      },
      { query: { range: { '@timestamp': { gte: '2026-11-21' } } } },
    )) as { time: { buckets: { key_as_string: string; doc_count: number; codes: { buckets: unknown[] } }[] } }
    expect(
      found.time.buckets.map((bucket) => [bucket.key_as_string, bucket.doc_count, bucket.codes.buckets.length]),
    ).toEqual([
      ['2026-11-21T09:30:00.000Z', 0, 0],
      ['2026-11-21T10:00:00.000Z', 1, 1],
      ['2026-11-21T10:30:00.000Z', 1, 1],
      ['2026-11-21T11:00:00.000Z', 1, 1],
    ])
  })

  it('rounds to the days of a zone', async () => {
    const found = (await aggs({
      days: { date_histogram: { field: '@timestamp', calendar_interval: 'day', time_zone: 'America/New_York' } },
    })) as { days: { buckets: unknown[] } }
    expect(found.days.buckets).toEqual([
      { key_as_string: '2026-11-20T00:00:00.000-05:00', key: 1795150800000, doc_count: 1 },
      { key_as_string: '2026-11-21T00:00:00.000-05:00', key: 1795237200000, doc_count: 3 },
    ])
  })
})

describe('metrics', () => {
  it('computes metrics over all tables', async () => {
    expect(
      await aggs(
        {
          load: { stats: { field: 'load' } },
          hosts: { cardinality: { field: 'host.name' } },
          n: { value_count: { field: 'tags' } },
          last: { max: { field: '@timestamp' } },
          status: { sum: { field: 'status' } },
          nothing: { min: { field: 'absent' } },
        },
        {},
        'logs-1,other',
      ),
    ).toEqual({
      load: { count: 3, min: 0.5, max: 2, avg: 4 / 3, sum: 4 },
      hosts: { value: 3 },
      // A value that a document holds twice is one of its values.
      n: { value: 5 },
      last: { value: Date.UTC(2026, 10, 21, 11, 15), value_as_string: '2026-11-21T11:15:00.000Z' },
      status: { value: 1504.5 },
      nothing: { value: null },
    })
  })
})

describe('aggregations of other kinds', () => {
  it('makes buckets of filters, ranges and what is missing', async () => {
    expect(
      await aggs({
        which: {
          filters: {
            filters: { bad: { range: { status: { gte: 400 } } }, root: { match: { message: 'root' } } },
            other_bucket: true,
          },
        },
        spans: { range: { field: 'load', ranges: [{ to: 1 }, { from: 1, to: 2 }, { from: 2 }] } },
        untagged: { missing: { field: 'tags' }, aggs: { n: { value_count: { field: 'status' } } } },
        one: { filter: { term: { ok: true } }, aggs: { by: { terms: { field: 'status' } } } },
        widths: { histogram: { field: 'load', interval: 1 } },
      }),
    ).toEqual({
      which: { buckets: { bad: { doc_count: 2 }, root: { doc_count: 2 }, _other_: { doc_count: 2 } } },
      spans: {
        buckets: [
          { key: '*-1.0', to: 1, doc_count: 1 },
          { key: '1.0-2.0', from: 1, to: 2, doc_count: 1 },
          { key: '2.0-*', from: 2, doc_count: 1 },
        ],
      },
      untagged: { doc_count: 2, n: { value: 1 } },
      one: {
        doc_count: 2,
        by: { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [{ key: 200, doc_count: 2 }] },
      },
      widths: {
        buckets: [
          { key: 0, doc_count: 1 },
          { key: 1, doc_count: 1 },
          { key: 2, doc_count: 1 },
        ],
      },
    })
  })
})

describe('aggregations of documents', () => {
  it('pages through composite keys and shows top hits', async () => {
    const sources = [
      { host: { terms: { field: 'host.name' } } },
      { day: { date_histogram: { field: '@timestamp', calendar_interval: 'day' } } },
    ]
    const first = (await aggs({ all: { composite: { sources, size: 2 } } })) as {
      all: { after_key: unknown; buckets: unknown[] }
    }
    expect(first.all.buckets).toHaveLength(2)
    expect(await aggs({ all: { composite: { sources, size: 2, after: first.all.after_key } } })).toEqual({
      all: {
        after_key: { host: 'web-1', day: Date.UTC(2026, 10, 21) },
        buckets: [{ key: { host: 'web-1', day: Date.UTC(2026, 10, 21) }, doc_count: 2 }],
      },
    })
    const top = (await aggs({
      hosts: {
        terms: { field: 'host.name', order: { newest: 'desc' }, size: 1 },
        aggs: {
          newest: { max: { field: '@timestamp' } },
          last: { top_hits: { size: 1, sort: [{ '@timestamp': 'desc' }], _source: ['status'] } },
        },
      },
    })) as { hosts: { buckets: { key: string; last: { hits: { hits: unknown[] } } }[] } }
    expect(top.hosts.buckets.map(({ key, last }) => [key, last.hits.hits])).toEqual([
      [
        'db-1',
        [
          {
            _index: 'logs-1',
            _id: '3',
            _score: null,
            _source: { status: 500 },
            sort: [Date.UTC(2026, 10, 21, 11, 15)],
          },
        ],
      ],
    ])
  })

  it('counts by index, also over several tables', async () => {
    const found = (await aggs({ where: { terms: { field: '_index' } } }, {}, '*')) as { where: { buckets: unknown[] } }
    expect(found.where.buckets).toEqual([
      { key: 'logs-1', doc_count: 5 },
      { key: 'other', doc_count: 1 },
    ])
  })

  it('refuses what it does not know', async () => {
    await expect(aggs({ a: { trems: { field: 'x' } } })).rejects.toMatchObject({
      code: 'parsing_exception',
      message: expect.stringContaining('Unknown aggregation type [trems] did you mean'),
    })
    await expect(aggs({ a: { terms: { field: 'message' } } })).rejects.toMatchObject({
      cause: { message: expect.stringContaining('Fielddata is disabled on [message]') },
    })
    await expect(aggs({ a: { date_histogram: { field: '@timestamp', fixed_interval: '1ms' } } })).rejects.toMatchObject(
      { cause: { code: 'too_many_buckets_exception' } },
    )
  })
})

describe('aggregations below chosen terms', () => {
  it.each([
    [
      'whole numbers',
      { terms: { field: 'status' } },
      [
        [200, ['web-1']],
        [404, ['web-1']],
      ],
    ],
    [
      'widths',
      { histogram: { field: 'status', interval: 100, min_doc_count: 1 } },
      [
        [200, ['web-1']],
        [400, ['web-1']],
      ],
    ],
    [
      'fractions',
      { terms: { field: 'load' } },
      [
        [0.5, ['web-1']],
        [1.5, ['web-1']],
      ],
    ],
    [
      'truths',
      { terms: { field: 'ok' } },
      [
        [0, ['web-1']],
        [1, ['web-1']],
      ],
    ],
    ['days', { date_histogram: { field: '@timestamp', calendar_interval: 'day' } }, [[1795219200000, ['web-1']]]],
    ['filters', { filters: { filters: [{ match_all: {} }] } }, [[undefined, ['web-1']]]],
  ])('keeps the buckets below %s', async (_, middle, expected) => {
    const found = (await aggs({
      tags: {
        terms: { field: 'tags', size: 1 },
        aggs: { middle: { ...middle, aggs: { hosts: { terms: { field: 'host.name' } } } } },
      },
    })) as { tags: { buckets: { middle: { buckets: { key?: number; hosts: { buckets: { key: string }[] } }[] } }[] } }
    expect(
      found.tags.buckets.flatMap(({ middle: { buckets } }) =>
        buckets.map(({ key, hosts }) => [key, hosts.buckets.map((host) => host.key)]),
      ),
    ).toEqual(expected)
  })
})

describe('aggregations below others', () => {
  it('keeps the buckets below a key that is missing beside those that are not', async () => {
    const found = (await aggs({
      all: {
        composite: {
          sources: [
            { ok: { terms: { field: 'ok', missing_bucket: true } } },
            { code: { terms: { field: 'status', missing_bucket: true } } },
          ],
        },
        aggs: { hosts: { terms: { field: 'host.name' } } },
      },
    })) as { all: { buckets: { key: Record<string, unknown>; hosts: { buckets: { key: string }[] } }[] } }
    expect(found.all.buckets.map(({ key, hosts }) => [key, hosts.buckets.map((host) => host.key)])).toEqual([
      [{ ok: null, code: null }, []],
      [{ ok: null, code: 500 }, ['db-1']],
      [{ ok: false, code: 404 }, ['web-1']],
      [{ ok: true, code: 200 }, ['db-2', 'web-1']],
    ])
  })

  it('refuses a wrong order below an aggregation that is still being read', async () => {
    await expect(
      aggs({
        some: {
          filter: { exists: { field: 'status' } },
          aggs: { tags: { terms: { field: 'tags', order: { 'm0._count': 'asc' } } } },
        },
      }),
    ).rejects.toMatchObject({
      cause: { message: expect.stringContaining('Invalid aggregation order path [m0._count]') },
    })
  })
})
