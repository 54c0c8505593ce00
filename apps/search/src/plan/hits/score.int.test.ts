import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

interface Answer {
  readonly hits: {
    readonly max_score: number | null
    readonly hits: { readonly _id: string; readonly _score: number }[]
  }
}

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.create('books', {
    properties: { title: { type: 'text' }, tag: { type: 'keyword' }, year: { type: 'integer' } },
  })
  await logs.services.write('books', [
    ['1', { title: 'the quick brown fox', tag: 'a', year: 1 }],
    ['2', { title: 'the lazy dog sleeps all day long in the sun', tag: 'a', year: 2 }],
    ['3', { title: 'fox fox fox', tag: 'b', year: 3 }],
    ['4', { title: 'nothing of this', tag: 'a' }],
  ])
})
afterAll(() => logs.services.close())

async function scores(query: unknown, more: Record<string, unknown> = {}): Promise<[string, number][]> {
  const { hits } = (await logs.answer({ query, ...more }, {}, 'books')) as unknown as Answer
  return hits.hits.map(({ _id, _score }) => [_id, _score])
}

/** BM25 as Lucene computes it, of one word. */
function bm25(frequency: number, length: number, holding: number): number {
  const rarity = Math.log(1 + (4 - holding + 0.5) / (holding + 0.5))
  const average = (4 + 10 + 3 + 3) / 4
  return (2.2 * rarity * frequency) / (frequency + 1.2 * (0.25 + (0.75 * length) / average))
}

describe('scores', () => {
  it('are those of the other fields where one has texts without a word only', async () => {
    const text = { type: 'text' }
    await logs.services.create('blank', { properties: { title: text, note: text } })
    await logs.services.write('blank', [
      ['1', { title: 'fox', note: ' ' }],
      ['2', { title: 'dog', note: '' }],
    ])
    const query = { query_string: { query: 'fox', fields: ['title', 'note'] } }
    const { hits } = (await logs.answer({ query }, {}, 'blank')) as unknown as Answer
    expect(hits.hits.map(({ _id, _score }) => [_id, _score])).toEqual([['1', expect.closeTo(Math.log(2), 5)]])
  })

  it('rank words by BM25', async () => {
    const found = await scores({ match: { title: 'fox' } })
    expect(found.map(([id]) => id)).toEqual(['3', '1'])
    expect(found[0]?.[1]).toBeCloseTo(bm25(3, 3, 2), 5)
    expect(found[1]?.[1]).toBeCloseTo(bm25(1, 4, 2), 5)
  })

  it('add the clauses of a bool and leave filters out', async () => {
    const clause = { match: { title: { query: 'lazy', boost: 2 } } }
    const [both] = await scores({
      bool: { must: clause, filter: { term: { tag: 'a' } }, should: { term: { year: 2 } } },
    })
    expect(both?.[0]).toBe('2')
    expect(both?.[1]).toBeCloseTo(2 * bm25(1, 10, 1) + 1, 5)
    expect(await scores({ bool: { filter: { term: { tag: 'b' } } } })).toEqual([['3', 0]])
  })

  it('are the rarity of a keyword, the boost of a constant, and the best of several', async () => {
    const [b] = await scores({ term: { tag: 'b' } })
    expect(b?.[1]).toBeCloseTo(Math.log(1 + 3.5 / 1.5), 5)
    expect(await scores({ constant_score: { filter: { term: { tag: 'b' } }, boost: 3 } })).toEqual([['3', 3]])
    const best = {
      dis_max: { queries: [{ term: { year: 3 } }, { constant_score: { filter: { term: { tag: 'b' } }, boost: 5 } }] },
    }
    expect(await scores(best)).toEqual([['3', 5]])
    expect(await scores({ terms: { tag: ['b'] } })).toEqual([['3', 1]])
  })

  it('decide order, lower bound and the next page', async () => {
    const query = { match: { title: 'the fox' } }
    const all = await scores(query)
    expect(all.map(([, score]) => score)).toEqual([...all.map(([, score]) => score)].sort((a, b) => b - a))
    const least = all[1]?.[1] ?? 0
    expect(await scores(query, { min_score: least })).toEqual(all.slice(0, 2))
    const sort = [{ _score: 'desc' }, { year: 'asc' }]
    const first = (await logs.answer({ query, sort, size: 1 }, {}, 'books')) as {
      hits: { hits: { sort: unknown[] }[] }
    }
    const rest = await scores(query, { sort, search_after: first.hits.hits[0]?.sort })
    expect(rest.map(([id]) => id)).toEqual(all.slice(1).map(([id]) => id))
  })

  it('are computed for a hundred clauses and not for hundreds', async () => {
    const should = Array.from({ length: 300 }, (_, at) => ({ match_phrase: { title: `fox w${at}` } }))
    expect(await scores({ bool: { should: [...should, { match: { title: 'fox' } }] } })).toEqual([
      ['1', 1],
      ['3', 1],
    ])
  })
})

