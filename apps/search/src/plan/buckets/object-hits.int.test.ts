import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../model/scope.ts'
import { systemScope } from '../../security/role-scope.ts'
import { answerOf } from '../../testing/answer-of.ts'
import { reasonsOf } from '../../testing/reasons-of.ts'
import { openTestServices, type TestServices } from '../../testing/search-services.ts'

// What an Elasticsearch answers is in `testing/recorded/object-hits.json`; here is what it cannot be asked: several tables, roles, scripts.

let services: TestServices
const part = {
  type: 'nested',
  properties: {
    name: { type: 'keyword' },
    size: { type: 'long' },
    seen: { type: 'date' },
    at: { type: 'geo_point' },
    secret: { type: 'keyword' },
    bolts: { type: 'nested', properties: { turns: { type: 'integer' } } },
  },
} as const

beforeAll(async () => {
  services = await openTestServices()
  await services.create('parts-1', { properties: { kind: { type: 'keyword' }, parts: part } })
  await services.create('parts-2', {
    properties: { other: { type: 'double' }, kind: { type: 'keyword' }, parts: part },
  })
  await services.create('plain', { properties: { kind: { type: 'keyword' } } })
  await services.write('parts-1', [
    ['1', { kind: 'x', parts: [{ secret: 's' }, { name: 'a', size: 9000000000, secret: 't' }] }],
    ['2', { kind: 'y', parts: { name: 'b', size: 2, bolts: [{ turns: 3 }, { turns: 8 }] } }],
  ])
  await services.write('parts-2', [
    [
      '3',
      {
        kind: 'x',
        parts: [
          { name: 'c', size: 7 },
          { name: 'a', size: 1 },
        ],
      },
    ],
  ])
  await services.write('plain', [['4', { kind: 'x' }]])
})
afterAll(() => services.close())

interface Found {
  readonly aggregations: {
    readonly n: { readonly doc_count: number; readonly top: { readonly hits: { readonly hits: readonly object[] } } }
  }
}

async function top(
  body: object,
  { scope = systemScope, path = 'parts', over = 'parts-*' } = {},
): Promise<readonly object[]> {
  const aggs = { n: { nested: { path }, aggs: { top: { top_hits: body } } } }
  const found = await answerOf<Found>(services, over, { size: 0, aggs }, { scope })
  return found.aggregations.n.top.hits.hits
}

describe('top_hits of objects', () => {
  it('are those of all tables, also where some have no such objects', async () => {
    const hit = (index: string, id: string, offset: number, size: number) => ({
      _index: index,
      _id: id,
      _nested: { field: 'parts', offset },
      _score: null,
      _source: { size },
      sort: [size],
    })
    const body = { size: 3, from: 1, sort: [{ 'parts.size': 'desc' }], _source: 'parts.size' }
    for (const over of ['parts-*', 'parts-1,parts-2'])
      expect(await top(body, { over })).toEqual([
        hit('parts-2', '3', 0, 7),
        hit('parts-1', '2', 0, 2),
        hit('parts-2', '3', 1, 1),
      ])
    expect(await top(body, { over: 'plain,parts-2' })).toEqual([hit('parts-2', '3', 1, 1)])
  })

  it('show what scripts give for each object', async () => {
    const script = { source: "doc['parts.size'].value * 2" }
    const shown = await top({ size: 2, sort: ['parts.size'], script_fields: { twice: { script } }, _source: false })
    expect(shown).toMatchObject([
      { _id: '3', _nested: { field: 'parts', offset: 1 }, fields: { twice: [2] } },
      { _id: '2', _nested: { field: 'parts', offset: 0 }, fields: { twice: [4] } },
    ])
  })

  it('show a role nothing of fields that are hidden from it, and places as they are', async () => {
    const scope: Scope = { ...systemScope, limitsFields: () => true, canSeeField: (_, path) => path !== 'parts.secret' }
    const body = {
      size: 2,
      sort: [{ 'parts.size': 'desc' }],
      docvalue_fields: ['parts.secret', 'parts.name'],
      _source: { excludes: ['parts.size'] },
    }
    const [first, second] = await top(body, { scope, over: 'parts-1' })
    expect(first).toEqual({
      _index: 'parts-1',
      _id: '1',
      _nested: { field: 'parts', offset: 1 },
      _score: null,
      _source: { name: 'a' },
      fields: { 'parts.name': ['a'] },
      sort: [9000000000],
    })
    expect(second).toMatchObject({ _id: '2' })
    const last = await top({ size: 1, sort: ['parts.name'], from: 2 }, { scope, over: 'parts-1' })
    expect(last).toMatchObject([{ _nested: { field: 'parts', offset: 0 }, _source: {} }])
    expect(await reasonsOf(top({ sort: ['parts.secret'] }, { scope, over: 'parts-1' }))).toContain('No mapping found')
  })

  it('refuse what is known of whole documents alone', async () => {
    const distance = { _geo_distance: { 'parts.at': '1,1' } }
    const script = { _script: { type: 'number', script: '1' } }
    expect(await reasonsOf(top({ sort: [distance] }))).toContain('[_geo_distance] is not supported within [nested]')
    expect(await reasonsOf(top({ sort: [script] }))).toContain('[_script] is not supported within [nested]')
    expect(await reasonsOf(top({ sort: ['_id'] }))).toContain('[_id] is not supported within [nested]')
    expect(await reasonsOf(top({ explain: true }))).toContain(
      '[explain] of [top_hits] is not supported within [nested]',
    )
  })
})

it('counts objects of documents that objects came from, whatever the way there', async () => {
  const count = { nested: { path: 'parts' } }
  const back = { reverse_nested: {}, aggs: { again: { ...count, aggs: { back: { reverse_nested: {} } } } } }
  const aggs = { bolts: { nested: { path: 'parts.bolts' }, aggs: { back } }, n: { ...count, aggs: { back } } }
  const found = await answerOf<{ aggregations: unknown }>(services, 'parts-*', { size: 0, aggs })
  expect(found.aggregations).toEqual({
    bolts: { doc_count: 2, back: { doc_count: 1, again: { doc_count: 1, back: { doc_count: 1 } } } },
    n: { doc_count: 5, back: { doc_count: 3, again: { doc_count: 5, back: { doc_count: 3 } } } },
  })
})

it('finds the metrics of the first objects', async () => {
  const metrics = { metrics: { field: 'parts.name' }, sort: { 'parts.size': 'asc' }, size: 2 }
  const aggs = { n: { nested: { path: 'parts' }, aggs: { top: { top_metrics: metrics } } } }
  const found = await answerOf<{ aggregations: unknown }>(services, 'parts-*', { size: 0, aggs })
  expect(found.aggregations).toEqual({
    n: {
      doc_count: 5,
      top: {
        top: [
          { sort: [1], metrics: { 'parts.name': 'a' } },
          { sort: [2], metrics: { 'parts.name': 'b' } },
        ],
      },
    },
  })
})
