import { expect, it } from 'vitest'
import { searchOverWire } from '../testing/search-over-wire.ts'
import { holesOf, withHole } from './holes.fixture.ts'
import { mappings, seeds } from './seeds.fixture.ts'

/** Patterns that a compiler or a matcher of regular expressions could end with, wherever a request may hold a text. */

/** Texts that are tried, of all there are; the full size takes every one. */
const holesMax = Number(process.env['LOGSTACK_HOLES'] ?? 16)

const send = searchOverWire()

const ask = (method: string, path: string, body?: unknown) =>
  send(path, {
    method,
    ...(body === undefined
      ? {}
      : { body: Buffer.from(JSON.stringify(body)), headers: { 'content-type': 'application/json' } }),
  })

const deep = (open: string, close: string, times = 20_000) => `${open.repeat(times)}a${close.repeat(times)}`
const catastrophic = '^(a+)+$'
const victim = `${'a'.repeat(60)}b`

const longTexts = [
  'a'.repeat(70_000),
  '['.repeat(20_000),
  deep('(a|', ')'),
  'a?'.repeat(20_000),
  deep('(', ')'),
  Array.from({ length: 100_000 }, (_, at) => `x${at}`).join('|'),
  '*a'.repeat(20_000),
  '\\p{L}'.repeat(10_000),
  'a{999}'.repeat(3_000),
]

const settings = {
  analysis: {
    filter: { pairs: { type: 'shingle' } },
    analyzer: {
      pairs: { tokenizer: 'standard', filter: ['lowercase', 'pairs'] },
      own: { tokenizer: 'whitespace', filter: ['lowercase'] },
    },
  },
}
const own = {
  properties: {
    key: { type: 'keyword' },
    pairs: { type: 'text', analyzer: 'pairs' },
    own: { type: 'text', analyzer: 'own' },
    suggest: { type: 'completion' },
  },
}

it('takes an index of texts with analyzers of their own', async () => {
  expect((await ask('PUT', '/own', { settings, mappings: own })).status).toBe(200)
  const document = { key: victim, pairs: 'one two three', own: `${victim} Foo-Bar`, suggest: victim }
  expect((await ask('PUT', '/own/_doc/1?refresh=true', document)).status).toBe(201)
})

const query = (body: unknown) => ({ query: body })
const processors = (...all: unknown[]) => ({
  pipeline: { processors: all },
  docs: [{ _source: { f: victim, 'g.h': 1 } }],
})
const template = (match: string) => ({
  mappings: { dynamic_templates: [{ t: { match_pattern: 'regex', match, mapping: { type: 'keyword' } } }] },
})

