import { afterAll, beforeAll, expect, it } from 'vitest'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'

let search: NotedSearch

/** Of each parent as many children as its number says, by sevens; some children have none. */
const members = Array.from({ length: 40 }, (_, parent) => [
  { id: `p${parent}`, j: 'p', n: parent, group: `g${parent % 20}` },
  ...Array.from({ length: parent % 7 }, (_, at) => ({
    id: `c${parent}-${at}`,
    j: { name: 'c', parent: parent % 11 === 5 ? 'nobody' : `p${parent}` },
    n: (parent * 7 + at * 5) % 13,
    group: `g${at}`,
  })),
]).flat()

beforeAll(async () => {
  search = await openNotedSearch(Date.now)
  for (const index of ['families-1', 'families-2']) {
    await search.services.catalogue.createIndex({
      name: index,
      mappings: {
        properties: {
          j: { type: 'join', relations: { p: 'c' } },
          n: { type: 'long' },
          group: { type: 'keyword' },
        },
      },
    })
    const documents = members.map(({ id, n, ...source }) => [id, { n: index === 'families-1' ? n : n + 1, ...source }])
    await search.services.documents.apply(
      documents.map(([id, source]) => ({
        action: 'index',
        index,
        id: String(id),
        routing: 'one',
        source: Buffer.from(JSON.stringify(source)),
      })),
    )
  }
})
afterAll(() => search.services.close())

interface Found {
  readonly hits: {
    readonly hits: readonly {
      readonly _id: string
      readonly _index: string
      readonly _source: { readonly j: string | { readonly parent: string } }
      readonly inner_hits: Readonly<Record<string, Found>>
    }[]
  }
}

const inner_hits = { name: 'own', size: 2, from: 1, sort: [{ n: 'desc' }] }
const query = { range: { n: { gte: 1 } } }
const ask = (size: number, body: object) =>
  search.ask<Found>('families-*', { size, sort: ['_index', '_seq_no'], ...body })
const children = { has_child: { type: 'c', query, inner_hits } }
const parents = { has_parent: { parent_type: 'p', query, inner_hits } }

it.each([
  [
    'children',
    children,
    ({ _id }: { _id: string }) => ({ bool: { filter: [{ parent_id: { type: 'c', id: _id } }, query] } }),
  ],
  [
    'parents',
    parents,
    ({ _source: { j } }: Found['hits']['hits'][number]) => ({
      bool: { filter: [{ ids: { values: [Object(j).parent] } }, query] },
    }),
  ],
] as const)('shows in each hit what a search for its %s finds', async (_, asked, own) => {
  const { hits } = await ask(200, { query: asked })
  expect(hits.hits.length).toBeGreaterThan(50)
  for (const hit of hits.hits) {
    const { name: _name, ...page } = inner_hits
    const alone = await search.ask<Found>(hit._index, { ...page, query: own(hit) })
    expect(hit.inner_hits['own']?.hits).toEqual(alone.hits)
  }
})

it.each([
  ['collapsed', { collapse: { field: 'group', inner_hits } }],
  ['joined to children', { query: children }],
  ['joined to parents', { query: parents }],
])('is looked for by a few statements, however many hits there are: %s', async (_, body) => {
  const statements = async (size: number) => {
    const { hits } = await ask(size, body)
    expect(hits.hits).toHaveLength(size)
    return search.statements().length
  }
  const ofTwo = await statements(2)
  expect(await statements(20)).toBeLessThanOrEqual(ofTwo)
})
