import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reasonsOf } from '../../testing/reasons-of.ts'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

/** Three heaps of numbers, one of them in a list with another. */
const heaps = [1, 2, 3, 50, 52, 100, 100, 101]
let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.create('heaps', {
    properties: {
      n: { type: 'double' },
      many: { type: 'long' },
      kind: { type: 'keyword' },
      at: { type: 'date' },
      nowhere: { type: 'long' },
    },
  })
  await logs.services.write('heaps', [
    ...heaps.map((n, at): [string, unknown] => [
      String(at),
      { n, many: at === 0 ? [1, 99] : n, kind: at < 4 ? 'low' : 'high', at: `2026-11-2${at % 2}` },
    ]),
    ['none', { kind: 'low' }],
  ])
})
afterAll(() => logs.services.close())

const aggs = (given: unknown, more: Record<string, unknown> = {}) => logs.aggs(given, more, 'heaps')
const of = (field: string, more: object = {}) => ({ variable_width_histogram: { field, buckets: 3, ...more } })

describe('variable_width_histogram', () => {
  it('makes buckets of values that lie together', async () => {
    expect(await aggs({ heaps: of('n') })).toEqual({
      heaps: {
        buckets: [
          { min: 1, key: 2, max: 3, doc_count: 3 },
          { min: 50, key: 51, max: 52, doc_count: 2 },
          { min: 100, key: 301 / 3, max: 101, doc_count: 3 },
        ],
      },
    })
    expect(await aggs({ heaps: of('n', { buckets: 1 }) })).toEqual({
      heaps: { buckets: [{ min: 1, key: 409 / 8, max: 101, doc_count: 8 }] },
    })
    const { heaps: each } = (await aggs({ heaps: of('n', { buckets: 10 }) })) as { heaps: { buckets: unknown[] } }
    expect(each.buckets).toHaveLength(7)
  })

  it('parts many values into runs of equal length first', async () => {
    // Three quarters of four are three runs, of three values each; the two 100 stay together.
    const { heaps: found } = (await aggs({ heaps: of('n', { shard_size: 4 }) })) as { heaps: { buckets: unknown[] } }
    expect(found.buckets).toEqual([
      { min: 1, key: 2, max: 3, doc_count: 3 },
      { min: 50, key: 302 / 4, max: 100, doc_count: 4 },
      { min: 101, key: 101, max: 101, doc_count: 1 },
    ])
  })

  it('counts a document in each bucket that one of its values lies in, and those without as missing says', async () => {
    expect(await aggs({ heaps: of('many', { missing: 51 }) })).toMatchObject({
      heaps: {
        buckets: [
          { min: 1, doc_count: 3 },
          { min: 50, doc_count: 3 },
          { min: 99, doc_count: 4 },
        ],
      },
    })
  })

  it('has metrics and buckets below it', async () => {
    const below = { kinds: { terms: { field: 'kind' } }, sum: { sum: { field: 'n' } } }
    expect(await aggs({ heaps: { ...of('n'), aggs: below } })).toMatchObject({
      heaps: {
        buckets: [
          { kinds: { buckets: [{ key: 'low', doc_count: 3 }] }, sum: { value: 6 } },
          { kinds: { buckets: [{ doc_count: 1 }, { doc_count: 1 }] }, sum: { value: 102 } },
          { kinds: { buckets: [{ key: 'high', doc_count: 3 }] }, sum: { value: 301 } },
        ],
      },
    })
  })

  it('clusters the documents of a single bucket around it', async () => {
    const low = { filter: { term: { kind: 'low' } }, aggs: { heaps: of('n', { buckets: 2 }) } }
    expect(await aggs({ low })).toMatchObject({
      low: {
        heaps: {
          buckets: [
            { min: 1, max: 3 },
            { min: 50, key: 50, max: 50, doc_count: 1 },
          ],
        },
      },
    })
  })
})

describe('the answer of variable_width_histogram', () => {
  it('shows dates and formats as texts, its type and meta', async () => {
    const days = { ...of('at', { buckets: 2 }), meta: { is: 'days' } }
    const answer = await logs.answer({ size: 0, aggs: { days } }, { typed_keys: true }, 'heaps')
    expect(answer['aggregations']).toMatchObject({
      'variable_width_histogram#days': {
        meta: { is: 'days' },
        buckets: [
          { min_as_string: '2026-11-20T00:00:00.000Z', key_as_string: '2026-11-20T00:00:00.000Z', doc_count: 4 },
          { doc_count: 4 },
        ],
      },
    })
    expect(await aggs({ heaps: of('n', { format: '0.0' }) })).toMatchObject({
      heaps: { buckets: [{ min_as_string: '1.0', key_as_string: '2.0', max_as_string: '3.0' }, {}, {}] },
    })
  })

  it('answers no bucket where there is no value', async () => {
    expect(await aggs({ a: of('nowhere'), b: of('unmapped') })).toEqual({ a: { buckets: [] }, b: { buckets: [] } })
  })

  it.each([
    [of('n', { buckets: 0 }), 'buckets must be greater than [0] for [h]'],
    [of('n', { shard_size: 1 }), 'shard_size must be greater than [1] for [h]'],
    [of('n', { initial_buffer: 0 }), 'initial_buffer must be greater than [0] for [h]'],
    [of('n', { initial_buffer: 2 }), 'initial_buffer must be at least buckets but was [2<3] for [h]'],
    [of('n', { shard_size: 3 }), '3/4 of shard_size must be at least buckets but was [2<3] for [h]'],
    [of('kind'), 'Field [kind] of type [keyword] is not supported for aggregation [variable_width_histogram]'],
    [of('n', { bucket: 3 }), '[variable_width_histogram] unknown field [bucket] did you mean [buckets]?'],
  ])('refuses %j', async (h, reason) => {
    expect(await reasonsOf(aggs({ h }))).toContain(reason)
  })

  it.each([{ terms: { field: 'kind' } }, { date_histogram: { field: 'at', calendar_interval: 'day' } }])(
    'is refused below %j',
    async (above) => {
      expect(
        await reasonsOf(
          aggs({ above: { ...above, aggs: { one: { filter: { match_all: {} }, aggs: { h: of('n') } } } } }),
        ),
      ).toContain(
        '[variable_width_histogram] cannot be nested inside an aggregation that collects more than a single bucket.',
      )
    },
  )
})
