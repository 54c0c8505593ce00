import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FieldMapping } from '../../model/mapping.ts'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.catalogue.createIndex({
    name: 'texts',
    settings: {
      analysis: {
        filter: {
          syns: { type: 'synonym_graph', synonyms: ['wtf, what the fudge'] },
          same: { type: 'synonym', synonyms: ['quick, fast'] },
          edges: { type: 'edge_ngram', max_gram: 5 },
        },
        analyzer: {
          syns: { tokenizer: 'standard', filter: ['lowercase', 'syns'] },
          alike: { tokenizer: 'standard', filter: ['lowercase', 'same'] },
          typed: { tokenizer: 'standard', filter: ['lowercase', 'edges'] },
        },
        normalizer: { folded: { filter: ['lowercase', 'asciifolding'] } },
      },
    },
    mappings: {
      properties: {
        english: { type: 'text', analyzer: 'english', fielddata: true },
        path: { type: 'text', analyzer: 'whitespace' },
        typed: { type: 'text', analyzer: 'typed', search_analyzer: 'standard' },
        plain: { type: 'text', search_analyzer: 'syns' },
        same: { type: 'text' },
        code: { type: 'keyword', normalizer: 'folded' },
        title: { type: 'search_as_you_type' },
        inner: {
          type: 'nested',
          properties: { text: { type: 'text', analyzer: 'english' }, title: { type: 'search_as_you_type' } },
        },
      },
    },
  })
  await logs.services.write('texts', [
    [
      '1',
      {
        english: 'The running foxes',
        path: '/var/Log a-b',
        typed: 'Quick Fox',
        plain: 'say wtf',
        same: 'a quick fox',
        code: 'Äpfel',
        title: 'quick brown fox',
        inner: { title: 'red fox' },
      },
    ],
    [
      '2',
      {
        english: ['a dog', 'runs'],
        path: '/var/log A-B',
        typed: 'Quiet',
        plain: 'what the fudge',
        same: 'a fast dog',
        code: 'birne',
        title: 'brown quick',
        inner: { text: 'dogs' },
      },
    ],
  ])
})
afterAll(() => logs.services.close())

async function found(query: unknown): Promise<string[]> {
  const { hits } = (await logs.answer({ query, sort: '_id' }, {}, 'texts')) as unknown as {
    hits: { hits: { _id: string }[] }
  }
  return hits.hits.map(({ _id }) => _id)
}

it('finds words as the analyzer of their field makes them', async () => {
  expect(await found({ match: { english: 'run' } })).toEqual(['1', '2'])
  expect(await found({ match: { english: 'fox dog' } })).toEqual(['1', '2'])
  expect(await found({ match_phrase: { english: 'runs fox' } })).toEqual(['1'])
  expect(await found({ match: { english: 'the' } })).toEqual([])
  expect(await found({ term: { english: 'running' } })).toEqual([])
  expect(await found({ match: { path: 'a-b' } })).toEqual(['1'])
  expect(await found({ term: { path: { value: 'a-b', case_insensitive: true } } })).toEqual(['1', '2'])
  expect(await found({ prefix: { path: '/var/L' } })).toEqual(['1'])
  expect(await found({ wildcard: { path: '?var?log' } })).toEqual(['2'])
  expect(await found({ query_string: { query: 'path:A-*' } })).toEqual(['2'])
})

it('takes the search analyzer, or that of the clause, for what is searched', async () => {
  expect(await found({ match: { typed: 'qui' } })).toEqual(['1', '2'])
  expect(await found({ match_phrase: { typed: 'quick fox' } })).toEqual(['1'])
  expect(await found({ match: { plain: 'wtf' } })).toEqual(['1', '2'])
  expect(await found({ match_phrase: { plain: 'say what the fudge' } })).toEqual(['1'])
  expect(await found({ match: { plain: { query: 'wtf', analyzer: 'standard' } } })).toEqual(['1'])
  await expect(found({ match: { plain: { query: 'x', analyzer: 'none' } } })).rejects.toMatchObject({
    cause: { message: '[match] analyzer [none] not found' },
  })
})

