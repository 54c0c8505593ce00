import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs

beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.create('labels', {
    properties: { labels: { type: 'flattened', ignore_above: 20 }, tags: { type: 'flat_object' } },
  })
  await logs.services.write('labels', [
    ['1', { labels: { os: 'linux', owner: { team: 'web', people: ['anna', 'bert'] }, cpus: 8 }, tags: { a: 'x' } }],
    ['2', { labels: { os: 'windows', 'owner.team': 'db', cpus: 16 }, tags: [{ a: 'y' }, { a: 'z', b: null }] }],
    ['3', { labels: { system: 'linux', owner: { team: 'a text that is too long for it' } } }],
  ])
})
afterAll(() => logs.services.close())

interface Answer {
  readonly hits: { readonly hits: { readonly _id: string; readonly fields?: unknown }[] }
  readonly aggregations?: Record<string, unknown>
}
const answer = async (body: object): Promise<Answer> =>
  (await logs.answer({ sort: ['_doc'], ...body }, {}, 'labels')) as unknown as Answer
const ids = async (query: object) => (await answer({ query })).hits.hits.map(({ _id }) => _id)

it.each([
  [{ term: { labels: 'linux' } }, ['1', '3']],
  [{ term: { 'labels.os': 'linux' } }, ['1']],
  [{ match: { 'labels.owner.team': 'db' } }, ['2']],
  [{ terms: { 'labels.owner.people': ['bert', 'carl'] } }, ['1']],
  [{ exists: { field: 'labels.owner.team' } }, ['1', '2']],
  [{ bool: { must_not: { exists: { field: 'labels.os' } } } }, ['3']],
  [{ prefix: { 'labels.os': 'win' } }, ['2']],
  [{ wildcard: { 'labels.owner.people': '*r?' } }, ['1']],
  // Values of keys are texts, and so is their order.
  [{ range: { 'labels.cpus': { gte: '2' } } }, ['1']],
  [{ query_string: { query: 'labels.os:windows' } }, ['2']],
  [{ term: { 'tags.a': 'z' } }, ['2']],
  [{ exists: { field: 'tags.b' } }, []],
  [{ term: { 'labels.os.linux': 'linux' } }, []],
])('finds keys of flattened fields by %j', async (query, found) => {
  expect(await ids(query)).toEqual(found)
})

it.each([
  [{ term: { 'parts.labels.os': 'linux' } }, ['1', '2']],
  [{ term: { 'parts.labels': 'linux' } }, ['1', '2', '3']],
  [{ bool: { must: [{ term: { 'parts.name': 'a' } }, { term: { 'parts.labels.os': 'linux' } }] } }, ['1']],
  [{ term: { 'parts.labels.list': 'say "x": y' } }, ['3']],
  [{ term: { 'parts.labels.deep': '7' } }, ['3']],
])('finds keys of the flattened fields of nested objects by %j', async (query, found) => {
  const properties = { name: { type: 'keyword' }, labels: { type: 'flattened' } }
  const name = `nested-${JSON.stringify(query).length}-${found.length}`
  await logs.services.create(name, { properties: { parts: { type: 'nested', properties } } })
  await logs.services.write(name, [
    [
      '1',
      {
        parts: [
          { name: 'a', labels: { os: 'linux' } },
          { name: 'b', labels: { os: 'windows' } },
        ],
      },
    ],
    [
      '2',
      {
        parts: [
          { name: 'a', labels: { os: 'windows' } },
          { name: 'b', labels: { os: ['linux', 'bsd'] } },
        ],
      },
    ],
    ['3', { parts: { name: 'c', labels: { like: 'linux', list: [['say "x": y'], null], deep: [[6, [7]]] } } }],
  ])
  const answered = await logs.answer({ query: { nested: { path: 'parts', query } }, sort: ['_doc'] }, {}, name)
  expect((answered as unknown as Answer).hits.hits.map(({ _id }) => _id)).toEqual(found)
})

it('counts, sorts by and shows single keys', async () => {
  const { hits, aggregations } = await answer({
    aggs: { teams: { terms: { field: 'labels.owner.team' } } },
    sort: [{ 'labels.os': 'desc' }],
    docvalue_fields: ['labels.owner.people'],
  })
  expect(hits.hits.map(({ _id }) => _id)).toEqual(['2', '1', '3'])
  expect(hits.hits[1]?.fields).toEqual({ 'labels.owner.people': ['anna', 'bert'] })
  expect(aggregations?.['teams']).toMatchObject({ buckets: [{ key: 'db' }, { key: 'web' }] })
})

it('shows flattened fields with all others: whole in `fields`, their values in `docvalue_fields`', async () => {
  const { hits } = await answer({ query: { ids: { values: ['1'] } }, fields: ['*'] })
  expect(hits.hits[0]?.fields).toEqual({
    labels: [{ os: 'linux', owner: { team: 'web', people: ['anna', 'bert'] }, cpus: 8 }],
    tags: [{ a: 'x' }],
  })
  const kept = await answer({ query: { ids: { values: ['1'] } }, docvalue_fields: ['labels', 'labels.os'] })
  expect(kept.hits.hits[0]?.fields).toEqual({ labels: ['8', 'anna', 'bert', 'linux', 'web'], 'labels.os': ['linux'] })
})
