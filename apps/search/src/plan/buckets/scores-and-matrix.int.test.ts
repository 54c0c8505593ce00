import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
  const mapping = {
    properties: {
      at: { type: 'date' },
      where: { type: 'geo_point' },
      a: { type: 'double' },
      b: { type: 'long' },
      text: { type: 'text' },
      code: { type: 'keyword', ignore_above: 3 },
    },
  }
  for (const name of ['one-x', 'two-x']) await logs.services.create(name, mapping)
  await logs.services.write('one-x', [
    ['1', { at: '2026-11-21T12:00:00Z', where: '0,0', a: 1, b: [2, 4], text: 'x', code: ['abc', 'abcd'] }],
    ['2', { at: '2026-11-20T12:00:00Z', where: '0,1', a: 2, b: 5, text: 'a longer x' }],
    ['3', { at: '2026-11-19T12:00:00Z', a: 4 }],
  ])
  await logs.services.write('two-x', [['4', { a: 3, b: 1, text: 'x' }]])
})
afterAll(() => logs.services.close())

interface Hit {
  readonly _id: string
  readonly _score: number
  readonly highlight?: unknown
}

async function hits(body: object): Promise<Hit[]> {
  const { hits: found } = (await logs.answer(body, {}, '*-x')) as unknown as { hits: { hits: Hit[] } }
  return found.hits
}

it('scores by the distance of dates and points, half at the pivot', async () => {
  const near = (body: object) => hits({ query: { distance_feature: body } })
  const dates = await near({ field: 'at', origin: 'now', pivot: '1d' })
  expect(dates.map(({ _id, _score }) => [_id, Number(_score.toFixed(3))])).toEqual([
    ['1', 1],
    ['2', 0.5],
    ['3', 0.333],
  ])
  const points = await near({ field: 'where', origin: { lat: 0, lon: 0 }, pivot: '111.19km', boost: 2 })
  expect(points.map(({ _id, _score }) => [_id, Number(_score.toFixed(2))])).toEqual([
    ['1', 2],
    ['2', 1],
  ])
  await expect(near({ field: 'a', origin: 1, pivot: '1d' })).rejects.toMatchObject({
    cause: { message: expect.stringContaining('can only be run on a date, date_nanos or geo_point field type') },
  })
})

it('weighs indices by their boosts', async () => {
  const first = async (boost: unknown) => (await hits({ query: { match_all: {} }, indices_boost: boost }))[0]
  expect(await first([{ 'two-*': 3 }])).toMatchObject({ _id: '4', _score: 3 })
  expect(await first([{ 'one-x': 2 }, { '*-x': 5 }])).toMatchObject({ _id: '4', _score: 5 })
  expect((await hits({ indices_boost: [{ 'two-x': 2 }] }))[0]).toMatchObject({ _id: '4', _score: 2 })
  await expect(first([{ none: 2 }])).rejects.toThrow('no such index [none]')
})

it('says how numbers go together', async () => {
  const stats = async (body: object) => {
    const { m } = (await logs.aggs({ m: { matrix_stats: body } }, {}, '*-x')) as { m: Record<string, unknown> }
    return m
  }
  const { doc_count: count, fields } = await stats({ fields: ['a', 'b'], mode: 'max' })
  expect(count).toBe(3)
  expect(fields).toMatchObject([
    { name: 'a', count: 3, mean: 2, variance: 1, skewness: 0, covariance: { a: 1, b: -1.5 } },
    { name: 'b', mean: expect.closeTo(10 / 3, 9), variance: expect.closeTo(13 / 3, 9), correlation: { b: 1 } },
  ])
  expect(await stats({ fields: ['a', 'b'], missing: { b: 0 } })).toMatchObject({ doc_count: 4 })
  await expect(stats({ fields: ['a'], script: {} })).rejects.toMatchObject({ code: 'parsing_exception' })
  expect(await stats({ fields: ['none'] })).toEqual({ doc_count: 0 })
})

it('marks no more of a text than is allowed, and no keyword that was left out', async () => {
  const marked = async (query: object, highlight: object) =>
    (await hits({ query, highlight, sort: '_id' })).map((hit) => hit.highlight)
  const fields = { fields: { text: {}, code: {} } }
  expect(await marked({ wildcard: { code: 'abc*' } }, fields)).toEqual([{ code: ['<em>abc</em>'] }])
  // The word begins behind two letters.
  expect(await marked({ match: { text: 'longer' } }, { ...fields, max_analyzed_offset: 1 })).toEqual([undefined])
  expect(await marked({ match: { text: 'longer' } }, { ...fields, max_analyzed_offset: 2 })).toEqual([
    { text: ['a <em>longer</em> x'] },
  ])
  await logs.services.catalogue.createIndex({
    name: 'short-y',
    settings: { highlight: { max_analyzed_offset: 3 } },
    mappings: { properties: { text: { type: 'text' } } },
  })
  await logs.services.write('short-y', [['1', { text: 'longer' }]])
  const mappings = { properties: { text: { type: 'text', index_options: 'offsets' } } }
  await logs.services.catalogue.createIndex({
    name: 'short-z',
    settings: { highlight: { max_analyzed_offset: 3 } },
    mappings,
  })
  await logs.services.write('short-z', [['1', { text: 'longer' }]])
  const kept = (type: string) =>
    logs.answer({ query: { match: { text: 'longer' } }, highlight: { type, fields: { text: {} } } }, {}, 'short-z')
  expect(await kept('unified')).toMatchObject({ hits: { hits: [{ highlight: { text: ['<em>longer</em>'] } }] } })
  await expect(kept('plain')).rejects.toMatchObject({ cause: { message: expect.stringContaining('limit [3]') } })
  const search = () => logs.answer({ query: { match: { text: 'longer' } }, highlight: fields }, {}, 'short-y')
  await expect(search()).rejects.toMatchObject({
    cause: { message: expect.stringContaining('exceeds the [index.highlight.max_analyzed_offset] limit [3]') },
  })
})

it('sorts several whole numbers by the median and average of Java, which divides doubles', async () => {
  await logs.services.create('long-z', { properties: { n: { type: 'long' } } })
  await logs.services.write('long-z', [
    ['1', { n: [1, 2] }],
    ['2', { n: [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1] }],
    ['3', { n: [-1, -2] }],
  ])
  const sorted = async (mode: string) => {
    const { hits: found } = (await logs.answer(
      { sort: [{ n: { order: 'desc', mode } }] },
      {},
      'long-z',
    )) as unknown as {
      hits: { hits: { _id: string; sort: number[] }[] }
    }
    return found.hits.map(({ _id, sort }) => [_id, sort[0]])
  }
  for (const mode of ['median', 'avg'])
    expect(await sorted(mode)).toEqual([
      ['2', Number.MAX_SAFE_INTEGER - 1],
      ['1', 2],
      ['3', -1],
    ])
})
