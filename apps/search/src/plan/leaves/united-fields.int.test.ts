import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Scope } from '../../model/scope.ts'
import { systemScope } from '../../security/role-scope.ts'
import { answerOf } from '../../testing/answer-of.ts'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'
import { planLeaves } from './plan-leaves.ts'

// Indices of one family whose mappings differ, as those of days do whose documents brought new fields: what is found in all of them must be what is found in each.
const common = {
  '@timestamp': { type: 'date' },
  message: { type: 'text' },
  host: { properties: { name: { type: 'keyword' } } },
}
const days: readonly (readonly [properties: object, settings?: Record<string, string>])[] = [
  [common],
  [{ ...common, user: { type: 'keyword' } }],
  [{ ...common, code: { type: 'long' }, user: { type: 'keyword' } }],
  [{ ...common, note: { type: 'text' }, process: { properties: { name: { type: 'keyword' } } } }],
  // What contradicts: a number that is a text elsewhere, an analyzer, an object apart, an alias, keys of an object that is none elsewhere.
  [{ ...common, code: { type: 'keyword' } }],
  [{ ...common, note: { type: 'text', analyzer: 'whitespace' } }],
  [{ ...common, process: { type: 'nested', properties: { name: { type: 'keyword' } } } }],
  [{ ...common, who: { type: 'alias', path: 'host.name' } }],
  [{ ...common, labels: { type: 'flattened' } }],
  [{ ...common, labels: { properties: { colour: { type: 'keyword' } } } }],
  [{ ...common, user: { type: 'keyword' } }, { 'query.default_field': 'user' }],
  [{ ...common, late: { type: 'date' }, user: { type: 'keyword' } }],
]
const nameOf = (day: number): string => `days-2026.01.${String(day + 1).padStart(2, '0')}`
const names = days.map((_, day) => nameOf(day))
const startMs = Date.UTC(2026, 0, 1)

/** Every document has all fields, whether its index has them or not: what is not mapped must not be found or shown. */
const sourceOf = (n: number) => ({
  '@timestamp': new Date(startMs + n * 1000).toISOString(),
  message: n % 3 === 0 ? 'alpha failed' : 'beta passed',
  host: { name: n % 2 === 0 ? 'alpha' : 'gamma' },
  user: n % 4 === 0 ? 'alpha' : 'delta',
  code: n % 5 === 0 ? 'alpha' : n,
  note: 'Alpha and delta',
  process: { name: n % 2 === 0 ? 'delta' : 'sshd' },
  labels: { colour: n % 2 === 0 ? 'alpha' : 'red' },
  late: '2026-01-01T00:00:00Z',
})

let search: NotedSearch
beforeAll(async () => {
  search = await openNotedSearch(() => startMs)
  for (const [day, [properties, settings]] of days.entries()) {
    const mappings = { dynamic: false, properties } as never
    await search.services.catalogue.createIndex({ name: nameOf(day), mappings, ...(settings ? { settings } : {}) })
    // A `code` that is no number is refused by an index where it is one.
    const documents = Array.from({ length: 10 }, (_, at) => {
      const source = sourceOf(day * 10 + at)
      return [`d${day * 10 + at}`, { ...source, code: day === 2 ? at : source.code }] as const
    })
    await search.services.write(nameOf(day), documents)
  }
}, 120_000)
afterAll(() => search.services.close())

interface Hit {
  readonly _id: string
  readonly _score?: number
}
interface Answer {
  readonly hits: { readonly total: { readonly value: number }; readonly hits: readonly Hit[] }
  readonly aggregations?: { readonly a: { readonly value: number } }
}

const ask = (expression: string, body: object): Promise<Answer> =>
  search.ask<Answer>(expression, { size: 200, track_total_hits: true, ...body }, { request_cache: false })
const byId = (hits: readonly Hit[]): Hit[] => hits.toSorted((a, b) => a._id.localeCompare(b._id))
const sorted = [{ '@timestamp': 'desc' }]