it.each<[string, string, string, unknown, number, RegExp]>([
  [
    'words and pairs of words',
    'POST',
    '/own/_search',
    query({ match: { pairs: 'word '.repeat(5_000) } }),
    200,
    /"hits"/,
  ],
  [
    'a phrase of pairs',
    'POST',
    '/own/_search',
    query({ match_phrase: { pairs: 'one two three '.repeat(400) } }),
    200,
    /"hits"/,
  ],
  [
    'a wildcard of own words',
    'POST',
    '/own/_search',
    query({ wildcard: { own: `${'a'.repeat(70_000)}*` } }),
    400,
    /70001/,
  ],
  [
    'a prefix of own words',
    'POST',
    '/own/_search',
    query({ prefix: { own: { value: 'a'.repeat(70_000), case_insensitive: true } } }),
    400,
    /70000/,
  ],
  [
    'a wildcard in any case',
    'POST',
    '/own/_search',
    query({ wildcard: { key: { value: `${'*A'.repeat(3_000)}*c`, case_insensitive: true } } }),
    200,
    /"hits"/,
  ],
  [
    'intervals of a long expression',
    'POST',
    '/own/_search',
    query({ intervals: { own: { regexp: { pattern: 'a'.repeat(1_001) } } } }),
    400,
    /length of regex \[1001\]/,
  ],
  [
    'intervals of a broken one',
    'POST',
    '/own/_search',
    query({ intervals: { own: { regexp: { pattern: '(a' } } } }),
    400,
    /expected '\)'/,
  ],
  [
    'spans of a broken one',
    'POST',
    '/own/_search',
    query({ span_multi: { match: { regexp: { own: { value: 'a{2000}' } } } } }),
    400,
    /above 1000/,
  ],
  [
    'an expression of many questions',
    'POST',
    '/own/_search',
    query({ regexp: { key: `a${'?'.repeat(900)}` } }),
    400,
    /quantifiers/,
  ],
  [
    'an expression that goes back and forth',
    'POST',
    '/own/_search',
    { ...query({ regexp: { key: '(a|aa)+' } }), highlight: { fields: { key: {} } } },
    200,
    /"value":0/,
  ],
  [
    'a completion of it',
    'POST',
    '/own/_search',
    { suggest: { s: { regex: '(a|aa)+c', completion: { field: 'suggest' } } } },
    200,
    /"options":\[\]/,
  ],
  [
    'a completion of a broken one',
    'POST',
    '/own/_search',
    { suggest: { s: { regex: '(a', completion: { field: 'suggest' } } } },
    400,
    /expected '\)'/,
  ],
  [
    'keys of a broken one',
    'POST',
    '/own/_search',
    { aggs: { a: { terms: { field: 'key', include: deep('(', ')') } } } },
    400,
    /failed to parse regexp/,
  ],
  [
    'a date format of brackets',
    'PUT',
    '/dates',
    { mappings: { properties: { d: { type: 'date', format: deep('[', ']') } } } },
    400,
    /too long/,
  ],
  [
    'a date format of options',
    'PUT',
    '/dates',
    { mappings: { properties: { d: { type: 'date', format: deep('[', ']', 60) } } } },
    400,
    /optional/,
  ],
  ['names of fields that go back and forth', 'PUT', '/names', template('(a|aa)+'), 200, /acknowledged/],
  ['names of fields too deep', 'PUT', '/deep', template(deep('(?:a', ')?')), 400, /is invalid/],
  ['parts of an answer', 'GET', `/_nodes?filter_path=${'**.'.repeat(200)}a`, undefined, 200, /"nodes"/],
  ['parts of a source', 'POST', '/own/_search', { _source: ['*a'.repeat(5_000)] }, 200, /"_source":\{\}/],
  [
    'a role of a broken name',
    'PUT',
    '/_security/role/r',
    { indices: [{ names: ['/(a/'], privileges: ['read'] }] },
    400,
    /invalid regular expression pattern/,
  ],
  [
    'a role of a deep name',
    'PUT',
    '/_security/role/r',
    { indices: [{ names: [`/${deep('(', ')')}/`], privileges: ['read'] }] },
    400,
    /invalid regular expression pattern/,
  ],
  [
    'a template of long names',
    'PUT',
    '/_index_template/t',
    { index_patterns: [`x${'*a'.repeat(5_000)}`] },
    200,
    /acknowledged/,
  ],
  [
    'another that meets it',
    'PUT',
    '/_index_template/u',
    { index_patterns: [`x${'a'.repeat(20_000)}b`], priority: 3 },
    200,
    /acknowledged/,
  ],
  [
    'a gsub',
    'POST',
    '/_ingest/pipeline/_simulate',
    processors({ gsub: { field: 'f', pattern: catastrophic, replacement: '' } }),
    200,
    /interrupted before completion/,
  ],
  [
    'a gsub too deep',
    'POST',
    '/_ingest/pipeline/_simulate',
    processors({ gsub: { field: 'f', pattern: deep('(?:a', ')?'), replacement: '' } }),
    400,
    /Invalid regex pattern/,
  ],
  [
    'a grok',
    'POST',
    '/_ingest/pipeline/_simulate',
    processors({ grok: { field: 'f', patterns: [`${'(?:a|aa)'.repeat(40)}c`] } }),
    200,
    /interrupted before|do not match/,
  ],
  [
    'removed names',
    'POST',
    '/_ingest/pipeline/_simulate',
    processors({ remove_by_pattern: { field_pattern: '*a'.repeat(20_000) } }),
    200,
    /"docs"/,
  ],
  [
    'a tokenizer',
    'POST',
    '/_analyze',
    { tokenizer: { type: 'pattern', pattern: '^(a+)+$' }, text: victim },
    400,
    /interrupted before completion/,
  ],
  [
    'a tokenizer too deep',
    'POST',
    '/_analyze',
    { tokenizer: { type: 'pattern', pattern: deep('(?:a', ')?') }, text: 'a' },
    400,
    /cannot compile pattern/,
  ],
  [
    'a filter',
    'POST',
    '/_analyze',
    { tokenizer: 'keyword', filter: [{ type: 'pattern_replace', pattern: '^(a+)+$', replacement: '' }], text: victim },
    400,
    /interrupted/,
  ],
  [
    'letters of a class',
    'POST',
    '/_analyze',
    { tokenizer: { type: 'char_group', tokenize_on_chars: ['a'.repeat(70_000)] }, text: 'bab' },
    400,
    /cannot compile pattern/,
  ],
  [
    'many mappings of letters',
    'POST',
    '/_analyze',
    {
      tokenizer: 'keyword',
      char_filter: [{ type: 'mapping', mappings: Array.from({ length: 20_000 }, (_, at) => `x${at}=>y`) }],
      text: 'x7 x70 z',
    },
    200,
    /"token":"y y z"/,
  ],
  [
    'many replaced letters',
    'POST',
    '/_analyze',
    {
      tokenizer: 'keyword',
      char_filter: [{ type: 'pattern_replace', pattern: '(a)', replacement: '$1b' }],
      text: 'a'.repeat(100_000),
    },
    200,
    /"end_offset":100000/,
  ],
])('answers %s', async (_what, method, path, body, status, text) => {
  const answer = await ask(method, path, body)
  expect(`${answer.status} ${answer.text.slice(0, 3_000)}`).toMatch(new RegExp(`^${status} `))
  expect(answer.text.slice(0, 300_000)).toMatch(text)
})

