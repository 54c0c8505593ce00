import { afterAll, beforeAll, expect, it } from 'vitest'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'

const fieldCount = 12
const fields = Array.from({ length: fieldCount }, (_, at) => `f${at}`)
// Each is cut in another way at its ends, so that texts which ran together would show.
const texts = ['failed login', 'root_', '_ of', '10.0.0.1', '1,', '000 closed', "it's", 'ünï', 'closed.', 'login', '']
const words = ['failed', 'login', 'root', 'root_', '10.0.0.1', '1', '000', 'closed', "it's", 'ünï', 'of', 'absent']
const documents = 200

/** The same values for the same document, of which some fields have none, some one and some two. */
function valuesOf(document: number, field: number): readonly string[] {
  const random = (document * 7919 + field * 104_729 + document * field * 31) % 1009
  const count = random % 4 === 0 ? 2 : random % 4 === 1 ? 1 : 0
  return Array.from({ length: count }, (_, at) => texts[(random + at * 5) % texts.length] ?? '')
}

function sourceOf(document: number): Record<string, unknown> {
  const entries = fields.map((name, at) => [name, valuesOf(document, at)] as const)
  const kept = entries.filter(([, values]) => values.length > 0)
  return Object.fromEntries(kept.map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
}

let search: NotedSearch
beforeAll(async () => {
  search = await openNotedSearch(() => Date.UTC(2026, 0, 1))
  // As dynamic mapping guesses texts, which have no token index until they prove long; the last one has one.
  const guessed = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } }
  const properties = Object.fromEntries(
    fields.map((name, at) => [name, at < fieldCount - 1 ? guessed : { type: 'text' }]),
  )
  await search.services.create('wide', { properties })
  const written = Array.from({ length: documents }, (_, at): [string, unknown] => [`${at}`, sourceOf(at)])
  await search.services.write('wide', written)
}, 60_000)
afterAll(() => search.services.close())

async function found(query: unknown): Promise<ReadonlyMap<string, number>> {
  const request = { query, size: documents, _source: false, track_scores: true }
  const { hits } = await search.ask<{ hits: { hits: { _id: string; _score: number }[] } }>('wide', request)
  return new Map(hits.hits.map(({ _id, _score }) => [_id, _score]))
}

const each = async (query: (field: string) => unknown) => Promise.all(fields.map((field) => found(query(field))))

it.each(words)('finds %s in all fields where it is in one of them', async (word) => {
  const single = await each((field) => ({ match: { [field]: word } }))
  const ids = new Set(single.flatMap((hits) => [...hits.keys()]))
  const together = await found({ simple_query_string: { query: `"${word}"`, fields } })
  expect(new Set(together.keys())).toEqual(ids)
  expect(search.statements().some((text) => text.includes('concatWithSeparator'))).toBe(true)
  expect(ids.size > 0).toBe(word !== 'absent' && word !== 'root')
})

it('finds two words that may each be in another field', async () => {
  const [first, second] = await Promise.all(
    ['failed', 'closed'].map((query) => found({ simple_query_string: { query, fields } })),
  )
  const query = { simple_query_string: { query: 'failed closed', fields, default_operator: 'and' } }
  const both = [...(first?.keys() ?? [])].filter((id) => second?.has(id))
  expect(both.length).toBeGreaterThan(0)
  expect(new Set((await found(query)).keys())).toEqual(new Set(both))
})

it('scores words of several fields as the sum of what each field scores', async () => {
  const query = 'failed closed login'
  const single = await each((field) => ({ match: { [field]: query } }))
  const together = await found({ multi_match: { query, fields, type: 'most_fields' } })
  expect(together.size).toBeGreaterThan(0)
  for (const [id, score] of together) {
    const sum = single.reduce((all, hits) => all + (hits.get(id) ?? 0), 0)
    expect(score).toBeCloseTo(sum, 4)
  }
})