it.each<readonly [string, object]>([
  ['a word in all fields', { query: { query_string: { query: 'alpha' } } }],
  ['a word in all fields, leniently', { query: { multi_match: { query: 'delta', lenient: true } } }],
  ['a number in all fields', { query: { multi_match: { query: '7', lenient: true } } }],
  ['a word in no field', { query: { bool: { must_not: { query_string: { query: 'alpha' } } } } }],
  ['words of a pattern', { query: { query_string: { query: 'us*:alpha OR no*:delta' } } }],
  ['words across fields', { query: { multi_match: { query: 'alpha delta', type: 'cross_fields', operator: 'and' } } }],
  ['an object', { query: { exists: { field: 'process' } } }],
  ['a field that some have', { query: { exists: { field: 'user' } } }],
  ['a value that some have', { query: { term: { user: 'alpha' } }, fields: ['*'] }],
  ['keys', { query: { term: { 'labels.colour': 'alpha' } }, fields: ['lab*'] }],
  ['an alias', { query: { term: { who: 'alpha' } }, fields: ['*'] }],
  ['fields of all', { query: { match: { message: 'alpha' } }, fields: ['*'] }],
  ['fields of all, mapped or not', { query: { match_all: {} }, fields: [{ field: '*', include_unmapped: true }] }],
  ['marks of all', { query: { query_string: { query: 'alpha' } }, highlight: { fields: { '*': {} } } }],
  ['the newest by the values of all fields', { query: { match_all: {} }, docvalue_fields: ['us*', 'host.*', 'la*'] }],
])('finds in all indices what it finds in each: %s', async (_what, body) => {
  const each = await Promise.all(names.map((name) => ask(name, { ...body, sort: sorted })))
  const all = await ask('days-*', { ...body, sort: sorted })
  const expected = byId(each.flatMap(({ hits }) => hits.hits))
  expect(byId(all.hits.hits)).toEqual(expected)
  expect(all.hits.total.value).toBe(expected.length)
  expect(expected.length).toBeGreaterThan(0)
})

it('counts and sums what is in some of them', async () => {
  const body = { size: 0, query: { query_string: { query: 'alpha' } }, aggs: { a: { value_count: { field: 'user' } } } }
  const each = await Promise.all(names.map((name) => ask(name, body)))
  const all = await ask('days-*', body)
  expect(all.aggregations?.a.value).toBe(each.reduce((sum, one) => sum + (one.aggregations?.a.value ?? 0), 0))
  expect(all.aggregations?.a.value).toBeGreaterThan(0)
})

it.each<readonly [string, Scope]>([
  // Of a field that only some have: nothing of the others is seen, though their documents hold it in their source.
  ['documents by a field', { ...systemScope, documentFilters: () => [{ term: { user: 'delta' } }] }],
  [
    'documents of some indices',
    { ...systemScope, documentFilters: (name) => (name > nameOf(5) ? [{ term: { 'host.name': 'alpha' } }] : []) },
  ],
  [
    'fields',
    { ...systemScope, limitsFields: () => true, canSeeField: (_name, path) => path !== 'user' && path !== 'note' },
  ],
])('shows a role that is limited to %s no more of all indices than of each', async (_what, scope) => {
  const body = {
    size: 200,
    track_total_hits: true,
    query: { query_string: { query: 'alpha OR delta' } },
    fields: ['*'],
  }
  const asRole = (expression: string) => answerOf<Answer>(search.services, expression, body, { scope })
  const each = await Promise.all(names.map(asRole))
  const all = await asRole('days-*')
  const shownOf = (hits: readonly Hit[]) => byId(hits).map(({ _score: _, ...hit }) => hit)
  const expected = shownOf(each.flatMap(({ hits }) => hits.hits))
  expect(shownOf(all.hits.hits)).toEqual(expected)
  expect(expected.length).toBeGreaterThan(0)
  expect(expected.length).toBeLessThan(names.length * 10)
})

it('tells of the indices that do not have the field of a sort', async () => {
  const body = { query: { query_string: { query: 'alpha' } }, sort: [{ late: 'asc' }] }
  const failures = async (expression: string) => {
    const { _shards } = await search.ask<{ _shards: { failed: number } }>(expression, body, { request_cache: false })
    return _shards.failed
  }
  expect(await failures('days-*')).toBe(names.length - 1)
  expect(await failures(nameOf(names.length - 1))).toBe(0)
})

function statements(query: unknown, expression: string): number {
  const indices = search.services.catalogue.resolve(expression, {
    ignoreUnavailable: false,
    allowNoIndices: false,
    expand: ['open'],
    forbidClosed: true,
  })
  return planLeaves(search.services, { indices, scope: systemScope, query, nowMs: startMs, scored: true }).length
}

const anywhere = { query_string: { query: 'alpha' } }
it.each([
  ['those that only lack fields', names.slice(0, 4).join(), anywhere, 1],
  ['those of which some have the field', names.slice(0, 4).join(), { term: { user: 'alpha' } }, 2],
  ['a text and a number', [nameOf(2), nameOf(4)].join(), anywhere, 2],
  ['a text and words cut otherwise', [nameOf(3), nameOf(5)].join(), anywhere, 2],
  ['objects that are apart', [nameOf(3), nameOf(6)].join(), anywhere, 2],
  ['names that are another’s', [nameOf(0), nameOf(7)].join(), anywhere, 2],
  ['keys and fields', [nameOf(8), nameOf(9)].join(), anywhere, 2],
  ['all, which contradict each other elsewhere', names.join(), { match: { message: 'alpha' } }, 1],
  ['all, of which some contradict each other', names.join(), { term: { user: 'alpha' } }, 2],
  ['default fields', [nameOf(1), nameOf(10)].join(), anywhere, 2],
])('reads in as few statements as it can: %s', (_what, expression, query, count) => {
  expect(statements(query, expression)).toBe(count)
})