it('refuses a document whose field names are not told apart in time, and goes on', async () => {
  const refused = await ask('PUT', '/names/_doc/1', { [`${'a'.repeat(80)}b`]: 'x' })
  expect(`${refused.status} ${refused.text}`).toMatch(/^400 .*interrupted before completion/)
  expect((await ask('PUT', '/names/_doc/1', { aa: 'x' })).status).toBe(201)
})

it('answers every request of the right ones with a long pattern in the place of a text', {
  timeout: 600_000,
}, async () => {
  await ask('PUT', '/fuzz', { mappings })
  const all = seeds.flatMap((seed) => holesOf(seed.lines ?? seed.body).map((hole) => ({ seed, hole })))
  const step = Math.max(1, Math.floor(all.length / holesMax))
  const faults: string[] = []
  for (const [at, { seed, hole }] of all.entries()) {
    if (at % step !== 0) continue
    const text = longTexts[Math.floor(at / step) % longTexts.length] ?? ''
    const changed = withHole(seed.lines ?? seed.body, hole, text)
    const body = seed.lines
      ? `${(changed as readonly unknown[]).map((line) => JSON.stringify(line)).join('\n')}\n`
      : JSON.stringify(changed)
    const headers = { 'content-type': seed.lines ? 'application/x-ndjson' : 'application/json' }
    const { status, text: answered } = await send(seed.path, { method: seed.method, body, headers })
    if (status >= 500 && status !== 501)
      faults.push(
        `${seed.method} ${seed.path} at ${hole.join('.')}, ${text.slice(0, 20)}: ${status} ${answered.slice(0, 300)}`,
      )
  }
  expect(faults).toEqual([])
  expect((await ask('GET', '/_cluster/health')).status).toBe(200)
})
