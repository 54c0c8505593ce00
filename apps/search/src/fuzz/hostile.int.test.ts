import { request as httpsRequest } from 'node:https'
import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type WireAnswer, type WireClient, wireClient } from '../testing/https-client.ts'

/** Requests that are well formed and ask for more than a machine has: each gets an error of its own, and search goes on. */

const documents = 20_000
const waitMsMax = 120_000

let search: TestSearch
let client: WireClient

const auth = () => `${search.username}:${search.password}`

beforeAll(async () => {
  search = await startSearch({ env: { LOGSTACK_SEARCH_ENGINE_SEARCH_MEMORY_BYTES_MAX: String(64 * 1024 ** 2) } })
  client = wireClient({ port: Number(new URL(search.url).port), ca: search.ca, auth: auth() })
  const field = (type: string) => ({ type })
  const properties = { a: field('keyword'), b: field('keyword'), n: field('long'), text: field('keyword') }
  await client.send('/many', { method: 'PUT', body: { mappings: { properties } } })
  const lines = Array.from({ length: documents }, (_, at) => {
    const document = { a: `a-${at}`, b: `b-${(at * 7919) % documents}`, n: at, text: `${'ab'.repeat(200)}${at}` }
    return `{"create":{}}\n${JSON.stringify(document)}\n`
  })
  const headers = { 'content-type': 'application/x-ndjson' }
  const stored = await client.send('/many/_bulk', { method: 'POST', body: lines.join(''), headers })
  expect(stored.json()).toMatchObject({ errors: false })
})
afterAll(async () => {
  client?.close()
  await search?.stop()
})

const find = (body: unknown, path = '/many/_search?request_cache=false'): Promise<WireAnswer> =>
  client.send(path, {
    method: 'POST',
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    headers: { 'content-type': 'application/json' },
  })

const terms = (field: string, size: number, aggs?: unknown) => ({
  terms: { field, size },
  ...(aggs === undefined ? {} : { aggs }),
})

/** Shows each document so many times. */
const hitsOfBuckets = (times: number) => {
  const shown = { histogram: { field: 'n', interval: 100 }, aggs: { h: { top_hits: { size: 100 } } } }
  return Object.fromEntries(Array.from({ length: times }, (_, at) => [`t${at}`, shown]))
}

const weighted = (value: string, weight: string) => ({
  size: 0,
  aggs: { mean: { weighted_avg: { value: { field: value }, weight: { field: weight } } } },
})

// What the run of malformed requests found.
it.each<[string, string, unknown, number, RegExp]>([
  [
    'a text that is an object',
    '/_analyze',
    { text: { toString: 1 } },
    400,
    /text doesn't support values of type: START_OBJECT/,
  ],
  ['a number that is an object', '/many/_update_by_query', { max_docs: { toString: 1 } }, 400, /\[max_docs\]/],
  [
    'a field with a name of 70,000 letters',
    '/many/_search',
    { query: { exists: { field: 'f'.repeat(70_000) } } },
    200,
    /"value":0/,
  ],
  [
    'an analyzer that is an object',
    '/_analyze',
    { analyzer: { toString: {} }, text: 'a' },
    400,
    /\[analyzer\] must be a name/,
  ],
  [
    'a script that is a large number',
    '/many/_search',
    '{"query":{"script":{"script":{"source":-9007199254740993}}}}',
    400,
    /script/,
  ],
  [
    'a point of large numbers',
    '/many/_count',
    '{"query":{"geo_distance":{"distance":"1km","place":{"lat":40,"lon":-9007199254740993}}}}',
    400,
    /longitude|geo_point/,
  ],
  [
    "a function with the name of an object's own",
    '/many/_search',
    { query: { function_score: { functions: [{ toString: 2 }] } } },
    400,
    /\[toString\] is no function/,
  ],
  [
    'a mode of a decay that is an object',
    '/many/_search',
    { query: { function_score: { functions: [{ gauss: { n: { scale: 1 }, multi_value_mode: { toString: 1 } } }] } } },
    400,
    /Can't get text on a START_OBJECT/,
  ],
  [
    'a text to suggest for that is a list',
    '/many/_search',
    { suggest: { a: { text: [{ toString: 1 }], term: { field: 'n' } } } },
    400,
    /Can't get text on a START_ARRAY/,
  ],
  [
    'names that are objects',
    '/_aliases',
    { actions: [{ add: { index: [{ toString: 1 }], alias: 'a' } }] },
    400,
    /Can't get text on a START_OBJECT/,
  ],
  [
    'an index of a search among several that is an object',
    '/_msearch',
    '{"index":{"toString":"x"}}\n{"query":{"match_all":{}}}\n',
    200,
    /no such index \[\[object Object\]\]/,
  ],
  [
    'a priority of a template that is an object',
    '/_index_template/of-objects',
    { index_patterns: ['of-objects-*'], priority: { toString: 7 } },
    400,
    /failed to parse field \[priority\]/,
  ],
  [
    'a language of a script that is an object',
    '/many/_count',
    { query: { script: { script: { source: 'true', lang: { toString: 'painless' } } } } },
    400,
    /script_lang not supported \[\[object Object\]\]/,
  ],
  ['weights of a field that is not mapped', '/many/_search', weighted('n', 'nowhere'), 200, /"mean":\{"value":null\}/],
  ['values of a field that is not mapped', '/many/_search', weighted('nowhere', 'n'), 200, /"mean":\{"value":null\}/],
])('takes %s', async (_what, path, body, status, text) => {
  const answer = await find(body, path)
  expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(text)])
})

