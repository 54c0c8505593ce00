import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reasonsOf } from '../../testing/reasons-of.ts'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

interface Found {
  readonly hits: {
    readonly total: { readonly value: number }
    readonly hits: { readonly _id: string; readonly _score: number; readonly sort?: unknown[] }[]
  }
}

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.create('places', {
    properties: {
      name: { type: 'keyword' },
      at: { type: 'geo_point' },
      stars: { type: 'integer' },
      opened: { type: 'date' },
    },
  })
  await logs.services.write('places', [
    ['berlin', { name: 'berlin', at: { lat: 52.52, lon: 13.405 }, stars: 4, opened: '2026-11-20' }],
    ['paris', { name: 'paris', at: [2.3522, 48.8566], stars: 2, opened: '2026-11-10' }],
    ['both', { name: 'both', at: ['52.52,13.405', 'POINT (2.3522 48.8566)'], stars: [1, 3] }],
    ['nowhere', { name: 'nowhere' }],
  ])
  await logs.services.create('lists', { properties: { name: { type: 'keyword' } } })
  await logs.services.write('lists', [['1', { good: { names: ['paris', 'both', 'other'] } }]])
})
afterAll(() => logs.services.close())

async function search(body: object) {
  return ((await logs.answer(body, {}, 'places')) as unknown as Found).hits
}
async function scores(query: unknown): Promise<Record<string, number>> {
  const { hits } = await search({ query })
  return Object.fromEntries(hits.map(({ _id, _score }) => [_id, Number(_score.toFixed(4))]))
}

describe('function_score', () => {
  it('multiplies by a value of a field', async () => {
    const by = { field: 'stars', factor: 2, modifier: 'log1p', missing: 0 }
    expect(await scores({ function_score: { field_value_factor: by } })).toEqual({
      berlin: 0.9542,
      paris: 0.699,
      both: 0.4771,
      nowhere: 0,
    })
  })

  it('joins functions with filters and weights by its modes', async () => {
    const functions = [
      { filter: { term: { name: 'berlin' } }, weight: 3 },
      { filter: { exists: { field: 'stars' } }, field_value_factor: { field: 'stars' }, weight: 2 },
    ]
    const by = (score_mode: string, boost_mode = 'replace') =>
      scores({
        function_score: {
          query: { terms: { name: ['berlin', 'paris', 'nowhere'] } },
          functions,
          score_mode,
          boost_mode,
          boost: 2,
        },
      })
    expect(await by('sum')).toEqual({ berlin: 11, paris: 4, nowhere: 1 })
    expect(await by('multiply')).toEqual({ berlin: 24, paris: 4, nowhere: 1 })
    expect(await by('first')).toEqual({ berlin: 3, paris: 4, nowhere: 1 })
    expect(await by('avg')).toEqual({ berlin: 2.2, paris: 2, nowhere: 1 })
    expect(await by('max', 'sum')).toEqual({ berlin: 10, paris: 6, nowhere: 3 })
    expect(await by('min', 'max')).toEqual({ berlin: 3, paris: 4, nowhere: 2 })
  })

  it('decays with the distance in numbers, time and space', async () => {
    const decay = (name: string, field: string, parameters: object) =>
      scores({ function_score: { [name]: { [field]: parameters } } })
    expect(await decay('gauss', 'stars', { origin: 4, scale: 2 })).toEqual({
      berlin: 1,
      paris: 0.5,
      both: 0.8409,
      nowhere: 1,
    })
    expect(await decay('exp', 'opened', { origin: '2026-11-20', scale: '10d' })).toEqual({
      berlin: 1,
      paris: 0.5,
      both: 1,
      nowhere: 1,
    })
    expect(await decay('linear', 'at', { origin: '52.52,13.405', scale: '1000km', offset: '100km' })).toMatchObject({
      berlin: 1,
      paris: 0.6113,
      both: 1,
    })
  })
})

