import { beforeAll, describe, expect, it } from 'vitest'
import { aggregations } from '../dsl/aggregations/index.ts'
import { queryClauses } from '../dsl/queries/index.ts'
import { suggesters } from '../dsl/suggesters/index.ts'
import { searchOverWire } from '../testing/search-over-wire.ts'
import {
  aggregationsOf,
  fieldsOf,
  joinField,
  joinOf,
  type Name,
  queriesOf,
  searchesOf,
  valuesOf,
} from './every-feature.fixture.ts'

/**
 * Whoever may see a part of an index gets the answers of an index that holds this part and nothing else, whatever is asked. Scores are left
 * out: as in Elasticsearch, how rare a word is counts all documents.
 */

const ask = searchOverWire()
const password = 'password-of-viewer'
const [shown, hidden]: [Name, Name] = [(field) => field, (field) => (field === '*' ? 'h_*' : `h_${field}`)]
const documents = 40
const team = { team: { type: 'keyword' } }
const put = async (path: string, body: object) => {
  const answer = await ask(path, { method: 'PUT', body })
  expect(answer.status, answer.text).toBe(200)
}

beforeAll(async () => {
  await put('/whole', { mappings: { properties: { ...team, ...joinField, ...fieldsOf(shown), ...fieldsOf(hidden) } } })
  await put('/apart', { mappings: { properties: { ...team, ...joinField, ...fieldsOf(shown) } } })
  const lines = Array.from({ length: documents }, (_, at) => {
    const [isSeen, part] = [at % 2 === 0, { ...joinOf(at), ...valuesOf(shown, at) }]
    const line = (index: string, source: object) =>
      `${JSON.stringify({ create: { _index: index, _id: String(at), routing: 'one' } })}\n${JSON.stringify(source)}\n`
    const whole = line('whole', { team: isSeen ? 'a' : 'b', ...part, ...valuesOf(hidden, at) })
    return isSeen ? whole + line('apart', { team: 'a', ...part }) : whole
  })
  const headers = { 'content-type': 'application/x-ndjson' }
  const stored = await ask('/_bulk?refresh', { method: 'POST', body: lines.join(''), headers })
  expect(stored.json()).toMatchObject({ errors: false })
  const field_security = { grant: ['*'], except: ['h_*'] }
  const indices = [{ names: ['whole'], privileges: ['read'], query: { term: { team: 'a' } }, field_security }]
  await put('/_security/role/viewer-of-a', { indices })
  await put('/_security/user/viewer', { password, roles: ['viewer-of-a'] })
})

/** An answer without what differs from one index to another and from one moment to the next. */
function comparable(text: string): unknown {
  return JSON.parse(text.replaceAll('whole', 'apart'), (key, value: unknown) =>
    ['took', '_score', 'max_score', 'index_uuid', '_seq_no', '_shard'].includes(key) ? undefined : value,
  )
}

async function expectSame(body: object): Promise<void> {
  const [seen, apart] = [
    await ask('/whole/_search', { method: 'POST', body, auth: `viewer:${password}` }),
    await ask('/apart/_search', { method: 'POST', body }),
  ]
  expect(seen.status).toBeLessThan(500)
  expect([seen.status, comparable(seen.text)]).toEqual([apart.status, comparable(apart.text)])
}

describe.each<[string, Name]>([
  ['shown', shown],
  ['hidden', hidden],
])('over %s fields', (kind, of) => {
  const succeeds = async (body: object): Promise<void> => {
    if (kind !== 'shown') return
    const answer = await ask('/apart/_search', { method: 'POST', body })
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, answer.text.slice(0, 300)])
  }

  // That an index has objects of that name is told, as in Elasticsearch, and nothing of them.
  const isTold = (name: string): boolean => kind === 'hidden' && ['nested', 'sort by a nested field'].includes(name)

  it.each(Object.entries(queriesOf(of)).filter(([name]) => !isTold(name)))(
    'finds the same by the query %s',
    async (_name, query) => {
      await succeeds({ query })
      await expectSame({ query, sort: ['n'], size: documents, _source: ['n'] })
    },
  )

  it.each(Object.entries(aggregationsOf(of)))('counts the same by the aggregation %s', async (_name, aggs) => {
    await succeeds({ aggs })
    await expectSame({ size: 0, aggs, query: { range: { n: { gte: 4 } } } })
  })

  it.each(Object.entries(searchesOf(of)).filter(([name]) => !isTold(name)))(
    'shows the same: %s',
    async (_name, search) => {
      await succeeds(search)
      await expectSame({ sort: ['n'], size: documents, ...search })
    },
  )
})

it('finds nothing by hidden nested objects', async () => {
  const body = { query: queriesOf(hidden)['nested'] }
  const answer = await ask('/whole/_count', { method: 'POST', body, auth: `viewer:${password}` })
  expect(answer.json()).toMatchObject({ count: 0 })
})

it('sorts by nothing of hidden nested objects', async () => {
  const body = { size: documents, ...searchesOf(hidden)['sort by a nested field'] }
  const answer = await ask('/whole/_search', { method: 'POST', body, auth: `viewer:${password}` })
  const { hits } = answer.json() as { hits: { hits: { sort: unknown[] }[] } }
  expect(new Set(hits.hits.map(({ sort }) => sort[0])).size).toBe(1)
})

it('asks for every query, aggregation and suggestion there is', () => {
  expect(Object.keys(queriesOf(shown)).sort()).toEqual([...queryClauses.keys()].sort())
  expect(Object.keys(aggregationsOf(shown)).sort()).toEqual([...aggregations.keys()].sort())
  for (const name of suggesters.keys()) expect(Object.keys(searchesOf(shown))).toContain(`${name} suggester`)
})
