import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reasonsOf } from '../../testing/reasons-of.ts'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.create('pages', {
    properties: {
      rank: { type: 'rank_feature' },
      length: { type: 'rank_feature', positive_score_impact: false },
      topics: { type: 'rank_features' },
      reviews: { type: 'rank_features', positive_score_impact: false },
      parts: { type: 'nested', properties: { rank: { type: 'rank_feature' } } },
      tag: { type: 'keyword' },
    },
  })
  await logs.services.write('pages', [
    ['1', { rank: 10.3, length: 50, topics: { a: 1, b: 2.7 }, reviews: { a: 3 }, tag: 'x' }],
    ['2', { rank: '100', length: 20, topics: { a: 7.77 }, reviews: { a: 11, c: '2' } }],
    ['3', { rank: 1000.9, length: 0.3, topics: { b: 70 } }],
    ['4', { rank: null, topics: { x: null }, parts: [{ rank: 1 }, { rank: 2 }] }],
  ])
})
afterAll(() => logs.services.close())

async function found(request: Record<string, unknown>): Promise<[string, number][]> {
  const { hits } = (await logs.answer(request, {}, 'pages')) as unknown as {
    hits: { hits: { _id: string; _score: number }[] }
  }
  return hits.hits.map(({ _id, _score }) => [_id, _score])
}

const ranked = (body: Record<string, unknown>) => found({ query: { rank_feature: body } })

// The numbers are those that Lucene's FeatureField gives for these documents.
describe('rank_feature scores', () => {
  it('saturate, by the middle of all features unless a pivot is given', async () => {
    const middle = [
      ['3', 0.9072352],
      ['2', 0.49443758],
      ['1', 0.09136349],
    ]
    expect(await ranked({ field: 'rank' })).toEqual(middle)
    expect(await ranked({ field: 'rank', saturation: {} })).toEqual(middle)
    expect(await ranked({ field: 'rank', saturation: { pivot: 8 } })).toEqual([
      ['3', 0.99206346],
      ['2', 0.9259259],
      ['1', 0.5623932],
    ])
  })

  it('are a logarithm, a sigmoid, or the feature cut to nine bits, times the boost', async () => {
    expect(await ranked({ field: 'rank', log: { scaling_factor: '3' } })).toEqual([
      ['3', 6.910751],
      ['2', 4.634729],
      ['1', 2.5863533],
    ])
    expect(await ranked({ field: 'rank', sigmoid: { pivot: 7, exponent: 0.6 } })).toEqual([
      ['3', 0.95152915],
      ['2', 0.83139634],
      ['1', 0.5574075],
    ])
    expect(await ranked({ field: 'rank', linear: {}, boost: 2.5 })).toEqual([
      ['3', 2500],
      ['2', 250],
      ['1', 25.703125],
    ])
  })

  it('are higher for less where the mapping says so', async () => {
    expect(await ranked({ field: 'length' })).toEqual([
      ['3', 0.95757234],
      ['2', 0.25293756],
      ['1', 0.11921257],
    ])
    expect(await ranked({ field: 'length', linear: {} })).toEqual([
      ['3', 3.328125],
      ['2', 0.049926758],
      ['1', 0.019958496],
    ])
    expect(await reasonsOf(ranked({ field: 'length', log: { scaling_factor: 2 } }))).toContain('negative score impact')
  })
})

describe('scores of several features and clauses', () => {
  it('are of one feature of many, which a term finds as well', async () => {
    expect(await ranked({ field: 'topics.a' })).toEqual([
      ['2', 0.72554743],
      ['1', 0.25396824],
    ])
    expect(await ranked({ field: 'reviews.a', saturation: { pivot: 10 } })).toEqual([
      ['1', 0.032227576],
      ['2', 0.009000301],
    ])
    expect(await found({ query: { term: { topics: 'b' } } })).toEqual([
      ['3', 70],
      ['1', 2.6953125],
    ])
    expect(await ranked({ field: 'topics.none' })).toEqual([])
    expect(await ranked({ field: 'unmapped' })).toEqual([])
  })

  it('add to those of other clauses', async () => {
    const query = {
      bool: { filter: { term: { tag: 'x' } }, should: [{ rank_feature: { field: 'rank', linear: {} } }] },
    }
    expect(await found({ query })).toEqual([['1', 10.28125]])
  })
})

describe('features', () => {
  it('are found by exists, and by no key of their own', async () => {
    expect((await found({ query: { exists: { field: 'rank' } } })).map(([id]) => id)).toEqual(['1', '2', '3'])
    for (const query of [{ exists: { field: 'topics.a' } }, { term: { 'topics.a': '1' } }])
      expect(await found({ query })).toEqual([])
    expect(await reasonsOf(found({ query: { exists: { field: 'topics' } } }))).toContain(
      'do not support [exists] queries',
    )
  })

  it('take no other query, order, aggregation or docvalue_fields', async () => {
    expect(await reasonsOf(found({ query: { term: { rank: 1 } } }))).toContain(
      'Queries on [rank_feature] fields are not',
    )
    expect(await reasonsOf(found({ query: { range: { rank: { gt: 1 } } } }))).toContain(
      'does not support range queries',
    )
    expect(await reasonsOf(found({ query: { match: { rank: 1 } } }))).toContain('does not support match queries')
    expect(await reasonsOf(ranked({ field: 'tag' }))).toContain('only works on [rank_feature] fields')
    const values = '[rank_feature] fields do not support sorting, scripting or aggregating'
    expect(await reasonsOf(found({ sort: ['rank'] }))).toContain(values)
    expect(await reasonsOf(found({ aggs: { a: { avg: { field: 'rank' } } } }))).toContain(values)
    expect(await reasonsOf(found({ aggs: { a: { terms: { field: 'rank' } } } }))).toContain(values)
    expect(await reasonsOf(found({ docvalue_fields: ['rank'] }))).toContain(values)
    expect(await reasonsOf(found({ aggs: { a: { avg: { field: 'topics' } } } }))).toContain(
      '[rank_features] fields do not',
    )
  })

  it('are shown as they were written', async () => {
    const { hits } = (await logs.answer(
      { query: { ids: { values: ['1'] } }, fields: ['rank', 'topics'] },
      {},
      'pages',
    )) as unknown as {
      hits: { hits: { fields: unknown }[] }
    }
    expect(JSON.parse(JSON.stringify(hits.hits[0]?.fields))).toEqual({ rank: [10.3], topics: [{ a: 1, b: 2.7 }] })
  })
})

describe('the query rank_feature', () => {
  it.each([
    [{ field: 'rank', log: {} }, 'Required [scaling_factor]'],
    [{ field: 'rank', log: { scaling_factor: 0.5 } }, 'scalingFactor must be >= 1, got: 0.5'],
    [{ field: 'rank', saturation: { pivot: 0 } }, 'pivot must be > 0, got: 0.0'],
    [{ field: 'rank', sigmoid: { pivot: 1, exponent: 0 } }, 'exp must be > 0, got: 0.0'],
    [{ field: 'rank', linear: {}, log: { scaling_factor: 1 } }, 'Can only specify one of'],
    [{ field: 'rank', more: 1 }, '[feature] unknown field [more]'],
    [{ linear: {} }, 'Required [field]'],
  ])('refuse %j', async (body, reason) => {
    expect(await reasonsOf(ranked(body))).toContain(reason)
  })
})