describe('scripts and lots', () => {
  it('score by scripts, which know the score of the query', async () => {
    const query = { constant_score: { filter: { exists: { field: 'stars' } }, boost: 5 } }
    const script = { source: "_score + doc['stars'].value" }
    expect(await scores({ script_score: { query, script } })).toEqual({ berlin: 9, paris: 7, both: 6 })
    expect(await scores({ function_score: { query, script_score: { script }, boost_mode: 'sum' } })).toEqual({
      berlin: 14,
      paris: 12,
      both: 11,
    })
    const { hits, total } = await search({ query: { script_score: { query, script, min_score: 7 } } })
    expect([hits.map(({ _id }) => _id), total.value]).toEqual([['berlin', 'paris'], 2])
  })

  it('come of functions that only scripts of scores have', async () => {
    const query = { exists: { field: 'stars' } }
    const by = (source: string, params = {}) => scores({ script_score: { query, script: { source, params } } })
    expect(await by("saturation(doc['stars'].value, params.half) + _score", { half: 4 })).toEqual({
      berlin: 1.5,
      paris: 1.3333,
      both: 1.2,
    })
    expect(await by("decayGeoLinear('52.52,13.405', '100km', '0', 0.5, doc['at'].value)")).toMatchObject({
      berlin: 1,
      paris: 0,
    })
    const drawn = await by("randomScore(42, '_seq_no')")
    expect([drawn, new Set(Object.values(drawn)).size]).toEqual([await by('randomScore(42)'), 3])
    const script = { source: 'saturation(1, 2)' }
    expect(await reasonsOf(search({ script_fields: { made: { script } } }))).toContain(
      'Unknown call [saturation] with [2] arguments.',
    )
    expect(await reasonsOf(by("doc['stars'].value - 3.5"))).toContain(
      'script_score script returned an invalid score [-1.5] for doc [1]. Must be a non-negative score!',
    )
  })

  it('drawn are alike for the same seed', async () => {
    const drawn = () => scores({ function_score: { random_score: { seed: 7, field: '_seq_no' } } })
    const first = await drawn()
    expect(await drawn()).toEqual(first)
    expect(new Set(Object.values(first)).size).toBe(4)
  })

  it('refuses what it does not know', async () => {
    for (const body of [
      { functions: [{ filter: { match_all: {} } }] },
      { field_value_factor: { field: 'stars', modifier: 'cube' } },
      { gauss: { stars: { scale: 1 } } },
      { gauss: { nothing: { origin: 1, scale: 1 } } },
      { score_mode: 'median' },
    ])
      await expect(search({ query: { function_score: body } })).rejects.toMatchObject({ kind: 'invalid' })
  })
})

it('refuses scores of scripts that are no numbers, and shows infinite ones as such', async () => {
  const by = (source: string, more = {}) =>
    logs.answer({ query: { script_score: { query: { match_all: {} }, script: { source } } }, ...more }, {}, 'lists')
  expect(await reasonsOf(by('0.0 / 0.0'))).toContain(
    'script_score script returned an invalid score [NaN] for doc [0]. Must be a non-negative score!',
  )
  const query = { script_score: { query: { match_all: {} }, script: '1 / 0.0', _name: 'endless' } }
  const rescore = { window_size: 1, query: { rescore_query: query, query_weight: 0 } }
  for (const answered of [
    by('1 / 0.0', { explain: true }),
    by('1e300'),
    by("doc['_id'].size() / 0.0"),
    logs.answer({ rescore }, {}, 'lists'),
  ])
    expect(await answered).toMatchObject({ hits: { max_score: 'Infinity', hits: [{ _score: 'Infinity' }] } })
  const { hits } = await logs.answer({ query, explain: true }, { include_named_queries_score: true }, 'lists')
  expect(hits).toMatchObject({
    hits: [{ matched_queries: { endless: 'Infinity' }, _explanation: { value: 'Infinity' } }],
  })
  const above = { script_score: { query, script: '_score > 1e300 ? 2 : 1' } }
  expect(await logs.answer({ query: above }, {}, 'lists')).toMatchObject({ hits: { max_score: 2 } })
})

