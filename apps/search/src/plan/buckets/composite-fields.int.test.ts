import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reasonsOf } from '../../testing/reasons-of.ts'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs
const http = {
  type: 'composite',
  script: {
    source: "emit(grok('%{IP:ip} %{WORD:verb} %{NUMBER:bytes:int} %{GREEDYDATA:when}').extract(params._source.line))",
  },
  fields: {
    ip: { type: 'ip' },
    verb: { type: 'keyword' },
    bytes: { type: 'long' },
    when: { type: 'date', format: 'yyyy/MM/dd' },
  },
} as const

beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.create('lines', { runtime: { http }, properties: { line: { type: 'text' } } })
  await logs.services.write('lines', [
    ['1', { line: '10.0.0.1 GET 200 2026/11/20' }],
    ['2', { line: '10.0.0.2 POST 3000 2026/11/21' }],
    ['3', { line: '10.0.1.3 GET 40 never' }],
  ])
})
afterAll(() => logs.services.close())

interface Answer {
  readonly hits: { readonly hits: { readonly _id: string; readonly fields?: unknown; readonly sort?: unknown }[] }
  readonly aggregations?: Record<string, unknown>
}
const answer = async (body: object): Promise<Answer> =>
  (await logs.answer({ sort: ['_doc'], ...body }, {}, 'lines')) as unknown as Answer
const ids = async (query: object, more: object = {}) =>
  (await answer({ query, ...more })).hits.hits.map(({ _id }) => _id)

describe('the fields of a composite runtime field', () => {
  it('are searched, sorted by and counted as fields of their types', async () => {
    expect(await ids({ term: { 'http.ip': '10.0.0.0/24' } })).toEqual(['1', '2'])
    expect(await ids({ range: { 'http.bytes': { gte: 200 } } })).toEqual(['1', '2'])
    expect(await ids({ range: { 'http.when': { gte: '2026/11/21' } } })).toEqual(['2'])
    expect(await ids({ exists: { field: 'http.when' } })).toEqual(['1', '2'])
    expect(await ids({ match_all: {} }, { sort: [{ 'http.bytes': 'desc' }] })).toEqual(['2', '1', '3'])
    const { aggregations } = await answer({
      aggs: { verbs: { terms: { field: 'http.verb' }, aggs: { bytes: { sum: { field: 'http.bytes' } } } } },
    })
    expect(aggregations?.['verbs']).toMatchObject({
      buckets: [
        { key: 'GET', doc_count: 2, bytes: { value: 240 } },
        { key: 'POST', doc_count: 1, bytes: { value: 3000 } },
      ],
    })
  })

  it('are shown under their own names, by patterns too', async () => {
    const { hits } = await answer({ fields: ['http.*'], _source: false, query: { ids: { values: ['1', '3'] } } })
    expect(hits.hits.map(({ fields }) => fields)).toEqual([
      { 'http.ip': ['10.0.0.1'], 'http.verb': ['GET'], 'http.bytes': [200], 'http.when': ['2026/11/20'] },
      { 'http.ip': ['10.0.1.3'], 'http.verb': ['GET'], 'http.bytes': [40] },
    ])
  })

  it('come of a request too, whose scripts emit names with values one by one or in maps', async () => {
    const script = `
      emit('words', 'a'); emit('words', 'b');
      emit(['n': 1.5, 'flag': 'true', 'other': 7, 'at': ['lat': 48.0, 'lon': 16.0]]);
      emit(dissect('%{} %{verb} %{}').extract(params._source.line))`
    const fields = {
      words: { type: 'keyword' },
      n: { type: 'double' },
      flag: { type: 'boolean' },
      at: { type: 'geo_point' },
      verb: { type: 'keyword' },
    }
    const runtime = { runtime_mappings: { made: { type: 'composite', script, fields } } }
    const { hits } = await answer({ ...runtime, size: 1, fields: ['made.*'], _source: false })
    expect(hits.hits[0]?.fields).toEqual({
      'made.words': ['a', 'b'],
      'made.n': [1.5],
      'made.flag': [true],
      'made.at': [{ type: 'Point', coordinates: [16, 48] }],
      'made.verb': ['GET'],
    })
    expect(await ids({ term: { 'made.words': 'b' } }, runtime)).toEqual(['1', '2', '3'])
    expect(await ids({ geo_distance: { distance: '1km', 'made.at': '48,16' } }, runtime)).toHaveLength(3)
  })

  it('other runtime fields read, as they do plain ones made of what grok finds', async () => {
    const runtime_mappings = {
      double: { type: 'long', script: "emit(doc['http.bytes'].value * 2)" },
      digit: { type: 'keyword', script: "emit(grok('%{WORD:w}x').extract(params._source.line)?.w)" },
    }
    expect(await ids({ range: { double: { lt: 100 } } }, { runtime_mappings })).toEqual(['3'])
    expect(await ids({ exists: { field: 'digit' } }, { runtime_mappings })).toEqual([])
  })
})

