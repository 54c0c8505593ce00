import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
})
afterAll(() => logs.services.close())

const aggs: SampleLogs['aggs'] = (...given) => logs.aggs(...given)

describe('metrics of several kinds', () => {
  const metrics = {
    weighted: { weighted_avg: { value: { field: 'load' }, weight: { field: 'status' } } },
    spread: { median_absolute_deviation: { field: 'load' } },
    ranks: { percentile_ranks: { field: 'status', values: [200, 404] } },
    newest: { top_metrics: { metrics: [{ field: 'status' }, { field: 'host.name' }], sort: { '@timestamp': 'desc' } } },
  }

  it('computes them over all rows', async () => {
    expect(await aggs(metrics)).toEqual({
      weighted: { value: (0.5 * 200 + 1.5 * 404 + 2 * 500) / (200 + 404 + 500) },
      spread: { value: 0.5 },
      ranks: { values: { '200.0': 25, '404.0': 67 } },
      newest: { top: [{ sort: ['2026-11-21T11:15:00.000Z'], metrics: { status: 500, 'host.name': 'db-1' } }] },
    })
  })

  it('computes them below buckets', async () => {
    const found = (await aggs({ hosts: { terms: { field: 'host.name' }, aggs: metrics } })) as {
      hosts: { buckets: Record<string, unknown>[] }
    }
    expect(found.hosts.buckets[0]).toMatchObject({
      key: 'web-1',
      spread: { value: 0.5 },
      ranks: { values: { '200.0': 25, '404.0': 75 } },
      newest: { top: [{ metrics: { status: 404 } }] },
    })
    expect(found.hosts.buckets[2]).toMatchObject({ key: 'db-2', weighted: { value: null }, spread: { value: null } })
  })

  it('answers nothing of nothing', async () => {
    expect(await aggs(metrics, { query: { match_none: {} } })).toEqual({
      weighted: { value: null },
      spread: { value: null },
      ranks: { values: { '200.0': null, '404.0': null } },
      newest: { top: [] },
    })
  })
})

describe('buckets of several kinds', () => {
  it('looks at everything, whatever the query', async () => {
    expect(
      await aggs(
        {
          all: {
            global: {},
            aggs: { load: { sum: { field: 'load' } }, codes: { terms: { field: 'status', size: 1 } } },
          },
          some: { sum: { field: 'load' } },
        },
        { query: { term: { status: 404 } } },
      ),
    ).toMatchObject({
      all: { doc_count: 5, load: { value: 4 }, codes: { buckets: [{ key: 200, doc_count: 2 }] } },
      some: { value: 1.5 },
    })
    await expect(aggs({ h: { terms: { field: 'status' }, aggs: { all: { global: {} } } } })).rejects.toThrow(
      'Aggregation [h] cannot have a global sub-aggregation [all]',
    )
  })

  it('finds rare terms, also with what is below them', async () => {
    const found = await aggs({
      rare: { rare_terms: { field: 'tags' }, aggs: { codes: { terms: { field: 'status' } } } },
    })
    expect(found).toMatchObject({
      rare: { buckets: [{ key: 'c', doc_count: 1, codes: { buckets: [{ key: 200, doc_count: 1 }] } }] },
    })
  })

  it('pairs filters', async () => {
    const filters = { ok: { term: { ok: true } }, a: { term: { tags: 'a' } }, b: { term: { tags: 'b' } } }
    expect(await aggs({ both: { adjacency_matrix: { filters }, aggs: { load: { sum: { field: 'load' } } } } })).toEqual(
      {
        both: {
          buckets: [
            { key: 'a', doc_count: 2, load: { value: 2 } },
            { key: 'a&b', doc_count: 1, load: { value: 0.5 } },
            { key: 'a&ok', doc_count: 1, load: { value: 0.5 } },
            { key: 'b', doc_count: 2, load: { value: 0.5 } },
            { key: 'b&ok', doc_count: 2, load: { value: 0.5 } },
            { key: 'ok', doc_count: 2, load: { value: 0.5 } },
          ],
        },
      },
    )
  })

  it('counts spans of addresses', async () => {
    const ranges = [{ mask: '10.0.0.0/24' }, { to: '10.0.0.2' }, { key: 'high', from: '10.1.0.0' }]
    expect(await aggs({ nets: { ip_range: { field: 'host.ip', ranges } } })).toEqual({
      nets: {
        buckets: [
          { key: '*-10.0.0.2', to: '10.0.0.2', doc_count: 2 },
          { key: '10.0.0.0/24', from: '10.0.0.0', to: '10.0.1.0', doc_count: 2 },
          { key: 'high', from: '10.1.0.0', doc_count: 1 },
        ],
      },
    })
  })
})

describe('edges of aggregations', () => {
  it('counts what is missing as it is told to', async () => {
    expect(
      await aggs({
        absent: { cardinality: { field: 'absent', missing: 'x' } },
        hdr: { percentiles: { field: 'load', percents: [50], hdr: {} } },
        digest: { percentiles: { field: 'load', percents: [34] } },
        days: {
          date_range: { field: '@timestamp', missing: '2026-11-20', ranges: [{ key: 'before', to: '2026-11-21' }] },
        },
      }),
    ).toMatchObject({
      absent: { value: 1 },
      hdr: { values: { '50.0': 1.50048828125 } },
      digest: { values: { '34.0': expect.closeTo(1.18, 10) } },
      days: { buckets: [{ key: 'before', doc_count: 2 }] },
    })
  })

  it('refuses composite without sources or with two of a name', async () => {
    const twice = { k: { terms: { field: 'tags' } } }
    await expect(aggs({ c: { composite: { sources: [] } } })).rejects.toMatchObject({
      cause: { cause: { message: 'Composite [sources] cannot be null or empty' } },
    })
    await expect(aggs({ c: { composite: { sources: [twice, twice] } } })).rejects.toMatchObject({
      cause: { message: 'Composite source names must be unique, found duplicates: [k]' },
    })
  })
})

describe('orders that lead through single buckets', () => {
  const order = async (path: string) => {
    const found = (await aggs({
      hosts: {
        terms: { field: 'host.name', order: { [path]: 'desc' } },
        aggs: {
          bad: {
            filter: { range: { status: { gte: 400 } } },
            aggs: {
              load: { max: { field: 'load' } },
              tagged: { filter: { exists: { field: 'tags' } } },
              young: { children: { type: 'c' } },
              some: { sampler: {} },
            },
          },
        },
      },
    })) as { hosts: { buckets: { key: string }[] } }
    return found.hosts.buckets.map(({ key }) => key)
  }

  it('orders by their count and by metrics below them', async () => {
    expect(await order('bad>load')).toEqual(['db-1', 'web-1', 'db-2'])
    expect(await order('bad')).toEqual(['db-1', 'web-1', 'db-2'])
    expect(await order('bad>tagged>_count')).toEqual(['web-1', 'db-1', 'db-2'])
    expect(await order('bad._count')).toEqual(['db-1', 'web-1', 'db-2'])
    for (const path of ['bad>absent', 'bad>young', 'bad>young>_count', 'bad>some'])
      await expect(order(path)).rejects.toMatchObject({
        cause: { message: expect.stringContaining(`Invalid aggregation order path [${path}]`) },
      })
  })
})
