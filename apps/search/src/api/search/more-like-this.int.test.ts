import { beforeAll, expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

// What a real Elasticsearch answers is in testing/recorded/more-like-this.json; here is what it could not be asked.

const send = searchOverWire()
const ask = async (path: string, body: object, method = 'POST') => {
  const answer = await send(path, { method, body })
  return answer.json() as Record<string, unknown>
}
const low = { min_term_freq: 1, min_doc_freq: 1, minimum_should_match: 1 }
const like = { more_like_this: { fields: ['text'], like: [{ _index: 'tales', _id: '1' }], ...low } }
const idsOf = (answer: Record<string, unknown>): string[] => {
  const { hits } = answer['hits'] as { hits: { _id: string }[] }
  return hits.map(({ _id }) => _id).sort()
}

beforeAll(async () => {
  const properties = { text: { type: 'text' }, secret: { type: 'keyword' }, log: { type: 'match_only_text' } }
  await ask('/tales', { mappings: { properties } }, 'PUT')
  const tales = [
    { text: 'the wolf and the lamb', secret: 'x', log: 'wolf seen' },
    { text: 'a wolf in the night', secret: 'y' },
    { text: 'lamb stew', secret: 'x' },
    { text: 'nothing alike', secret: 'x', log: 'seen nothing' },
  ]
  for (const [at, tale] of tales.entries()) await ask(`/tales/_doc/${at + 1}?refresh=true`, tale, 'PUT')
})

it('finds documents like one in points in time, explanations, aggregations and counts', async () => {
  const { id } = await ask('/tales/_pit?keep_alive=1m', {})
  expect(idsOf(await ask('/_search', { query: like, pit: { id } }))).toEqual(['2', '3'])
  expect(await ask('/tales/_explain/2', { query: like })).toMatchObject({ matched: true })
  expect(await ask('/tales/_explain/4', { query: like })).toMatchObject({ matched: false })
  expect(await ask('/tales/_count', { query: like })).toMatchObject({ count: 2 })
  const { aggregations } = await ask('/tales/_search', { size: 0, aggs: { a: { filter: like } } })
  expect(aggregations).toEqual({ a: { doc_count: 2 } })
})

it('takes the words of match_only_text where no fields are named, and refuses to be told of it', async () => {
  const all = { more_like_this: { like: { _index: 'tales', _id: '1' }, unlike: { _id: '3' }, ...low } }
  expect(idsOf(await ask('/tales/_search', { query: all }))).toEqual(['2', '4'])
  const named = { more_like_this: { fields: ['log'], like: 'wolf' } }
  expect(JSON.stringify(await ask('/tales/_search', { query: named }))).toContain(
    'more_like_this only supports text/keyword fields: [log]',
  )
})

it('tells a validation what cannot be asked of an index', async () => {
  const named = { more_like_this: { fields: ['log'], like: 'wolf' } }
  expect(await ask('/tales/_validate/query?explain=true', { query: named })).toMatchObject({
    valid: false,
    error: expect.stringContaining('more_like_this only supports text/keyword fields: [log]'),
  })
  expect(await ask('/tales/_validate/query', { query: like })).toMatchObject({ valid: true })
})

it('takes a thousand texts and documents, and looks at the beginning of long texts', async () => {
  const ids = Array.from({ length: 1_000 }, (_, at) => ({ _id: String(at) }))
  const of = (given: unknown) => ({ query: { more_like_this: { fields: ['text'], like: given, ...low } } })
  expect(await ask('/tales/_search', of(ids))).toMatchObject({ timed_out: false })
  expect(JSON.stringify(await ask('/tales/_search', of([...ids, 'wolf'])))).toContain(
    '[more_like_this] takes at most [1000] texts and documents',
  )
  expect(idsOf(await ask('/tales/_search', of(`wolf ${'x '.repeat(5_000)} lamb`)))).toEqual(['1', '2'])
  expect(idsOf(await ask('/tales/_search', of(`wolf lamb ${'x '.repeat(1_000_000)}`)))).toEqual(['1', '2', '3'])
})

it('reads documents of several indices among many that are not there, each as often as it is named', async () => {
  await ask('/legends/_doc/1?refresh=true', { text: 'a lamb' }, 'PUT')
  const absent = Array.from({ length: 250 }, (_, at) => ({ _id: `absent ${at}` }))
  const legend = { _index: 'legends', _id: '1' }
  const like = [{ _index: 'nowhere', _id: '1' }, ...absent, { _id: '1' }, ...absent, legend, legend, { doc: {} }]
  const found = (more: object) => {
    const query = { more_like_this: { ...low, fields: ['text'], like, ...more } }
    return ask('/tales/_search', { query })
  }
  expect(idsOf(await found({}))).toEqual(['2', '3'])
  expect(idsOf(await found({ min_term_freq: 3 }))).toEqual(['3'])
  expect(idsOf(await found({ min_term_freq: 4 }))).toEqual([])
})

it('filters what ES|QL reads', async () => {
  const body = (more: object) => ({ query: 'FROM tales METADATA _id | SORT _id | KEEP _id', filter: like, ...more })
  expect(await ask('/_query', body({}))).toMatchObject({ values: [['2'], ['3']] })
  const filter = { bool: { must_not: like } }
  expect(await ask('/_query', body({ filter }))).toMatchObject({ values: [['1'], ['4']] })
  const wrong = { more_like_this: { fields: ['log'], like: 'wolf' } }
  expect(await ask('/_query', body({ filter: wrong }))).toMatchObject({
    status: 400,
    error: {
      type: 'query_shard_exception',
      reason: 'failed to create query: more_like_this only supports text/keyword fields: [log]',
    },
  })
})

it('keeps what a role hides from who may not see it', async () => {
  const indices = [
    { names: ['tales'], privileges: ['read'], query: { term: { secret: 'x' } }, field_security: { grant: ['text'] } },
  ]
  await ask('/_security/role/reader', { indices }, 'PUT')
  await ask('/_security/user/reader', { password: 'a-long-password', roles: ['reader'] }, 'PUT')
  const authorization = `Basic ${Buffer.from('reader:a-long-password').toString('base64')}`
  const found = async (more: object) => {
    const body = { query: { more_like_this: { ...low, ...more } } }
    const answer = await send('/tales/_search', { method: 'POST', body, headers: { authorization } })
    return idsOf(answer.json() as Record<string, unknown>)
  }
  expect(await found({ like: { _id: '1' } })).toEqual(['3'])
  // Neither the words of a hidden document, nor a hidden field of one that is shown, lead to another.
  expect(await found({ fields: ['text'], like: { _id: '2' } })).toEqual([])
  expect(await found({ fields: ['secret'], like: { _id: '1' } })).toEqual([])
})

it('refuses to be a filter of an alias, which is made without reading documents', async () => {
  const add = { index: 'tales', alias: 'alike', filter: like }
  expect(await ask('/_aliases', { actions: [{ add }] })).toMatchObject({ status: 400 })
})