it.each([
  [{ type: 'composite', fields: http.fields }, 'composite runtime field [c] must declare a [script]'],
  [{ type: 'composite', script: "emit('a', 1)" }, 'composite runtime field [c] must declare its [fields]'],
  [{ ...http, fields: { a: { type: 'composite' } } }, 'Composite field [a] cannot be a child of composite field [c]'],
  [
    { ...http, fields: { a: { type: 'long', script: 'emit(1)' } } },
    'Cannot use [script] parameter on sub-field [a] of composite field [c]',
  ],
  [{ ...http, fields: { a: {} } }, 'No type specified for runtime field [a]'],
  [{ ...http, script: 'emit(1, 2, 3)' }, 'Unknown call [emit] with [3] arguments.'],
  [{ ...http, script: "emit('text')" }, 'Cannot cast from [java.lang.String] to [java.util.Map].'],
])('refuses %j', async (c, reason) => {
  expect(await reasonsOf(logs.services.create('wrong', { runtime: { c } }))).toContain(reason)
  expect(await reasonsOf(answer({ runtime_mappings: { c } }))).toContain(reason)
})

it('keeps what a script emitted before a fault, where the field bears that', async () => {
  const script = "emit(doc['http.verb'].value); if (doc['http.verb'].value == 'GET') { emit(null.length()) }"
  const failing = { type: 'keyword', script: script.replace('null', '((def)null)') }
  const named = {
    type: 'composite',
    script: "emit('a', 1); emit('b', params.none.more)",
    fields: { a: { type: 'long' }, b: { type: 'long' } },
  }
  const request = (more: object) => ({
    runtime_mappings: { made: { ...failing, ...more }, named: { ...named, ...more } },
    fields: ['made', 'named.*'],
    _source: false,
  })
  await expect(answer(request({}))).rejects.toMatchObject({ code: 'search_phase_execution_exception' })
  const { hits } = await answer(request({ on_script_error: 'continue' }))
  expect(hits.hits.map(({ fields }) => fields)).toEqual([
    { made: ['GET'], 'named.a': [1] },
    { made: ['POST'], 'named.a': [1] },
    { made: ['GET'], 'named.a': [1] },
  ])
  expect(await reasonsOf(answer(request({ on_script_error: 'stop' })))).toContain(
    'Unknown value [stop] for field [on_script_error] - accepted values are [fail, continue]',
  )
})

it.each([
  ["Map m = new HashMap(); m.put('a', m); emit(m)", 'Maximum call stack size exceeded'],
  ['List l = new ArrayList(); l.add(l); emit(["a": l])', 'Maximum call stack size exceeded'],
  ["Map m = ['a': 1]; for (int i = 0; i < 20000; i++) { m = ['a': m] } emit(m)", 'Maximum call stack size exceeded'],
  [
    "String s = 'x'; for (int i = 0; i < 19; i++) { s += s } List l = new ArrayList(); for (int i = 0; i < 100; i++) { l.add(s) } emit(['a': l])",
    'a value may hold at most 10000000 letters',
  ],
])('refuses what %s gave, or counts it as none where the field bears that', async (script, reason) => {
  const request = (more: object) => ({
    runtime_mappings: { c: { type: 'composite', script, fields: { a: { type: 'keyword' } }, ...more } },
    fields: ['c.*'],
    _source: false,
  })
  expect(await reasonsOf(answer(request({})))).toContain(`a script gave a value that [c.a] cannot hold: ${reason}`)
  const { hits } = await answer(request({ on_script_error: 'continue' }))
  expect(hits.hits.map(({ fields }) => fields)).toEqual([undefined, undefined, undefined])
})

it('takes names that objects have of themselves', async () => {
  const fields = { ['__proto__']: { type: 'keyword' }, constructor: { type: 'long' }, toString: { type: 'keyword' } }
  const script = "emit('__proto__', 'a'); emit(['__proto__': 'b', 'constructor': 1])"
  const c = { type: 'composite', script, fields }
  const shown = { 'c.__proto__': ['a', 'b'], 'c.constructor': [1] }
  const request = { fields: ['c.*'], _source: false }
  const { hits } = await answer({ ...request, runtime_mappings: { c } })
  expect(hits.hits.map((hit) => hit.fields)).toEqual([shown, shown, shown])
  await logs.services.create('odd', { runtime: { c }, properties: {} })
  await logs.services.write('odd', [['1', {}]])
  const body = { ...request, query: { term: { 'c.__proto__': 'b' } }, aggs: { n: { terms: { field: 'c.__proto__' } } } }
  expect(await logs.answer(body, {}, 'odd')).toMatchObject({
    hits: { hits: [{ fields: shown }] },
    aggregations: { n: { buckets: [{ key: 'a' }, { key: 'b' }] } },
  })
  expect(Object({}).type).toBeUndefined()
  expect(await reasonsOf(answer({ runtime_mappings: { c: { ...c, fields: ['a'] } } }))).toContain(
    'Failed to parse runtime field [c]: [fields] must be an object of their names',
  )
})

it('refuses two fields of one name', async () => {
  const runtime = { http, 'http.ip': { type: 'ip' } }
  expect(await reasonsOf(logs.services.create('wrong', { runtime }))).toContain(
    'Found two runtime fields with same name [http.ip]',
  )
})
