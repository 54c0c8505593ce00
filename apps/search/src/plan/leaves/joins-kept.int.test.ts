import { expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

type Json = Record<string, unknown>

const send = searchOverWire()

async function ask(method: string, path: string, body?: object): Promise<Json> {
  const answer = await send(path, { method, ...(body === undefined ? {} : { body }) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.json() as Json
}

const parents = 40
/** Of each parent as many children as its id says, by fives, each with a child of its own. */
function families(): string {
  const lines: object[] = []
  const add = (id: string, j: unknown, n: number) => lines.push({ index: { _id: id, routing: 'one' } }, { j, n })
  for (let parent = 0; parent < parents; parent++) {
    add(`p${parent}`, 'p', parent)
    for (let child = 0; child < parent % 5; child++) {
      add(`c${parent}-${child}`, { name: 'c', parent: `p${parent}` }, child)
      add(`d${parent}-${child}`, { name: 'd', parent: `c${parent}-${child}` }, child)
    }
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

const all = { match_all: {} }
const withGrandchildren = { has_child: { type: 'c', query: { has_child: { type: 'd', query: all } }, min_children: 3 } }
const mappings = { properties: { j: { type: 'join', relations: { p: 'c', c: 'd' } }, n: { type: 'long' } } }

/** What an index answers of its families. */
async function told(index: string): Promise<unknown> {
  const aggs = { c: { children: { type: 'c' }, aggs: { d: { children: { type: 'd' } } } } }
  const inner_hits = { size: 9, sort: ['n'], _source: false }
  const asked = { has_child: { ...withGrandchildren.has_child, inner_hits } }
  const { hits, aggregations } = await ask('POST', `/${index}/_search`, { size: 50, sort: ['n'], query: asked, aggs })
  const { count } = await ask('POST', `/${index}/_count`, { query: { has_parent: { parent_type: 'c', query: all } } })
  const found = (hits as { hits: { _id: string; inner_hits: { c: { hits: { hits: Json[] } } } }[] }).hits
  const shown = found.map(({ _id, inner_hits: { c } }) => [_id, c.hits.hits.map((hit) => hit['_id'])])
  return { shown, aggregations, count }
}

it('answers of families as before after a crash, out of a snapshot, and at a moment that is kept', async () => {
  await ask('PUT', '/kept', { mappings })
  const headers = { 'content-type': 'application/x-ndjson' }
  const bulk = await send('/kept/_bulk', { method: 'POST', body: families(), headers })
  expect((bulk.json() as Json)['errors']).toBe(false)
  await send.crash()
  const before = (await told('kept')) as { shown: [string, string[]][]; count: number }
  expect(before.shown).toHaveLength((parents / 5) * 2)
  expect(before.shown[1]).toEqual(['p4', ['c4-0', 'c4-1', 'c4-2', 'c4-3']])
  expect(before).toMatchObject({ count: 80, aggregations: { c: { doc_count: 56, d: { doc_count: 56 } } } })

  await ask('PUT', '/_snapshot/joins', { type: 'fs', settings: { location: 'joins' } })
  await ask('PUT', '/_snapshot/joins/all?wait_for_completion=true', { indices: 'kept' })
  const { id } = await ask('POST', '/kept/_pit?keep_alive=1m')
  await ask('POST', '/kept/_delete_by_query?refresh=true', { query: { term: { j: 'd' } } })
  expect(await told('kept')).toMatchObject({ shown: [], count: 0 })
  const body = { size: 0, query: withGrandchildren, pit: { id } }
  expect(await ask('POST', '/_search', body)).toMatchObject({ hits: { total: { value: before.shown.length } } })

  const renamed = { indices: 'kept', rename_pattern: 'kept', rename_replacement: 'restored' }
  await ask('POST', '/_snapshot/joins/all/_restore?wait_for_completion=true', renamed)
  expect(await told('restored')).toEqual(before)
})
