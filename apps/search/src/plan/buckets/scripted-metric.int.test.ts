import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reasonsOf } from '../../testing/reasons-of.ts'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
})
afterAll(() => logs.services.close())

const aggs: SampleLogs['aggs'] = (...given) => logs.aggs(...given)
/** Adds up `status`, as far as a document has one. */
const total = {
  scripted_metric: {
    init_script: 'state.sums = []',
    map_script: "if (doc['status'].size() > 0) { state.sums.add(doc['status'].value * params.times) }",
    combine_script: 'long sum = 0; for (s in state.sums) { sum += s } return sum',
    reduce_script: 'long sum = 0; for (s in states) { if (s != null) { sum += s } } return sum',
    params: { times: 2 },
  },
}

describe('scripted_metric', () => {
  it('maps every document, combines once and reduces', async () => {
    expect(await aggs({ total })).toEqual({ total: { value: 2 * (200 + 404 + 500 + 200) } })
    const counting = { ...total.scripted_metric, reduce_script: 'return states.size()' }
    expect(await aggs({ n: { scripted_metric: counting } }, {}, 'logs-1,other')).toEqual({ n: { value: 1 } })
  })

  it('is answered for each bucket of terms and of date_histogram, and none for those without documents', async () => {
    const answer = await aggs({
      hosts: { terms: { field: 'host.name' }, aggs: { total } },
      days: {
        date_histogram: { field: '@timestamp', fixed_interval: '12h' },
        aggs: { total, hosts: { terms: { field: 'host.name' }, aggs: { total } } },
      },
    })
    expect(answer).toMatchObject({
      hosts: {
        buckets: [
          { key: 'web-1', total: { value: 1208 } },
          { key: 'db-1', total: { value: 1000 } },
          { key: 'db-2', total: { value: 400 } },
        ],
      },
      days: {
        buckets: [
          { doc_count: 1, total: { value: 400 } },
          { doc_count: 0, total: { value: 0 } },
          {
            doc_count: 3,
            total: { value: 2208 },
            hosts: {
              buckets: [
                { key: 'web-1', total: { value: 1208 } },
                { key: 'db-1', total: { value: 1000 } },
              ],
            },
          },
        ],
      },
    })
  })

  it('sees the documents of the query only, or all below global', async () => {
    const query = { term: { 'host.name': 'db-2' } }
    expect(await aggs({ total, all: { global: {}, aggs: { total } } }, { query })).toEqual({
      total: { value: 400 },
      all: { doc_count: 5, total: { value: 2608 } },
    })
  })

  it('has sources and scores, shows maps and doubles, and keeps the order of arrival', async () => {
    const listing = {
      scripted_metric: {
        init_script: 'state.seen = []',
        map_script: "state.seen.add(['id': doc['_id'].value, 'tags': params._source.tags, 'best': _score > 1.5])",
        combine_script: 'state.seen',
        reduce_script: "return ['all': states[0], 'half': 0.5, 'two': 2.0]",
      },
    }
    const query = {
      bool: { should: [{ constant_score: { filter: { term: { tags: 'b' } }, boost: 2 } }, { term: { ok: false } }] },
    }
    expect(await aggs({ listing }, { query })).toEqual({
      listing: {
        value: {
          all: [
            { id: '1', tags: ['a', 'b'], best: true },
            { id: '2', tags: 'a', best: false },
            { id: '4', tags: ['c', 'b', 'c'], best: true },
          ],
          half: 0.5,
          two: 2,
        },
      },
    })
  })

  it('begins every bucket with parameters of its own', async () => {
    const counting = {
      map_script: 'params.seen.n += 1; state.n = params.seen.n',
      combine_script: 'state.n',
      reduce_script: 'states[0]',
      params: { seen: { n: 0 } },
    }
    const hosts = { terms: { field: 'host.name' }, aggs: { n: { scripted_metric: counting } } }
    expect(await aggs({ hosts })).toMatchObject({
      hosts: { buckets: [{ n: { value: 2 } }, { n: { value: 1 } }, { n: { value: 1 } }] },
    })
  })
})

