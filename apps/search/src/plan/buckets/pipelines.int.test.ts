import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
})
afterAll(() => logs.services.close())

describe('pipelines over the engine', () => {
  it('works on each bucket at any depth, beside and within', async () => {
    const found = (await logs.aggs({
      hosts: {
        terms: { field: 'host.name', size: 1 },
        aggs: {
          halves: {
            date_histogram: { field: '@timestamp', fixed_interval: '30m' },
            aggs: {
              load: { sum: { field: 'load' } },
              so_far: { cumulative_sum: { buckets_path: 'load' }, meta: { unit: 'load' } },
              share: { bucket_script: { buckets_path: { l: 'load', n: '_count' }, script: 'params.l / params.n' } },
            },
          },
          most: { max_bucket: { buckets_path: 'halves>load' } },
        },
      },
      average: { avg_bucket: { buckets_path: 'hosts>most' } },
    })) as { hosts: { buckets: { halves: { buckets: unknown[] }; most: unknown }[] }; average: unknown }
    const [host] = found.hosts.buckets
    expect(host?.halves.buckets).toMatchObject([
      { load: { value: 0.5 }, so_far: { meta: { unit: 'load' }, value: 0.5 }, share: { value: 0.5 } },
      { load: { value: 1.5 }, so_far: { value: 2 }, share: { value: 1.5 } },
    ])
    expect(host?.most).toEqual({ value: 1.5, keys: ['2026-11-21T10:30:00.000Z'] })
    expect(found.average).toEqual({ value: 1.5 })
  })

  it('finds its paths where names carry their types', async () => {
    const body = {
      size: 0,
      aggs: {
        codes: {
          terms: { field: 'status' },
          aggs: {
            load: { stats: { field: 'load' } },
            some: { bucket_selector: { buckets_path: { n: 'load.count' }, script: 'params.n > 0' } },
            order: { bucket_sort: { sort: [{ 'load.max': 'desc' }] } },
          },
        },
        total: { sum_bucket: { buckets_path: 'codes>load.sum' } },
      },
    }
    const { aggregations } = await logs.answer(body, { typed_keys: true })
    expect(aggregations).toMatchObject({
      'lterms#codes': { buckets: [{ key: 500 }, { key: 404 }, { key: 200 }] },
      'simple_value#total': { value: 4 },
    })
  })
})