it('scores count how often a text has a long phrase, side by side', async () => {
  const line = 'one two three four five six seven eight nine ten'
  await logs.services.create('lines', { properties: { title: { type: 'text' } } })
  const others = 'and some more words of no use here at all'
  await logs.services.write('lines', [
    ['once', { title: `${line} ${others}` }],
    ['twice', { title: `${line} ${line}` }],
    ['apart', { title: `one ${others} two` }],
  ])
  const scoreOf = async (query: string, slop: number, prefix = false) => {
    const asked = prefix ? { match_phrase_prefix: { title: query } } : { match_phrase: { title: { query, slop } } }
    const { hits } = (await logs.answer({ query: asked }, {}, 'lines')) as unknown as Answer
    return new Map(hits.hits.map(({ _id, _score }) => [_id, _score]))
  }
  for (const found of [await scoreOf(line, 0), await scoreOf(line, 3), await scoreOf(line.slice(0, -1), 0, true)]) {
    expect([...found.keys()]).toEqual(['twice', 'once'])
    const [twice = 0, once = 0] = found.values()
    // 2 / (2 + norm) and 1 / (1 + norm), of about the same length: a text of 20 words and one of 19 or 20.
    expect(twice / once).toBeGreaterThan(1.3)
  }
})

describe('scores that need not be computed', () => {
  it('are the same number for every match of a value, whatever shows it', async () => {
    await logs.services.create('tags', { properties: { tag: { type: 'keyword' }, year: { type: 'integer' } } })
    await logs.services.write('tags', [
      ['1', { tag: ['a', 'b'], year: 3 }],
      ['2', { tag: 'a', year: 2 }],
      ['3', { tag: ['b', 'c'], year: 1 }],
      ['4', { tag: 'c', year: 1 }],
      ['5', { year: 5 }],
    ])
    type Found = { hits: { hits: { _id: string; _score: number; sort?: unknown[] }[] }; aggregations?: unknown }
    const ask = async (body: Record<string, unknown>) => (await logs.answer(body, {}, 'tags')) as unknown as Found
    // A value counts as a text of one word among such of one and a half.
    const worth = (Math.log(1 + (4 - 2 + 0.5) / 2.5) * 2.2) / (1 + 1.2 * (0.25 + 0.75 / 1.5))
    // As a number of 32 bits it has fewer digits.
    const shown = Number(Math.fround(worth).toPrecision(8))
    expect(Math.fround(shown)).toBe(Math.fround(worth))
    const query = { term: { tag: 'b' } }
    const { hits } = await ask({ query, sort: ['_score', { year: 'asc' }] })
    expect(hits.hits.map(({ _id, _score, sort }) => [_id, _score, sort])).toEqual([
      ['3', shown, [shown, 1]],
      ['1', shown, [shown, 3]],
    ])
    const next = await ask({ query, sort: ['_score', { year: 'asc' }], search_after: hits.hits[0]?.sort })
    expect(next.hits.hits.map(({ _id }) => _id)).toEqual(['1'])
    const after = async (score: number) => (await ask({ query, sort: ['_score'], search_after: [score] })).hits.hits
    expect([await after(shown + 1e-6), await after(shown - 1e-6)].map(({ length }) => length)).toEqual([2, 0])
    const least = async (score: number) => (await ask({ query, min_score: score })).hits.hits.map(({ _id }) => _id)
    expect(await least(shown)).toEqual(['1', '3'])
    expect(await least(shown + 1e-6)).toEqual([])
    const agg = { query, size: 0, aggs: { best: { max: { script: '_score' } } } }
    expect((await ask(agg)).aggregations).toEqual({ best: { value: expect.closeTo(worth, 6) } })
  })

  it('are constants cut to 32 bits', async () => {
    const scored = async (boost: number) => scores({ constant_score: { filter: { term: { tag: 'b' } }, boost } })
    expect(await scored(16_777_217)).toEqual([['3', 16_777_216]])
    expect(await scored(0.1)).toEqual([['3', 0.1]])
    const twice = { constant_score: { filter: { term: { tag: 'b' } }, boost: 1.1 } }
    expect(await scores({ bool: { must: [twice, twice, twice] } })).toEqual([['3', 3.3]])
  })

  it('give what an optional clause adds to its own matches only', async () => {
    const should = [{ bool: { must: { match_all: {} }, filter: { term: { tag: 'b' } } } }]
    expect(await scores({ bool: { must: { match_all: {} }, should } })).toEqual([
      ['3', 2],
      ['1', 1],
      ['2', 1],
      ['4', 1],
    ])
  })
})

it('tells long texts apart by four bits of their length', async () => {
  await logs.services.create('long', { properties: { title: { type: 'text' } } })
  const lengths = [23, 24, 39, 40, 41, 42, 55, 56, 57, 59, 60, 500, 3_000]
  await logs.services.write(
    'long',
    lengths.map((length) => [`${length}`, { title: `fox${' word'.repeat(length - 1)}` }]),
  )
  const found = (await logs.answer({ query: { match: { title: 'fox' } }, size: 20 }, {}, 'long')) as unknown as Answer
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  const rarity = Math.log(1 + 0.5 / (lengths.length + 0.5))
  const kept = new Map([
    [41, 40],
    [55, 54],
    [57, 56],
    [59, 56],
    [500, 24 + 14 * 32],
    [3_000, 24 + 11 * 256],
  ])
  for (const { _id, _score } of found.hits.hits) {
    const length = kept.get(Number(_id)) ?? Number(_id)
    expect([_id, _score]).toEqual([
      _id,
      expect.closeTo((2.2 * rarity) / (1 + 1.2 * (0.25 + (0.75 * length) / average)), 6),
    ])
  }
  expect(found.hits.hits.length).toBe(lengths.length)
})
