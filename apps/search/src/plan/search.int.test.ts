import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../testing/sample-logs.ts'

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
})
afterAll(() => logs.services.close())

const answer: SampleLogs['answer'] = (...given) => logs.answer(...given)

async function ids(query: unknown, more: Record<string, unknown> = {}, expression = 'logs-1'): Promise<string[]> {
  const { hits } = (await answer({ query, ...more }, {}, expression)) as { hits: { hits: { _id: string }[] } }
  return hits.hits.map((hit) => hit._id)
}

describe('queries', () => {
  it.each<[string, unknown, string[]]>([
    ['match_all', { match_all: {} }, ['1', '2', '3', '4', '5']],
    ['term', { term: { 'host.name': 'web-1' } }, ['1', '2']],
    ['terms on several values', { terms: { tags: ['b'] } }, ['1', '4']],
    ['must_not keeps absent', { bool: { must_not: { term: { tags: 'a' } } } }, ['3', '4', '5']],
    ['range with date math', { range: { '@timestamp': { gte: 'now-1d/d', lt: 'now/d' } } }, ['4']],
    ['range on numbers', { range: { status: { gt: 200, lte: 500 } } }, ['2', '3']],
    ['address block', { term: { 'host.ip': '10.0.0.0/16' } }, ['1', '2']],
    ['address in an array', { term: { 'host.ip': '::1' } }, ['3']],
    ['exists on an object', { exists: { field: 'host' } }, ['1', '2', '3', '4']],
    ['match', { match: { message: 'password anna' } }, ['1', '2', '5']],
    ['match and', { match: { message: { query: 'password failed', operator: 'and' } } }, ['1', '5']],
    ['phrase', { match_phrase: { message: 'failed password' } }, ['1']],
    ['phrase with slop', { match_phrase: { message: { query: 'password failed', slop: 2 } } }, ['1', '5']],
    ['phrase prefix', { match_phrase_prefix: { message: 'password for ro' } }, ['1']],
    ['wildcard', { wildcard: { 'host.name': 'db-?' } }, ['3', '4']],
    ['wildcard on text', { wildcard: { message: 'pass*' } }, ['1', '2', '5']],
    ['regexp', { regexp: { 'host.name': '(web|db)-1' } }, ['1', '2', '3']],
    ['multi-field', { prefix: { 'message.keyword': 'Conn' } }, ['3']],
    ['boolean', { term: { ok: 'false' } }, ['2']],
    ['ids', { ids: { values: ['5', '2'] } }, ['2', '5']],
    ['query_string', { query_string: { query: 'message:(failed OR closed) AND NOT host.name:db*' } }, ['1', '5']],
    ['query_string without a field', { query_string: { query: 'root' } }, ['1', '3']],
    ['query_string comparison', { query_string: { query: 'status:>=404 && _exists_:tags' } }, ['2']],
    ['query_string range', { query_string: { query: 'load:[1 TO 2}' } }, ['2']],
    [
      'at least two',
      {
        bool: {
          should: [{ term: { ok: true } }, { term: { status: 200 } }, { term: { tags: 'a' } }],
          minimum_should_match: 2,
        },
      },
      ['1', '4'],
    ],
    ['a bool without clauses', { bool: { minimum_should_match: 1 } }, ['1', '2', '3', '4', '5']],
    ['metadata', { range: { _seq_no: { gte: 3 } } }, ['4', '5']],
    ['index name', { term: { _index: 'logs-2' } }, []],
  ])('%s', async (_name, query, expected) => {
    expect((await ids(query)).sort()).toEqual(expected)
  })

  it.each<[string, unknown, string, string]>([
    ['an unknown query', { trem: { a: 1 } }, 'parsing_exception', 'unknown query [trem]'],
    ['an unknown key', { exists: { field: 'a', x: 1 } }, 'parsing_exception', '[exists] query does not support [x]'],
    [
      'a word for an address',
      { term: { 'host.ip': 'LOCAL' } },
      'query_shard_exception',
      "failed to create query: 'LOCAL' is not an IP string literal.",
    ],
    [
      'a bad query string',
      { query_string: { query: 'a AND (' } },
      'query_shard_exception',
      'Failed to parse query [a AND (]',
    ],
  ])('refuses %s', async (_name, query, code, message) => {
    const wanted = { code, message: expect.stringContaining(message) }
    const shard = { code: 'search_phase_execution_exception', cause: wanted }
    await expect(answer({ query })).rejects.toMatchObject(code === 'parsing_exception' ? wanted : shard)
  })
})