describe('scores that are none', () => {
  beforeAll(async () => {
    await logs.services.create('deep', { properties: { below: { type: 'double' }, nought: { type: 'long' } } })
    await logs.services.write('deep', [
      ['a', { below: -4, nought: 0 }],
      ['b', { below: 4, nought: 1 }],
    ])
  })
  const refused = (query: unknown) => reasonsOf(logs.answer({ query }, {}, 'deep'))
  const factor = (field: string, modifier: string, more = {}) =>
    refused({ function_score: { field_value_factor: { field, modifier }, ...more } })

  it('are refused of fields below nought', async () => {
    const negative = 'field value function must not produce negative scores, but got:'
    expect(await factor('nought', 'ln')).toContain(
      `${negative} [-Infinity] for field value: [0.0]; consider using ln1p or ln2p instead of ln to avoid negative scores`,
    )
    expect(await factor('nought', 'log', { boost_mode: 'replace' })).toContain(
      `${negative} [-Infinity] for field value: [0.0]; consider using log1p or log2p instead of log to avoid negative scores`,
    )
    expect(await factor('below', 'none')).toContain(`${negative} [-4.0] for field value: [-4.0]`)
  })

  it.each(['multiply', 'replace', 'sum', 'avg', 'max', 'min'])(
    'are refused when no number joins by %s',
    async (boost_mode) => {
      const nan = 'function score query returned an invalid score: NaN for doc: 0'
      for (const modifier of ['sqrt', 'log1p', 'ln1p', 'ln2p', 'ln'])
        expect([modifier, await factor('below', modifier, { boost_mode })]).toEqual([
          modifier,
          expect.stringContaining(nan),
        ])
      const functions = [{ field_value_factor: { field: 'below', modifier: 'sqrt' } }, { weight: 2 }]
      for (const score_mode of ['multiply', 'sum', 'avg', 'first', 'max', 'min'])
        expect(await refused({ function_score: { functions, score_mode, boost_mode } })).toContain(nan)
    },
  )

  it('are refused of scripts as functions, of negative weights and where a value is missing', async () => {
    const script = (source: string) => refused({ function_score: { script_score: { script: { source } } } })
    expect(await script("doc['below'].value")).toContain(
      'script score function must not produce negative scores, but got: [-4.0]',
    )
    expect(await script("Math.sqrt(doc['below'].value)")).toContain(
      'function score query returned an invalid score: NaN for doc: 0',
    )
    expect(await refused({ function_score: { weight: -1 } })).toContain(
      '[weight] cannot be negative for a filtering function',
    )
    await logs.services.write('deep', [['c', {}]])
    expect(
      await refused({ function_score: { query: { term: { _id: 'c' } }, field_value_factor: { field: 'below' } } }),
    ).toContain('Missing value for field [below]')
  })

  it('are no trouble in documents that the query does not find', async () => {
    const query = {
      function_score: {
        query: { range: { below: { gt: 0 } } },
        field_value_factor: { field: 'below', modifier: 'sqrt' },
      },
    }
    expect(await logs.answer({ query }, {}, 'deep')).toMatchObject({ hits: { hits: [{ _id: 'b', _score: 2 }] } })
    const filter = { range: { below: { gt: 0 } } }
    const must = { function_score: { field_value_factor: { field: 'nought', modifier: 'ln' } } }
    expect(await logs.answer({ query: { bool: { filter, must } } }, {}, 'deep')).toMatchObject({
      hits: { hits: [{ _id: 'b' }] },
    })
  })
})

describe('points', () => {
  const found = async (query: unknown) => (await search({ query, sort: 'name' })).hits.map(({ _id }) => _id)

  it('are found by distance, box and polygon', async () => {
    expect(await found({ geo_distance: { distance: '900km', at: [2.3522, 48.8566] } })).toEqual([
      'berlin',
      'both',
      'paris',
    ])
    expect(await found({ geo_distance: { distance: 200, unit: 'mi', at: 'u33dc0' } })).toEqual(['berlin', 'both'])
    expect(
      await found({ geo_bounding_box: { at: { top_left: { lat: 53, lon: 13 }, bottom_right: '52,14' } } }),
    ).toEqual(['berlin', 'both'])
    expect(await found({ geo_bounding_box: { at: { wkt: 'BBOX (2, 3, 49, 48)' } } })).toEqual(['both', 'paris'])
    expect(
      await found({ bool: { must_not: { geo_bounding_box: { at: { top_left: 'u', bottom_right: 'u' } } } } }),
    ).toEqual(['nowhere'])
    expect(await found({ geo_polygon: { at: { points: ['50,10', '55,13', '50,16'] } } })).toEqual(['berlin', 'both'])
    expect(await found({ exists: { field: 'at' } })).toEqual(['berlin', 'both', 'paris'])
  })

  it('are sorted by distance and shown in their form', async () => {
    const from = { _geo_distance: { at: '48.8566,2.3522', unit: 'km', order: 'asc' } }
    const { hits } = await search({ sort: [from, 'name'], fields: ['at'], docvalue_fields: ['at'], _source: false })
    expect(
      hits.map(({ _id, sort }) => [_id, sort?.[0] === 'Infinity' ? 'far' : Math.round(Number(sort?.[0]))]),
    ).toEqual([
      ['both', 0],
      ['paris', 0],
      ['berlin', 877],
      ['nowhere', 'far'],
    ])
    const [paris] = (await search({ query: { term: { name: 'paris' } }, fields: ['at'] })).hits
    expect(paris).toMatchObject({ fields: { at: [{ type: 'Point', coordinates: [2.3522, 48.8566] }] } })
  })
})

