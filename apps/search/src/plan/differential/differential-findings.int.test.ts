import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reasonsOf } from '../../testing/reasons-of.ts'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

// What the comparison with OpenSearch found, each by the smallest request that shows it.
const mapping = {
  properties: {
    n: { type: 'long' },
    d: { type: 'double' },
    b: { type: 'boolean' },
    t: { type: 'date' },
    nano: { type: 'date_nanos' },
    net: { type: 'ip_range' },
    at: { type: 'geo_point' },
    text: { type: 'text' },
    more: { type: 'text' },
    k: { type: 'keyword' },
    word: { type: 'keyword' },
    stems: { type: 'text', analyzer: 'english' },
  },
}
const documents: (readonly [string, unknown])[] = [
  [
    '1',
    {
      n: 1,
      d: 3,
      b: true,
      t: '2026-11-21T10:00:00Z',
      net: '10.0.0.0/24',
      at: [170, 10],
      text: 'red fox',
      more: 'bird',
      k: 'tail',
    },
  ],
  ['2', { n: 2, d: -0.5, b: false, t: '2026-11-20T23:30:00Z', at: [-170, 20], text: 'fox', k: '', word: 'red' }],
  ['3', { n: 3, nano: '2026-11-21T10:00:00Z', stems: 'running' }],
]

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.create('found', mapping)
  await logs.services.write('found', documents)
})
afterAll(() => logs.services.close())

const search = (body: unknown) => logs.answer(body, {}, 'found')
const aggregated = async (own: unknown, more = {}) => ((await logs.aggs({ a: own }, more, 'found')) as { a: unknown }).a

async function ids(query: unknown): Promise<string> {
  const { hits } = (await search({ query, sort: 'n' })) as { hits: { hits: { _id: string }[] } }
  return hits.hits.map(({ _id }) => _id).join(' ')
}
const across = (query: string, operator: string, fields: string[]) => ({
  multi_match: { query, type: 'cross_fields', operator, fields },
})
interface SortedHits {
  readonly hits: { readonly hits: readonly { readonly _id: string; readonly sort: readonly unknown[] }[] }
}

const fox = { match: { text: 'fox' } }
const red = { match: { text: 'red' } }

describe('queries', () => {
  it.each<[string, unknown, string]>([
    ['one of should at least where nothing must match', { bool: { should: [red], minimum_should_match: 0 } }, '1'],
    ['none of should beside must', { bool: { must: [fox], should: [red], minimum_should_match: 0 } }, '1 2'],
    ['a number beside must_not alone', { bool: { must_not: [red], minimum_should_match: 2 } }, '2 3'],
    ['a number that must alone cannot reach', { bool: { must: [fox], minimum_should_match: 1 } }, ''],
    ['must_not alone as it stands', { bool: { must_not: [red], adjust_pure_negative: false } }, ''],
    ['* of a field', { query_string: { query: '*', default_field: 'text' } }, '1 2'],
    ['not * of a field', { query_string: { query: '-*', default_field: 'text' } }, '3'],
    ['words across fields of one analyzer', across('red bird', 'and', ['text', 'more']), '1'],
    ['words across keywords as one', across('red bird', 'or', ['word', 'k']), ''],
    ['words across fields of two analyzers', across('tail fox', 'and', ['text', 'k']), ''],
    ['an empty pattern', { wildcard: { k: '' } }, ''],
    ['two of one word', { match: { text: { query: 'red', minimum_should_match: 2 } } }, '1'],
    ['three of two words', { match: { text: { query: 'red fox', minimum_should_match: 3 } } }, ''],
    ['words near a stem', { simple_query_string: { query: 'rum~1', fields: ['stems'] } }, '3'],
    ['words near one that would be stemmed', { query_string: { query: 'stems:runnings~1' } }, ''],
    ['* of all fields', { query_string: { query: '*' } }, '1 2 3'],
  ])('reads %s', async (_, query, expected) => expect(await ids(query)).toBe(expected))

  it.each<[string, unknown, string]>([
    ['a range without bounds', { range: { n: 1 } }, '[range] query does not support [n]'],
    ['a network in a range of addresses', { term: { net: '10.0.0.0/8' } }, "'10.0.0.0/8' is not an IP string literal."],
    [
      'a box without a width',
      { geo_bounding_box: { at: { top: 2, bottom: 1, left: 1, right: 1 } } },
      'left cannot be the same as right: 1.0 == 1.0',
    ],
    [
      'a box without a height',
      { geo_bounding_box: { at: { top: 1, bottom: 1, left: 1, right: 2 } } },
      'top cannot be the same as bottom: 1.0 == 1.0',
    ],
    ['nanoseconds before 1970', { range: { nano: { lt: '1969-12-31T23:00:00Z' } } }, 'is before the epoch in 1970'],
    ['nanoseconds after 2262', { term: { nano: '2300-01-01' } }, 'is after 2262-04-11T23:47:16.854775807'],
  ])('refuses %s', async (_, query, reason) => {
    expect(await reasonsOf(ids(query))).toContain(reason)
  })
})