describe('hits', () => {
  it('sorts by time, newest first, and puts what has none last', async () => {
    expect(await ids(undefined, { sort: [{ '@timestamp': 'desc' }] })).toEqual(['3', '2', '1', '4', '5'])
    expect(await ids(undefined, { sort: [{ '@timestamp': 'desc' }], size: 2 })).toEqual(['3', '2'])
  })

  it('sorts by what several values come to', async () => {
    await logs.services.create('several', { properties: { u: { type: 'unsigned_long' }, l: { type: 'long' } } })
    await logs.services.write('several', [
      ['a', { u: [1, 2, 9], l: [-5, 2] }],
      ['b', { u: 3, l: 1 }],
    ])
    const sorted = async (sort: unknown) => {
      const found = (await answer({ sort }, {}, 'several')) as { hits: { hits: { _id: string; sort: unknown[] }[] } }
      return found.hits.hits.map((hit) => [hit._id, ...hit.sort])
    }
    expect(await sorted([{ u: { mode: 'median', order: 'asc' } }])).toEqual([
      ['a', 2],
      ['b', 3],
    ])
    expect(await sorted([{ l: { mode: 'sum', order: 'desc' } }])).toEqual([
      ['b', 1],
      ['a', -3],
    ])
  })

  it('pages with search_after', async () => {
    const first = (await answer({ sort: [{ status: 'asc' }, { 'host.name': 'desc' }], size: 2 })) as {
      hits: { hits: { _id: string; sort: unknown[] }[] }
    }
    expect(first.hits.hits.map(({ _id, sort }) => [_id, sort])).toEqual([
      ['1', [200, 'web-1']],
      ['4', [200, 'db-2']],
    ])
    const after = first.hits.hits[1]?.sort
    expect(await ids(undefined, { sort: [{ status: 'asc' }, { 'host.name': 'desc' }], search_after: after })).toEqual([
      '2',
      '3',
      '5',
    ])
  })

  it('joins sources, versions, fields and totals', async () => {
    const found = (await answer({
      query: { ids: { values: ['3'] } },
      version: true,
      seq_no_primary_term: true,
      fields: ['host.*', { field: '@timestamp', format: 'epoch_millis' }],
      _source: ['host.name'],
    })) as { hits: unknown }
    expect(found.hits).toEqual({
      total: { value: 1, relation: 'eq' },
      max_score: 1,
      hits: [
        {
          _index: 'logs-1',
          _id: '3',
          _version: 1,
          _seq_no: 2,
          _primary_term: 1,
          _score: 1,
          _source: { host: { name: 'db-1' } },
          fields: { 'host.name': ['db-1'], 'host.ip': ['10.1.0.1', '::1'], '@timestamp': ['1795259700000'] },
        },
      ],
    })
  })
})