describe('aggregations of points', () => {
  it('count by cell, tile and ring', async () => {
    const { aggregations } = (await logs.answer(
      {
        size: 0,
        aggs: {
          hashes: { geohash_grid: { field: 'at', precision: 3 } },
          tiles: { geotile_grid: { field: 'at', precision: 4 } },
          rings: {
            geo_distance: { field: 'at', origin: '52.5,13.4', unit: 'km', ranges: [{ to: 100 }, { from: 100 }] },
          },
          bounds: { geo_bounds: { field: 'at' } },
          middle: { geo_centroid: { field: 'at' } },
        },
      },
      {},
      'places',
    )) as { aggregations: unknown }
    expect(aggregations).toMatchObject({
      hashes: {
        buckets: [
          { key: 'u33', doc_count: 2 },
          { key: 'u09', doc_count: 2 },
        ],
      },
      tiles: { buckets: [{ key: '4/8/5', doc_count: 3 }] },
      rings: {
        buckets: [
          { key: '*-100.0', doc_count: 2 },
          { key: '100.0-*', doc_count: 2 },
        ],
      },
      bounds: { bounds: { top_left: { lat: 52.52, lon: 2.3522 }, bottom_right: { lat: 48.8566, lon: 13.405 } } },
      middle: { count: 4, location: { lat: expect.closeTo(50.6883, 3) } },
    })
  })

  it('refuse other fields and forms', async () => {
    for (const query of [
      { geo_distance: { distance: '1km', name: '1,1' } },
      { geo_distance: { at: '1,1' } },
      { geo_distance: { distance: '1 parsec', at: '1,1' } },
      { term: { at: '1,1' } },
    ])
      await expect(search({ query })).rejects.toMatchObject({ kind: 'invalid' })
    await expect(search({ sort: 'at' })).rejects.toMatchObject({ kind: 'invalid' })
  })
})

it('refuses a value that is missing where scores are a condition only of documents that lack it', async () => {
  const query = (filter: unknown) => ({
    function_score: { query: { bool: { filter } }, field_value_factor: { field: 'stars' }, boost_mode: 'replace' },
  })
  const rated = query({ exists: { field: 'stars' } })
  const found = async (body: object) => (await search(body)).hits.map(({ _id }) => _id)
  expect(await found({ query: rated, min_score: 2 })).toEqual(['berlin', 'paris'])
  expect(await found({ query: rated, sort: ['_score'], search_after: [3] })).toEqual(['paris', 'both'])
  await expect(search({ query: query({ match_all: {} }), min_score: 2 })).rejects.toMatchObject({
    detail: { root_cause: [{ reason: 'Missing value for field [stars]' }] },
  })
})

it('takes the values of terms from a document', async () => {
  const lookup = (path: string, id = '1') => ({ terms: { name: { index: 'lists', id, path } } })
  const found = async (query: unknown) => (await search({ query, sort: 'name' })).hits.map(({ _id }) => _id)
  expect(await found(lookup('good.names'))).toEqual(['both', 'paris'])
  expect(await found({ bool: { must_not: [lookup('good.names')] } })).toEqual(['berlin', 'nowhere'])
  expect(await found(lookup('good.names', 'none'))).toEqual([])
  await expect(search({ query: { terms: { name: { index: 'nothing', id: '1', path: 'a' } } } })).rejects.toMatchObject({
    code: 'index_not_found_exception',
  })
})