it('compares keywords in the form of their normalizer', async () => {
  expect(await found({ term: { code: 'APFEL' } })).toEqual(['1'])
  expect(await found({ wildcard: { code: 'Äp*' } })).toEqual(['1'])
})

it('counts and marks the words of the analyzer', async () => {
  const answer = (await logs.answer(
    { query: { match: { english: 'fox' } }, highlight: { fields: { english: {} } } },
    {},
    'texts',
  )) as unknown as { hits: { hits: { highlight: unknown }[] } }
  expect(answer.hits.hits[0]?.highlight).toEqual({ english: ['The running <em>foxes</em>'] })
  expect(await logs.aggs({ words: { terms: { field: 'english' } } }, {}, 'texts')).toMatchObject({
    words: { buckets: [{ key: 'run', doc_count: 2 }, { key: 'dog' }, { key: 'fox' }] },
  })
})

it('weighs a phrase that can be read in several ways by the words of all of them', async () => {
  // Each of wtf, what, the and fudge is in one of two texts, of two and of three words.
  const words = 4 * Math.log(2)
  const score = (length: number) => (2.2 * words) / (1 + 1.2 * (0.25 + (0.75 * length) / 2.5))
  for (const query of [{ match_phrase: { plain: 'wtf' } }, { match_phrase_prefix: { plain: 'wtf' } }]) {
    const { hits } = (await logs.answer({ query }, {}, 'texts')) as unknown as {
      hits: { hits: { _id: string; _score: number }[] }
    }
    expect(hits.hits.map(({ _id }) => _id)).toEqual(['1', '2'])
    expect(hits.hits[0]?._score).toBeCloseTo(score(2), 5)
    expect(hits.hits[1]?._score).toBeCloseTo(score(3), 5)
  }
})

it('weighs words that stand for each other as one word', async () => {
  const scoreOf = async (query: unknown) => {
    const { hits } = (await logs.answer({ query }, {}, 'texts')) as unknown as {
      hits: { hits: { _id: string; _score: number }[] }
    }
    return hits.hits.map(({ _id, _score }) => [_id, Math.fround(_score)])
  }
  const plain = (query: string, analyzer: string) => ({ match: { same: { query, analyzer } } })
  const [one] = await scoreOf(plain('quick', 'standard'))
  // Each word is in one of two texts of the same length: together they are as rare as either.
  const both = await scoreOf(plain('quick', 'alike'))
  expect(both).toEqual([
    ['1', one?.[1]],
    ['2', one?.[1]],
  ])
  expect(await scoreOf({ match_phrase: { same: { query: 'quick', analyzer: 'alike' } } })).toEqual(both)
  expect(await scoreOf({ multi_match: { query: 'quick', fields: ['same'], analyzer: 'alike' } })).toEqual(both)
})

it('searches as you type', async () => {
  const fields = ['title', 'title._2gram', 'title._3gram']
  expect(await found({ multi_match: { query: 'quick bro', type: 'bool_prefix', fields, operator: 'and' } })).toEqual([
    '1',
    '2',
  ])
  expect(await found({ match: { 'title._2gram': 'quick brown' } })).toEqual(['1'])
  expect(await found({ term: { 'title._index_prefix': 'quick brown f' } })).toEqual(['1'])
})

it('finds what begins like one word of a text typed or several, where the text ends as elsewhere', async () => {
  expect(await found({ prefix: { title: 'brown f' } })).toEqual(['1'])
  expect(await found({ prefix: { title: 'fo' } })).toEqual(['1'])
  expect(await found({ prefix: { 'title._2gram': 'quick' } })).toEqual(['1', '2'])
  expect(await found({ prefix: { title: 'BROWN Q' } })).toEqual([])
  expect(await found({ prefix: { title: { value: 'BROWN Q', case_insensitive: true } } })).toEqual(['2'])
  expect(await found({ term: { 'title._index_prefix': 'quick ' } })).toEqual(['1', '2'])
  // Longer than a beginning is kept: looked for among single words.
  expect(await found({ prefix: { title: 'quick brown fox and a dog' } })).toEqual([])
})

