import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reasonsOf } from '../../testing/reasons-of.ts'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

interface Hit {
  readonly _id: string
  readonly _score: number | null
  readonly _source?: unknown
  readonly fields?: Record<string, unknown>
  readonly matched_queries?: string[]
  readonly _explanation?: { readonly value: number; readonly details: readonly unknown[] }
  readonly inner_hits?: Record<
    string,
    { readonly hits: { readonly total: { readonly value: number }; readonly hits: Record<string, unknown>[] } }
  >
}

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.create('posts', {
    properties: {
      title: { type: 'text' },
      body: { type: 'text' },
      kept: { type: 'integer', store: true },
      comments: {
        type: 'nested',
        properties: {
          by: { type: 'keyword' },
          stars: { type: 'integer' },
          text: { type: 'text' },
          replies: { type: 'nested', properties: { by: { type: 'keyword' } } },
        },
      },
    },
  })
  await logs.services.write('posts', [
    [
      '1',
      {
        title: 'quick fox',
        body: 'slow dog',
        kept: [1, 2],
        comments: [
          { by: 'anna', stars: 2, text: 'good fox' },
          { by: 'bert', stars: 5, text: 'bad dog', replies: [{ by: 'x' }, { by: 'anna' }] },
          { by: 'anna', stars: 4, text: 'better fox' },
        ],
      },
    ],
    ['2', { title: 'quick dog', body: 'quick', comments: { by: 'anna', stars: 1, text: 'x' } }],
    ['3', { title: 'fox', body: 'quick dog' }],
  ])
})
afterAll(() => logs.services.close())

async function found(body: object): Promise<Hit[]> {
  const { hits } = (await logs.answer(body, {}, 'posts')) as unknown as { readonly hits: { readonly hits: Hit[] } }
  return hits.hits
}

describe('inner hits of nested clauses', () => {
  const clause = (query: unknown, inner: object) => ({ nested: { path: 'comments', query, inner_hits: inner } })

  it('are the objects that matched, with their places', async () => {
    const [hit] = await found({ query: clause({ term: { 'comments.by': 'anna' } }, {}), _source: false, sort: '_id' })
    expect(hit?._source).toBe(undefined)
    expect(hit?.inner_hits?.['comments']?.hits).toMatchObject({
      total: { value: 2, relation: 'eq' },
      hits: [
        { _id: '1', _nested: { field: 'comments', offset: 0 }, _source: { by: 'anna', stars: 2, text: 'good fox' } },
        { _nested: { field: 'comments', offset: 2 } },
      ],
    })
  })

  it('are sorted, cut, highlighted and filtered as asked', async () => {
    const inner = {
      name: 'best',
      sort: [{ 'comments.stars': 'desc' }],
      size: 1,
      _source: ['comments.by'],
      docvalue_fields: ['comments.stars'],
      highlight: { fields: { 'comments.text': {} } },
    }
    const [hit] = await found({ query: clause({ match: { 'comments.text': 'fox' } }, inner) })
    expect(hit?.inner_hits?.['best']?.hits.hits).toEqual([
      expect.objectContaining({
        _nested: { field: 'comments', offset: 2 },
        _source: { by: 'anna' },
        fields: { 'comments.stars': [4] },
        highlight: { 'comments.text': ['better <em>fox</em>'] },
      }),
    ])
  })

  it('have places at every level', async () => {
    const query = {
      nested: { path: 'comments.replies', query: { term: { 'comments.replies.by': 'anna' } }, inner_hits: {} },
    }
    const [hit] = await found({ query })
    expect(hit?.inner_hits?.['comments.replies']?.hits.hits).toEqual([
      expect.objectContaining({
        _nested: { field: 'comments', offset: 1, _nested: { field: 'replies', offset: 1 } },
      }),
    ])
  })

  it('refuses unknown options and too many', async () => {
    await expect(found({ query: clause({ match_all: {} }, { sizes: 1 }) })).rejects.toThrow('[sizes]')
    await expect(found({ query: clause({ match_all: {} }, { size: 101 }) })).rejects.toThrow()
    const sort = { _script: { type: 'number', script: '1' } }
    expect(await reasonsOf(found({ query: clause({ match_all: {} }, { sort }) }))).toContain(
      '[_script] is not supported',
    )
  })
})

describe('rescoring', () => {
  const again = (more: object, window = 10) => ({
    window_size: window,
    query: { rescore_query: { constant_score: { filter: { term: { title: 'dog' } }, boost: 3 } }, ...more },
  })

  it('puts the first hits in a new order', async () => {
    const scores = async (rescore: unknown) =>
      (await found({ query: { match_all: {} }, rescore })).map(({ _id, _score }) => [_id, _score])
    expect(await scores(again({ query_weight: 2 }))).toEqual([
      ['2', 5],
      ['1', 2],
      ['3', 2],
    ])
    expect(await scores(again({ score_mode: 'multiply', rescore_query_weight: 2 }))).toEqual([
      ['2', 6],
      ['1', 1],
      ['3', 1],
    ])
    expect(await scores(again({ query_weight: 4 }, 1))).toEqual([
      ['1', 4],
      ['2', 4],
      ['3', 4],
    ])
    expect(await scores([again({}), again({ score_mode: 'max' })])).toEqual([
      ['2', 4],
      ['1', 1],
      ['3', 1],
    ])
  })

  it('does not go with a sort, nor beyond its window', async () => {
    await expect(found({ sort: 'kept', rescore: again({}) })).rejects.toMatchObject({
      cause: { message: 'Cannot use [sort] option in conjunction with [rescore].' },
    })
    await expect(found({ rescore: again({}, 10_001) })).rejects.toMatchObject({
      cause: { message: expect.stringContaining('[10001]') },
    })
  })
})

it('explains scores by their parts', async () => {
  const [hit] = await found({
    query: {
      bool: {
        should: [{ match: { title: 'quick fox' } }, { constant_score: { filter: { match_all: {} }, boost: 2 } }],
      },
    },
    explain: true,
  })
  expect(hit?._explanation?.value).toBeCloseTo(hit?._score ?? 0, 5)
  expect(hit?._explanation?.details).toHaveLength(2)
  expect(hit).toMatchObject({ _shard: '[posts][0]' })
})

it('shows stored fields as they are in the source, and no source beside them', async () => {
  const [hit] = await found({ query: { ids: { values: ['1'] } }, stored_fields: ['kept', 'title'] })
  expect([hit?.fields, hit?._source]).toEqual([{ kept: [1, 2] }, undefined])
})

it('looks for words over several texts as if they were one', async () => {
  const combined = (query: string, more: object = {}) => ({
    combined_fields: { query, fields: ['title^2', 'body'], ...more },
  })
  const ids = async (query: unknown) => (await found({ query })).map(({ _id }) => _id).sort()
  expect(await ids(combined('fox dog', { operator: 'and' }))).toEqual(['1', '3'])
  expect(await ids(combined('slow quick'))).toEqual(['1', '2', '3'])
  await expect(ids({ combined_fields: { query: 'x', fields: ['kept'] } })).rejects.toMatchObject({ kind: 'invalid' })
})