it('sorts booleans by 1 and 0, and goes on after them', async () => {
  const sort = [{ b: 'desc' }, { n: 'asc' }]
  const sorts = async (more = {}) =>
    ((await search({ sort, ...more })) as { hits: { hits: { sort: unknown[] }[] } }).hits.hits.map((hit) => hit.sort)
  expect(await sorts({ size: 2 })).toEqual([
    [1, 1],
    [0, 2],
  ])
  expect(await sorts({ search_after: [1, 1], size: 1 })).toEqual([[0, 2]])
  expect(await sorts({ search_after: [true, 1], size: 1 })).toEqual([[0, 2]])
  expect(await sorts({ search_after: [0, 2] })).toEqual([[-(2 ** 63), 3]])
  expect(await sorts({ search_after: [-(2 ** 63), 3] })).toEqual([])
})

it.each(['_first', '_last'])('goes on behind missing doubles that come %s', async (missing) => {
  const page = async (more: object) => {
    const { hits } = (await search({ size: 2, sort: [{ d: { missing } }, 'n'], ...more })) as unknown as SortedHits
    return hits.hits
  }
  const first = await page({})
  const second = await page({ search_after: first.at(-1)?.sort })
  const ids = [...first, ...second].map(({ _id }) => _id)
  expect(ids).toEqual(missing === '_first' ? ['3', '2', '1'] : ['2', '1', '3'])
  const after = await page({ search_after: [missing === '_first' ? '-Infinity' : 'Infinity', 2] })
  expect(after.map(({ _id }) => _id)).toEqual(missing === '_first' ? ['3', '2'] : ['3'])
})

it('shows no field of a hit without the value that it is collapsed by', async () => {
  const { hits } = (await search({ sort: 'n', collapse: { field: 'k' } })) as { hits: { hits: { fields?: unknown }[] } }
  expect(hits.hits.map(({ fields }) => fields)).toEqual([{ k: ['tail'] }, { k: [''] }, undefined])
})

describe('aggregations', () => {
  it('have no least value where there are no documents, whatever missing says', async () => {
    const nothing = { query: { match_none: {} } }
    for (const kind of ['min', 'max', 'avg'])
      expect(await aggregated({ [kind]: { field: 'd', missing: 1 } }, nothing)).toEqual({ value: null })
    expect(await aggregated({ stats: { field: 'd', missing: 1 } }, nothing)).toMatchObject({ count: 0, min: null })
    expect(await aggregated({ min: { field: 'd', missing: -1 } })).toEqual({ value: -1 })
  })

  it('of several terms write doubles with their point', async () =>
    expect(await aggregated({ multi_terms: { terms: [{ field: 'b' }, { field: 'd' }] } })).toMatchObject({
      buckets: [{ key_as_string: 'false|-0.5' }, { key_as_string: 'true|3.0' }],
    }))

  it('of dates show bounds on the clocks of their zone', async () => {
    const ranges = [{ from: '2026-11-21' }]
    expect(await aggregated({ date_range: { field: 't', time_zone: 'Europe/Vienna', ranges } })).toMatchObject({
      buckets: [
        { key: '2026-11-21T00:00:00.000+01:00-*', from_as_string: '2026-11-21T00:00:00.000+01:00', doc_count: 2 },
      ],
    })
  })

  it('bound points over the date line where that is narrower', async () => {
    const box = (left: number, right: number) => ({
      bounds: { top_left: { lat: 20, lon: left }, bottom_right: { lat: 10, lon: right } },
    })
    expect(await aggregated({ geo_bounds: { field: 'at' } })).toEqual(box(170, -170))
    expect(await aggregated({ geo_bounds: { field: 'at', wrap_longitude: false } })).toEqual(box(-170, 170))
    const east = await aggregated({ geo_bounds: { field: 'at' } }, { query: { term: { n: 1 } } })
    expect(east).toEqual({ bounds: { top_left: { lat: 10, lon: 170 }, bottom_right: { lat: 10, lon: 170 } } })
  })
})
