import { afterAll, beforeAll, expect, it } from 'vitest'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'

// More than are scored without a guess.
const many = 24_000
const startMs = Date.UTC(2026, 0, 1)
let search: NotedSearch

/** Even ones hold one word and odd ones another; some both, and few a third. */
function message(at: number): string {
  const padding = 'of this and that'.repeat(1 + (at % 3))
  if (at % 1_000 === 7) return `even odd ${at % 2_000 === 7 ? 'odd' : ''}`
  if (at % 100 === 11) return `seldom odd ${padding}`
  return at % 2 === 0 ? `even ${padding}` : `odd apart ${padding}`
}

beforeAll(async () => {
  search = await openNotedSearch(() => startMs)
  const { services } = search
  const properties = { message: { type: 'text' }, other: { type: 'text' }, place: { type: 'long' } }
  await services.create('events', { properties })
  for (let from = 0; from < many; from += 4_000)
    await services.write(
      'events',
      Array.from({ length: 4_000 }, (_, at): [string, unknown] => [
        `${from + at}`,
        { message: message(from + at), other: at % 2 === 0 ? 'even' : 'none', place: from + at },
      ]),
    )
}, 120_000)
afterAll(() => search.services.close())

interface Answer {
  readonly hits: { readonly max_score: number; readonly hits: { readonly _id: string; readonly _score: number }[] }
}

async function best(query: unknown, more: Record<string, unknown> = {}): Promise<[string, number][]> {
  const { hits } = await search.ask<Answer>('events', { query, track_total_hits: false, ...more })
  return hits.hits.map(({ _id, _score }) => [_id, _score])
}

/** Statements that read hits. */
const looks = (): number => search.statements().filter((text) => text.includes('`_source`')).length

// Nothing scores less; with a least score all matches are scored.
const whole = { min_score: 1e-9 }

it.each([
  ['two frequent words, of which few hold both', { match: { message: 'even odd' } }, 1],
  ['a rare word beside a frequent one', { match: { message: 'seldom that' } }, 1],
  ['words of two fields', { multi_match: { query: 'even odd', fields: ['message', 'other'], type: 'most_fields' } }, 1],
  [
    'a clause that all must meet',
    { bool: { must: { match: { message: 'even odd' } }, filter: { range: { place: { gte: 0 } } } } },
    1,
  ],
  ['words that nothing holds both of', { match: { message: 'even apart' } }, 2],
  ['one word', { match: { message: 'odd' } }, 1],
  ['scores beyond 32 bits', { match: { message: { query: 'even odd', boost: 1e39 } } }, 2],
])('finds the same best of %s as among all matches', async (_what, query, statements) => {
  const found = await best(query)
  expect(looks()).toBe(statements)
  const all = await best(query, whole)
  expect([found.length, found]).toEqual([10, all])
})

it('asks for the words that count only, and does not guess twice where that was wrong', async () => {
  await best({ match: { message: 'seldom that' } })
  const narrow = search.statements().filter((text) => text.includes('(hasAll(') && text.includes("['seldom']")).length
  expect(narrow).toBe(1)
  const apart = { match: { message: 'apart even' } }
  const seen: number[] = []
  for (const _ of [1, 2]) {
    await best(apart)
    seen.push(looks())
  }
  expect(seen).toEqual([2, 1])
})

it('goes on from a hit, and collapses, among all matches', async () => {
  const query = { match: { message: 'even odd' } }
  const sort = [{ _score: 'desc' }, { place: 'asc' }]
  const two = await best(query, { sort, size: 20 })
  const first = await search.ask<{ hits: { hits: { sort: unknown[] }[] } }>('events', { query, sort, size: 10 })
  const rest = await best(query, { sort, size: 10, search_after: first.hits.hits[9]?.sort })
  expect(rest).toEqual(two.slice(10))
  const groups = await best(query, { collapse: { field: 'place' }, size: 5 })
  expect(groups.map(([, score]) => score)).toEqual(two.slice(0, 5).map(([, score]) => score))
})
