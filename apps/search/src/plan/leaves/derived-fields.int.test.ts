import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs
const json = (value: unknown) => ({ line: JSON.stringify(value) })
const derived = {
  message: { type: 'text', script: "emit(params._source['line'])" },
  parsed: {
    type: 'object',
    properties: { 'client.ip': 'ip', code: 'long', when: 'date', words: 'keyword' },
    script: "emit(params._source['line'])",
    prefilter_field: 'line',
  },
  place: { type: 'geo_point', script: "emit(params._source['at'][1], params._source['at'][0])" },
  half: { type: 'float', script: "emit(doc['n'].value / 2.0)" },
}

beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.create('derived', {
    derived,
    properties: { line: { type: 'text' }, n: { type: 'long' }, at: { type: 'keyword' } },
  })
  await logs.services.write('derived', [
    [
      '1',
      { ...json({ client: { ip: '10.0.0.1' }, code: 200, when: '2026-11-21', words: ['a', 'b'] }), n: 3, at: [16, 48] },
    ],
    ['2', { ...json({ client: { ip: '10.0.0.2' }, code: 'no number', words: 'b' }), n: 5, at: [2, 49] }],
  ])
})
afterAll(() => logs.services.close())

interface Answer {
  readonly hits: { readonly hits: { readonly _id: string; readonly fields?: unknown }[] }
  readonly aggregations?: Record<string, unknown>
}
const answer = async (body: object): Promise<Answer> =>
  (await logs.answer({ sort: ['_doc'], ...body }, {}, 'derived')) as unknown as Answer
const ids = async (query: object, more: object = {}) =>
  (await answer({ query, ...more })).hits.hits.map(({ _id }) => _id)

it('searches derived fields as mapped fields of their types', async () => {
  expect(await ids({ match: { message: 'NUMBER' } })).toEqual(['2'])
  expect(await ids({ range: { half: { gt: 1.5 } } })).toEqual(['2'])
  expect(await ids({ geo_distance: { distance: '1km', place: { lat: 48, lon: 16 } } })).toEqual(['1'])
})

it('reads the properties of derived objects from the JSON that the script emits', async () => {
  expect(await ids({ term: { 'parsed.client.ip': '10.0.0.0/31' } })).toEqual(['1'])
  expect(await ids({ term: { 'parsed.words': 'b' } })).toEqual(['1', '2'])
  expect(await ids({ range: { 'parsed.when': { gte: '2026-11-20' } } })).toEqual(['1'])
  const { aggregations } = await answer({ aggs: { codes: { stats: { field: 'parsed.code' } } } })
  expect(aggregations?.['codes']).toMatchObject({ count: 1 })
})

it('infers the types of what derived objects emit beside their properties', async () => {
  const open = { type: 'object', script: "emit(params._source['line'] + ' and more')" }
  const request = { derived: { open } }
  expect(await ids({ term: { 'open.client.ip': '10.0.0.1' } }, request)).toEqual(['1'])
  expect(await ids({ range: { 'open.when': { gte: '2026-11-20' } } }, request)).toEqual(['1'])
  expect(await ids({ match: { 'open.words': 'B' } }, request)).toEqual(['1', '2'])
  const { aggregations } = await answer({
    ...request,
    size: 0,
    aggs: { codes: { stats: { field: 'parsed.nothing' } }, days: { cardinality: { field: 'open.when' } } },
  })
  expect(aggregations).toMatchObject({ codes: { count: 0 }, days: { value: 1 } })
})

it('highlights and shows computed texts as they are written', async () => {
  const request = { fields: ['message'], highlight: { fields: { message: {} } } }
  const { hits } = await answer({ query: { match: { message: 'number' } }, ...request })
  const [hit] = hits.hits as { fields?: unknown; highlight?: unknown }[]
  expect(hit?.fields).toEqual({ message: [expect.stringContaining('"no number"')] })
  expect(hit?.highlight).toEqual({ message: [expect.stringContaining('no <em>number</em>')] })
})

it('cuts derived texts as the index does', async () => {
  const settings = { 'index.analysis.analyzer.default.type': 'simple' }
  await logs.services.catalogue.createIndex({
    name: 'simple',
    mappings: { properties: { line: { type: 'keyword' } }, derived: { text: derived.message } },
    settings,
  })
  await logs.services.write('simple', [['1', { line: 'see example.com' }]])
  const found = async (analyzer: string) => {
    const query = { match: { text: { query: 'example.com', analyzer } } }
    return ((await logs.answer({ query }, {}, 'simple')) as unknown as Answer).hits.hits.length
  }
  expect([await found('simple'), await found('standard')]).toEqual([1, 0])
})

it('takes derived fields of a request before those of the mapping', async () => {
  const request = { derived: { half: { type: 'keyword', script: "emit('all')" } }, fields: ['half'] }
  const { hits } = await answer({ query: { term: { half: 'all' } }, ...request })
  expect(hits.hits.map(({ fields }) => fields)).toEqual([{ half: ['all'] }, { half: ['all'] }])
})

it.each([
  [{ d: { script: 'emit(1)' } }, 'No type specified for derived field [d]'],
  [{ d: { type: 'long' } }, 'No script specified for derived field [d]'],
  [{ d: { type: 'long', script: 'emit(1)', store: true } }, 'unknown parameter [store] on derived field [d]'],
  [
    { d: { type: 'nested', script: 'emit(1)' } },
    'The type [nested] of derived field [d] is not supported. The types are [boolean, date, double, float, geo_point, ip, keyword, long, text, object].',
  ],
  [
    { d: { type: 'long', script: 'emit(1)', format: 'yyyy' } },
    'unknown parameter [format] on derived field [d] of type [long]',
  ],
  [
    { d: { type: 'long', script: 'emit(1)', properties: { a: 'long' } } },
    'unknown parameter [properties] on derived field [d] of type [long]',
  ],
  [[], 'derived fields must be an object of their names'],
])('refuses %j', async (given, reason) => {
  await expect(answer({ derived: given })).rejects.toThrow(reason)
})

it('says where a derived object is none, unless that is to be ignored', async () => {
  const bad = { type: 'object', properties: { a: 'long' }, script: "emit('{')" }
  const query = { exists: { field: 'bad.a' } }
  const message = 'a script gave [{] where [bad.a] is read from a JSON object'
  await expect(ids(query, { derived: { bad } })).rejects.toMatchObject({ cause: { message } })
  expect(await ids(query, { derived: { bad: { ...bad, ignore_malformed: true } } })).toEqual([])
})