describe('the answer of scripted_metric', () => {
  it('runs stored scripts, answers with its type and meta, and feeds pipelines', async () => {
    const scripts = logs.services.catalogue.collection('script')
    await logs.services.store.transaction(() => scripts.put('last', { lang: 'painless', source: 'states[0]' }))
    const named = {
      ...total,
      scripted_metric: { ...total.scripted_metric, reduce_script: { id: 'last' } },
      meta: { of: 'status' },
    }
    const answer = await logs.answer({ size: 0, aggs: { named } }, { typed_keys: true })
    expect(answer['aggregations']).toEqual({ 'scripted_metric#named': { meta: { of: 'status' }, value: 2608 } })
    const best = { max_bucket: { buckets_path: 'hosts>total.value' } }
    expect(await aggs({ hosts: { terms: { field: 'host.name' }, aggs: { total } }, best })).toMatchObject({
      best: { value: 1208, keys: ['web-1'] },
    })
  })

  it('answers what its scripts make of nothing where nothing is found', async () => {
    expect(await aggs({ total }, { query: { match_none: {} } })).toEqual({ total: { value: 0 } })
  })
})

describe('a scripted_metric that cannot be', () => {
  const { scripted_metric: whole } = total
  it.each([
    [{ ...whole, map_script: undefined }, '[mapScript] must not be null: [m]'],
    [{ ...whole, combine_script: undefined }, '[combineScript] must not be null: [m]'],
    [{ ...whole, reduce_script: undefined }, '[reduceScript] must not be null: [m]'],
    [
      { ...whole, reduced_script: '1' },
      '[scripted_metric] unknown field [reduced_script] did you mean [reduce_script]?',
    ],
    [
      { ...whole, map_script: { source: 'state.a = 1', params: { times: 3 } } },
      'Parameter name "times" used in both aggregation and script parameters',
    ],
    [{ ...whole, map_script: 'state.a = ' }, 'compile error'],
    [{ ...whole, map_script: "doc['nowhere'].value" }, 'runtime error'],
    [{ ...whole, map_script: 'for (int i = 0; i < 2000000; i++) { state.a = i }' }, 'runtime error'],
    [{ ...whole, reduce_script: { id: 'unknown' } }, 'unable to find script [unknown] in cluster state'],
    [
      { ...whole, init_script: 'state.self = state' },
      'Iterable object is self-referencing itself (Scripted metric aggs init script)',
    ],
    [
      { ...whole, combine_script: 'state.self = state; state' },
      'Iterable object is self-referencing itself (Scripted metric aggs combine script)',
    ],
  ])('is refused: %j', async (body, reason) => {
    expect(await reasonsOf(aggs({ m: { scripted_metric: JSON.parse(JSON.stringify(body)) as unknown } }))).toContain(
      reason,
    )
  })

  it('is refused below nested and as an order', async () => {
    await logs.services.create('nesting', {
      properties: { items: { type: 'nested', properties: { n: { type: 'long' } } } },
    })
    await logs.services.write('nesting', [['1', { items: [{ n: 1 }] }]])
    expect(await reasonsOf(aggs({ items: { nested: { path: 'items' }, aggs: { total } } }, {}, 'nesting'))).toContain(
      '[scripted_metric] is not supported within [nested]',
    )
    expect(
      await reasonsOf(aggs({ hosts: { terms: { field: 'host.name', order: { total: 'asc' } }, aggs: { total } } })),
    ).toContain('Invalid aggregation order path [total]')
  })

  it('is ended when its state grows beyond bounds', async () => {
    const growing = { ...whole, map_script: 'for (int i = 0; i < 300000; i++) { state.sums.add(i) }', params: {} }
    expect(await reasonsOf(aggs({ m: { scripted_metric: growing } }))).toContain(
      'a value may hold at most 500000 values',
    )
  })
})