describe('searches', () => {
  it('searches several tables as one', async () => {
    expect(await ids({ term: { 'host.name': 'web-1' } }, { sort: ['@timestamp'] }, 'logs-1,other')).toEqual([
      '1',
      'x',
      '2',
    ])
    expect(await ids(undefined, { sort: [{ status: 'desc' }], size: 3 }, 'logs-*,other')).toEqual(['3', '2', 'x'])
  })

  it('names the clauses that a hit matches', async () => {
    const found = (await answer({
      query: {
        bool: {
          should: [{ term: { ok: { value: true, _name: 'fine' } } }, { terms: { tags: ['a'], _name: 'tagged' } }],
        },
      },
    })) as { hits: { hits: { _id: string; matched_queries: string[] }[] } }
    expect(found.hits.hits.map(({ _id, matched_queries: names }) => [_id, names])).toEqual([
      ['1', ['fine', 'tagged']],
      ['2', ['tagged']],
      ['4', ['fine']],
    ])
  })

  it('marks what the query found', async () => {
    const found = (await answer({
      query: { query_string: { query: '"failed password" OR host.name:web*' } },
      highlight: { fields: { '*': {} }, pre_tags: ['<'], post_tags: ['>'], fragment_size: 2147483647 },
      _source: false,
    })) as { hits: { hits: { _id: string; highlight: unknown }[] } }
    expect(found.hits.hits.map(({ _id, highlight }) => [_id, highlight])).toEqual([
      ['1', { message: ['<Failed password> for root'], 'host.name': ['<web-1>'] }],
      ['2', { 'host.name': ['<web-1>'] }],
    ])
  })

  it('answers over no index, and counts no further than asked', async () => {
    const none = (await answer({ query: { match_all: {} } }, {}, 'none-*')) as { hits: { total: unknown } }
    expect(none.hits.total).toEqual({ value: 0, relation: 'eq' })
    const some = (await answer({ track_total_hits: 3, size: 0 })) as { hits: { total: unknown } }
    expect(some.hits.total).toEqual({ value: 3, relation: 'gte' })
    await expect(answer({ from: 9_999, size: 2 })).rejects.toMatchObject({
      cause: { message: expect.stringContaining('Result window is too large') },
    })
  })

  it('scrolls through everything once', async () => {
    const first = (await answer({ size: 2, sort: ['_doc'] }, { scroll: 60_000 })) as {
      _scroll_id: string
      hits: { hits: { _id: string }[]; total: unknown }
    }
    expect(first.hits.total).toEqual({ value: 5, relation: 'eq' })
    expect(first._scroll_id).not.toBe('')
  })
})

describe('hostile names and values', () => {
  it('reads fields that are named as what every object has', async () => {
    await logs.services.create('names', {
      properties: { toString: { type: 'keyword' }, constructor: { type: 'long' } },
    })
    await logs.services.write('names', [['1', { toString: 'a', constructor: 1 }]])
    const found = async (query: unknown) =>
      ((await answer({ query }, {}, 'names')) as { hits: { total: { value: number } } }).hits.total.value
    expect(await found({ exists: { field: '*' } })).toBe(1)
    expect(await found({ term: { toString: 'a' } })).toBe(1)
    expect(await found({ range: { constructor: { gte: 2 } } })).toBe(0)
  })

  it.each([
    ['a fraction after an order of arrival', { sort: ['_doc'], search_after: [1.5] }, 'illegal_argument_exception'],
    ['nothing after an order of arrival', { sort: ['_doc'], search_after: [null] }, 'illegal_argument_exception'],
    ['a word after an address', { sort: [{ 'host.ip': 'asc' }], search_after: ['x'] }, 'illegal_argument_exception'],
    [
      'a word for a missing address',
      { sort: [{ 'host.ip': { order: 'asc', missing: 'x' } }] },
      'illegal_argument_exception',
    ],
    [
      'a repetition too large',
      { query: { regexp: { tags: '((a{1,1000}){1,1000}){1,1000}' } } },
      'query_shard_exception',
    ],
    [
      'an interval that every object has',
      { aggs: { a: { date_histogram: { field: '@timestamp', calendar_interval: 'constructor' } } } },
      'illegal_argument_exception',
    ],
  ])('refuses %s', async (_name, body, code) => {
    await expect(answer(body)).rejects.toMatchObject({ cause: { code } })
  })
})