it('keeps rows of words also in an index that says nothing of analysis', async () => {
  const properties = { title: { type: 'search_as_you_type' } } as const
  await logs.services.catalogue.createIndex({ name: 'plain', mappings: { properties } })
  await logs.services.write('plain', [['1', { title: 'Quick brown fox' }]])
  const count = async (query: unknown) => {
    const { hits } = (await logs.answer({ query }, {}, 'plain')) as unknown as { hits: { hits: object[] } }
    return hits.hits.length
  }
  expect(await count({ match_phrase: { title: 'quick BROWN' } })).toBe(1)
  expect(await count({ match_phrase_prefix: { title: 'Quick br' } })).toBe(1)
  expect(await count({ match_bool_prefix: { title: 'fo' } })).toBe(1)
  expect(await count({ prefix: { title: 'brown f' } })).toBe(1)
  expect(await count({ term: { 'title._2gram': 'brown fox' } })).toBe(1)
  expect(await count({ term: { 'title._2gram': 'brown' } })).toBe(0)
})

it('finds phrases of what was typed among its rows of words', async () => {
  expect(await found({ match_phrase: { title: 'quick brown' } })).toEqual(['1'])
  expect(await found({ match_phrase: { title: 'quick fox' } })).toEqual([])
  expect(await found({ match_phrase_prefix: { title: 'brown f' } })).toEqual(['1'])
  expect(await found({ match_phrase_prefix: { title: 'quick brown fox of no text' } })).toEqual([])
  const nested = (query: object) => ({ nested: { path: 'inner', query } })
  expect(await found(nested({ match_phrase: { 'inner.title': 'red fox' } }))).toEqual(['1'])
  expect(await found(nested({ match_bool_prefix: { 'inner.title': 'fo' } }))).toEqual(['1'])
  expect(await found(nested({ prefix: { 'inner.title': 're' } }))).toEqual(['1'])
})

it('marks whole words of what was typed, and rows of words as one', async () => {
  const highlights = async (query: unknown) => {
    const body = { query, highlight: { fields: { title: {}, 'title._2gram': {}, 'title._index_prefix': {} } } }
    const { hits } = (await logs.answer(body, {}, 'texts')) as unknown as { hits: { hits: object[] } }
    return hits.hits.slice(0, 1)
  }
  const fields = ['title', 'title._2gram', 'title._3gram']
  const typed = await highlights({ multi_match: { query: 'quick brown fo', type: 'bool_prefix', fields } })
  expect(typed).toMatchObject([
    { highlight: { title: ['<em>quick</em> <em>brown</em> fox'], 'title._2gram': ['<em>quick brown</em> fox'] } },
  ])
  const begun = await highlights({ match_bool_prefix: { title: 'fo' } })
  expect(begun).toMatchObject([{ _score: 1, highlight: { 'title._index_prefix': ['quick brown <em>fox</em>'] } }])
  const rows = await highlights({ match: { 'title._2gram': 'quick brown fox' } })
  expect(rows).toMatchObject([{ highlight: { 'title._2gram': ['<em>quick brown fox</em>'] } }])
})

it('refuses what it would read wrongly', async () => {
  await expect(found({ nested: { path: 'inner', query: { match: { 'inner.text': 'dog' } } } })).rejects.toMatchObject({
    cause: { message: expect.stringContaining('has an analyzer of its own') },
  })
  const create = (mapping: FieldMapping) =>
    logs.services.catalogue.createIndex({ name: 'wrong', mappings: { properties: { a: mapping } } })
  await expect(create({ type: 'text', analyzer: 'none' })).rejects.toThrow(
    'Failed to parse mapping: analyzer [none] has not been configured in mappings',
  )
  await expect(create({ type: 'keyword', normalizer: 'none' })).rejects.toThrow(
    'normalizer [none] not found for field [a]',
  )
})

it('sorts by the words of texts with fielddata', async () => {
  const order = async (direction: string) => {
    const body = { sort: [{ english: { order: direction } }] }
    const { hits } = (await logs.answer(body, {}, 'texts')) as unknown as { hits: { hits: { sort: unknown }[] } }
    return hits.hits.map(({ sort }) => sort)
  }
  expect(await order('asc')).toEqual([['dog'], ['fox']])
  expect(await order('desc')).toEqual([['run'], ['run']])
})