it.each<[string, unknown, number, RegExp]>([
  ['a page beyond the window', { from: 9_999_990, size: 10 }, 400, /Result window is too large/],
  ['a window beyond any memory', { size: 2_000_000_000 }, 400, /Result window is too large/],
  [
    'a histogram of one document a century',
    { size: 0, aggs: { h: { histogram: { field: 'n', interval: 1e-9, min_doc_count: 0 } } } },
    400,
    /too_many_buckets/,
  ],
  [
    'a repetition of repetitions',
    { query: { regexp: { text: '((a|b){1,900}){1,900}' } } },
    400,
    /regexp|repetition|too|large|complex/i,
  ],
  ['a pattern that turns back', { query: { regexp: { text: '(a*)*(a*)*(a*)*(ab|ba)*c' } } }, 200, /"hits"/],
  ['a pattern of stars', { query: { wildcard: { text: `${'*a'.repeat(400)}*c` } } }, 200, /"hits"/],
  [
    'more values than may be listed',
    { query: { terms: { a: Array.from({ length: 65_537 }, (_, at) => `v${at}`) } } },
    400,
    /max_terms_count|too many|maximum/i,
  ],
])('answers %s', async (_what, body, status, text) => {
  const answer = await find(body)
  expect(`${answer.status} ${answer.text.slice(0, 3_000)}`).toMatch(new RegExp(`^${status} `))
  expect(answer.text.slice(0, 3_000)).toMatch(text)
  expect((await find({ query: { term: { n: 7 } } })).json()).toMatchObject({ hits: { total: { value: 1 } } })
})

it('refuses ten megabytes of brackets', async () => {
  const half = 5 * 1024 ** 2
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const times = Math.floor(half / open.length)
    const body = Buffer.from(`${open.repeat(times)}1${close.repeat(times)}`)
    const headers = { 'content-type': 'application/json' }
    for (const path of ['/many/_search', '/many/_doc', '/_ingest/pipeline/_simulate', '/many/_mapping']) {
      const answer = await client.send(path, { method: path === '/many/_mapping' ? 'PUT' : 'POST', body, headers })
      expect(`${path} ${answer.status}`).toBe(`${path} 400`)
    }
  }
})

it.each([
  ['groups', { t: terms('text', 20_000, { u: terms('a', 10, { v: terms('b', 10) }) }) }],
  ['hits of buckets', hitsOfBuckets(40)],
])(
  'answers an error when %s would need more memory than they may have, and the next search as ever',
  async (_, aggs) => {
    const answer = await find({ size: 0, aggs })
    expect(`${answer.status} ${answer.text.slice(0, 300)}`).toMatch(/^429 .*circuit_breaking_exception/)
    expect((await find({ size: 1 })).status).toBe(200)
  },
)

it('answers light searches while heavy ones wait for each other', async () => {
  const order: string[] = []
  const heavy = Array.from({ length: 12 }, (_, at) =>
    find({
      size: 0,
      query: { regexp: { text: `(ab)*[0-9]{1,3}${at}` } },
      aggs: { a: { cardinality: { field: 'text' } }, t: terms('text', 10_000) },
    }).then(() => order.push('heavy')),
  )
  const light = find({ query: { term: { n: 5 } } }).then(() => order.push('light'))
  await Promise.all([...heavy, light])
  expect(order.indexOf('light')).toBeLessThan(11)
  expect(order).toHaveLength(13)
})

/** Takes the engine half a minute alone and needs little memory: thousands of patterns, each tried on every text. */
const endless = {
  size: 0,
  query: { bool: { should: Array.from({ length: 4_000 }, (_, at) => ({ wildcard: { text: `*a*b*a*c${at}*` } })) } },
  aggs: { a: terms('a', 10) },
}

it('ends searches whose clients are gone, so that others get their turn', async () => {
  const authorization = `Basic ${Buffer.from(auth()).toString('base64')}`
  const headers = { authorization, 'content-type': 'application/json' }
  const running = async () => {
    const tasks = await client.send('/_tasks?actions=indices:data/read/search*&group_by=none')
    return Object.values((tasks.json() as { tasks: object }).tasks).length
  }
  const clients = Array.from({ length: 4 }, () => {
    const outgoing = httpsRequest(`${search.url}/many/_search`, { method: 'POST', headers, ca: search.ca })
    const gone = new Promise<void>((resolve) => outgoing.on('error', () => resolve()))
    outgoing.end(JSON.stringify(endless))
    return { outgoing, gone }
  })
  await vi.waitFor(async () => expect(await running()).toBe(4), { timeout: waitMsMax })
  for (const { outgoing } of clients) outgoing.destroy()
  await Promise.all(clients.map(({ gone }) => gone))
  await vi.waitFor(async () => expect(await running()).toBe(0), { timeout: waitMsMax })
  const next = await find({ size: 0, aggs: { a: terms('b', 1) } })
  expect([next.status, next.text.slice(0, 500)]).toEqual([200, expect.any(String)])
})
