import { beforeAll, expect, it } from 'vitest'
import type { WireAnswer } from '../testing/https-client.ts'
import { searchOverWire } from '../testing/search-over-wire.ts'

/** Scripts, pipelines and templates that would keep search to themselves: each comes to an end with an error of its own, and others are answered meanwhile. */

const documents = 300

const send = searchOverWire()

beforeAll(async () => {
  const properties = { n: { type: 'long' }, k: { type: 'keyword' }, t: { type: 'text' } }
  await send('/many', { method: 'PUT', body: { mappings: { properties } } })
  const lines = Array.from({ length: documents }, (_, n) => {
    const document = { n, k: `k-${n % 7}`, t: n === 0 ? 'a b '.repeat(20_000) : `word${n}` }
    return `{"index":{"_id":"${n}"}}\n${JSON.stringify(document)}\n`
  })
  const headers = { 'content-type': 'application/x-ndjson' }
  const stored = await send('/many/_bulk?refresh=true', { method: 'POST', body: lines.join(''), headers })
  expect(stored.json()).toMatchObject({ errors: false })
})

const post = (path: string, body: object): Promise<WireAnswer> => send(path, { method: 'POST', body })

/** A few steps less than a script may take. */
const slow = 'int s = 0; for (int i = 0; i < 900000; i++) { s += i % 7 } '
const each = (count: number, one: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, one]))
const nested = (depth: number) => `"${'{{#a}}'.repeat(depth)}x${'{{/a}}'.repeat(depth)}"`
const pipeline = (processors: readonly unknown[], source: object) => ({
  pipeline: { processors },
  docs: [{ _source: source }],
})

const ranTooLong = /The script ran for more than 2000 ms\./
const script = (source: string) => ({ script: { source } })
const search_ = '/many/_search?request_cache=false'

it.each<[string, string, object, number, RegExp]>([
  [
    'many scripts over the buckets of one request',
    search_,
    {
      size: 0,
      aggs: {
        h: {
          histogram: { field: 'n', interval: 1 },
          aggs: {
            m: { sum: { field: 'n' } },
            ...each(30, { bucket_script: { buckets_path: { m: 'm' }, script: `${slow} return s` } }),
            keep: { bucket_selector: { buckets_path: { m: 'm' }, script: `${slow} return s > 0` } },
            moving: { moving_fn: { buckets_path: 'm', window: 10, script: `${slow} return s` } },
          },
        },
      },
    },
    400,
    ranTooLong,
  ],
  [
    'many scripts over one hit',
    search_,
    { size: 5, script_fields: each(200, script(`${slow} return s`)) },
    400,
    ranTooLong,
  ],
  [
    'many fields made at run time',
    search_,
    {
      size: 0,
      runtime_mappings: each(200, { type: 'long', ...script(`${slow} emit(s)`) }),
      aggs: Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`m${at}`, { max: { field: `x${at}` } }])),
    },
    400,
    ranTooLong,
  ],
  [
    'more values than a field made at run time may have',
    search_,
    {
      size: 0,
      runtime_mappings: { many: { type: 'long', ...script('for (int i = 0; i < 200000; i++) { emit(i) }') } },
      aggs: { m: { max: { field: 'many' } } },
    },
    400,
    /Runtime field \[many\] is emitting \[101\] values while the maximum number of values allowed is \[100\]/,
  ],
  [
    'scripts over the pieces of a long text',
    search_,
    {
      query: {
        intervals: {
          t: { match: { query: 'a b', filter: { script: { source: `${slow} return s > interval.start` } } } },
        },
      },
    },
    400,
    ranTooLong,
  ],
  [
    'a script over each word of a text',
    '/_analyze',
    {
      tokenizer: 'standard',
      filter: [{ type: 'predicate_token_filter', ...script(`${slow} return s > token.position`) }],
      text: 'a b '.repeat(500),
    },
    400,
    /The script ran for more than \d+ ms\./,
  ],
  [
    'sections in sections',
    '/_render/template',
    { source: nested(20_000), params: { a: true } },
    400,
    /stand at most \[100\] deep/,
  ],
  [
    'sections through lists of lists',
    `/many/_search/template`,
    { source: nested(8), params: { a: Array(50).fill(1) } },
    400,
    /Mustache script result size limit exceeded|A template may take at most/,
  ],
  [
    'a pipeline of slow scripts',
    '/_ingest/pipeline/_simulate',
    pipeline(Array(200).fill({ script: { source: `${slow} ctx.s = s`, ignore_failure: true } }), {}),
    200,
    /the pipelines of a document may run for at most \[2000ms\]/,
  ],
  [
    'comments without an end',
    '/_ingest/pipeline/_simulate',
    pipeline([{ html_strip: { field: 'm' } }], { m: '<!--'.repeat(500_000) }),
    200,
    /"doc":/,
  ],
  [
    'a source that is a list',
    '/many/_update/1',
    { script: 'ctx._source = [1, 2]' },
    400,
    /Expected \[_source\] to be a map, not \[\[1, 2\]\]/,
  ],
  [
    'a source that is a number',
    '/many/_update_by_query',
    script('ctx._source = 5'),
    400,
    /Expected \[_source\] to be a map, not \[5\]/,
  ],
  [
    'a source that is nothing',
    '/_reindex',
    { source: { index: 'many' }, dest: { index: 'copy' }, ...script('ctx._source = null') },
    400,
    /Expected \[_source\] to be a map, not \[null\]/,
  ],
])('comes to an end with %s', async (_what, path, body, status, text) => {
  const answer = await post(path, body)
  expect(`${answer.status} ${answer.text.slice(0, 3_000)}`).toMatch(new RegExp(`^${status} `))
  expect(answer.text).toMatch(text)
  expect((await post(search_, { query: { term: { n: 7 } } })).json()).toMatchObject({ hits: { total: { value: 1 } } })
})

it('refuses updates of large documents once they have made as much as a batch may', async () => {
  await send('/large/_doc/1', { method: 'PUT', body: { text: 'x'.repeat(9_000_000) } })
  const lines = Array.from({ length: 40 }, (_, n) => `{"update":{"_id":"1"}}\n{"doc":{"n":${n}}}\n`)
  const headers = { 'content-type': 'application/x-ndjson' }
  const answer = await send('/large/_bulk?filter_path=items.*.status', {
    method: 'POST',
    body: lines.join(''),
    headers,
  })
  const { items } = answer.json() as { items: { update: { status: number } }[] }
  const statuses = items.map(({ update }) => update.status)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(statuses).toEqual(statuses.toSorted((a, b) => a - b))
  expect((await send('/large/_update/1', { method: 'POST', body: { doc: { n: 'last' } } })).status).toBe(400)
  expect((await send('/large/_update/1', { method: 'POST', body: { doc: { n: 99 } } })).status).toBe(200)
})

it('answers others while many requests run scripts', async () => {
  const order: string[] = []
  const scripts = Array.from({ length: 4 }, () =>
    post(search_, { size: 5, script_fields: each(200, script(`${slow} return s`)) }).then(() => order.push('script')),
  )
  const others = async (): Promise<void> => {
    for (let at = 0; at < 2; at += 1) await post(search_, { query: { term: { n: 5 } } })
    order.push('other')
  }
  await Promise.all([...scripts, others()])
  // One of them may have the thread before each of the two, and leaves it to others then.
  expect(order.indexOf('other')).toBeLessThan(4)
})
