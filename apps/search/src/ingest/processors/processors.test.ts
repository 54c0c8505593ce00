import { createHash } from 'node:crypto'
import { isAppError } from '@logstack/errors'
import { describe, expect, test } from 'vitest'
import { buildPipeline } from '../build-pipeline.ts'
import { IngestDocument } from '../ingest-document.ts'
import { runPipeline } from '../run-steps.ts'
import { noSources } from '../testing/no-sources.ts'

type Source = Record<string, unknown>

const nowMs = Date.UTC(2026, 10, 21, 12)

/** What one processor makes of a source. */
function run(type: string, options: Source, source: Source): Source | 'dropped' {
  const pipeline = buildPipeline('p', { processors: [{ [type]: options }] }, noSources)
  const document = new IngestDocument(structuredClone(source), { _index: 'i', _id: '1' }, new Date(nowMs).toISOString())
  const outcome = runPipeline(pipeline, document, { find: () => undefined, inside: [], nowMs })
  return outcome === 'drop' ? 'dropped' : document.source()
}

function faultOf(work: () => unknown): string {
  try {
    work()
  } catch (thrown) {
    if (isAppError(thrown)) return `${thrown.code}: ${thrown.message}`
    throw thrown
  }
  return 'no fault'
}

const requestLine = '192.0.2.1 - ada [21/Nov/2026:10:11:12 +0000] "GET /a?b=c HTTP/1.1" 200 512'

const cases: readonly (readonly [string, Source, Source, Source | 'dropped'])[] = [
  ['set', { field: 'a.b', value: 1 }, {}, { a: { b: 1 } }],
  ['set', { field: 'to', value: '{{a}} {{{b}}}' }, { a: '"q"', b: '"q"' }, { a: '"q"', b: '"q"', to: '\\"q\\" "q"' }],
  ['set', { field: 'a', value: 2, override: false }, { a: 1 }, { a: 1 }],
  ['set', { field: 'a', copy_from: 'b' }, { b: [1] }, { b: [1], a: [1] }],
  ['remove', { field: ['a', 'b.c'] }, { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3 } }],
  ['remove', { keep: 'a' }, { a: 1, b: 2 }, { a: 1 }],
  ['rename', { field: 'a', target_field: 'b.c' }, { a: 1 }, { b: { c: 1 } }],
  ['append', { field: 'a', value: [2, 1], allow_duplicates: false }, { a: 1 }, { a: [1, 2] }],
  ['convert', { field: 'a', type: 'integer' }, { a: ['0x10', '-3'] }, { a: [16, -3] }],
  ['convert', { field: 'a', type: 'auto' }, { a: '1.5' }, { a: 1.5 }],
  ['date', { field: 't', formats: ['UNIX'] }, { t: 1 }, { t: 1, '@timestamp': '1970-01-01T00:00:01.000Z' }],
  [
    'date',
    { field: 't', formats: ['UNIX'] },
    { t: 1_795_317_932.25 },
    { t: 1_795_317_932.25, '@timestamp': '2026-11-22T03:25:32.250Z' },
  ],
  [
    'date',
    { field: 't', formats: ['MMM dd HH:mm:ss'], timezone: 'Europe/Berlin' },
    { t: 'Nov 20 10:11:12' },
    { t: 'Nov 20 10:11:12', '@timestamp': '2026-11-20T10:11:12.000+01:00' },
  ],
  [
    'convert',
    { field: 'a', type: 'float' },
    { a: ['0.001', '2474.307', '16777217'] },
    { a: [0.001, 2474.307, 16777216] },
  ],
  // A short name stands for a region: it is summer there in July whatever it says.
  ...[
    ['2017-04-03 22:32:14.322 CEST', '2017-04-03T20:32:14.322Z'],
    ['2017-07-31 13:36:43 EST', '2017-07-31T17:36:43.000Z'],
    ['2017-01-31 13:36:43 EST', '2017-01-31T18:36:43.000Z'],
  ].map(
    ([t, found]) =>
      [
        'date',
        { field: 't', formats: ['yyyy-MM-dd HH:mm:ss.SSS zz', 'yyyy-MM-dd HH:mm:ss zz'] },
        { t },
        { t, '@timestamp': found },
      ] as const,
  ),
  ['uri_parts', { field: 'u', keep_original: false }, { u: '/a.b/c' }, { u: '/a.b/c', url: { path: '/a.b/c' } }],
  ['grok', { field: 'm', patterns: ['%{INT:n:int} (?:%{INT:n})?'] }, { m: '1 2' }, { m: '1 2', n: [1, '2'] }],
  ['grok', { field: 'm', patterns: ['%{INT:n:int} (?:%{INT:n})?'] }, { m: '1 ' }, { m: '1 ', n: 1 }],
  [
    'grok',
    { field: 'm', patterns: ['%{INT:n} %{INT:n}'], capture_all_matches: false },
    { m: '1 2' },
    { m: '1 2', n: '1' },
  ],
  [
    'grok',
    { field: 'm', patterns: ['%{COMMONAPACHELOG}'] },
    { m: requestLine },
    {
      ...{ m: requestLine, clientip: '192.0.2.1', auth: 'ada', timestamp: '21/Nov/2026:10:11:12 +0000' },
      ...{ verb: 'GET', request: '/a?b=c', httpversion: '1.1', response: '200', bytes: '512' },
    },
  ],
  [
    'grok',
    { field: 'm', patterns: ['%{COMMONAPACHELOG}'], ecs_compatibility: 'v1' },
    { m: requestLine },
    {
      ...{ m: requestLine, source: { address: '192.0.2.1' }, user: { name: 'ada' } },
      timestamp: '21/Nov/2026:10:11:12 +0000',
      http: { request: { method: 'GET' }, version: '1.1', response: { status_code: 200, body: { bytes: 512 } } },
      url: { original: '/a?b=c' },
    },
  ],
  [
    'grok',
    { field: 'm', patterns: ['^%{SYSLOGLINE}$'] },
    { m: 'Nov  2 10:11:12 web1 sshd[811]: hello' },
    {
      ...{ m: 'Nov  2 10:11:12 web1 sshd[811]: hello', timestamp: 'Nov  2 10:11:12', logsource: 'web1' },
      ...{ program: 'sshd', pid: '811', message: 'hello' },
    },
  ],
  [
    'grok',
    { field: 'm', patterns: ['%{IP:source.ip} %{INT:n:int}'] },
    { m: '::1 5' },
    { m: '::1 5', source: { ip: '::1' }, n: 5 },
  ],
  [
    'dissect',
    { field: 'm', pattern: '%{a->} %{+b/2} %{+b/1} %{?x}=%{*k}:%{&k}', append_separator: '-' },
    { m: '1   2 3 y=z:4' },
    { m: '1   2 3 y=z:4', a: '1', b: '3-2', z: '4' },
  ],
  [
    'uri_parts',
    { field: 'u', remove_if_successful: true },
    { u: 'http://me:pw@example.com:80/a%20b/foo.gif?k1=v1&k2=v2#frag' },
    {
      url: {
        domain: 'example.com',
        extension: 'gif',
        fragment: 'frag',
        original: 'http://me:pw@example.com:80/a%20b/foo.gif?k1=v1&k2=v2#frag',
        password: 'pw',
        path: '/a b/foo.gif',
        port: 80,
        query: 'k1=v1&k2=v2',
        scheme: 'http',
        user_info: 'me:pw',
        username: 'me',
      },
    },
  ],
  [
    'uri_parts',
    { field: 'u', target_field: 'u', keep_original: false },
    { u: 'urn:isbn:1' },
    { u: { path: 'isbn:1', scheme: 'urn' } },
  ],
  [
    'network_direction',
    { internal_networks: ['private', '203.0.113.0/24'] },
    { source: { ip: '10.1.2.3' }, destination: { ip: '8.8.8.8' } },
    { source: { ip: '10.1.2.3' }, destination: { ip: '8.8.8.8' }, network: { direction: 'outbound' } },
  ],
  [
    'network_direction',
    { internal_networks_field: 'nets', source_ip: 'a', destination_ip: 'b', target_field: 'd' },
    { a: '2001:db8::1', b: '203.0.113.9', nets: ['203.0.113.0/24'] },
    { a: '2001:db8::1', b: '203.0.113.9', nets: ['203.0.113.0/24'], d: 'inbound' },
  ],
  [
    'network_direction',
    { internal_networks: ['public', '{{{own}}}'], source_ip: 'a', destination_ip: 'b', target_field: 'd' },
    { a: '9.9.9.9', b: '10.0.0.1', own: '10.0.0.0/8' },
    { a: '9.9.9.9', b: '10.0.0.1', own: '10.0.0.0/8', d: 'internal' },
  ],
  ['network_direction', { internal_networks: ['private'] }, { source: { ip: '::1' } }, { source: { ip: '::1' } }],
  [
    'redact',
    { field: 'm', patterns: ['%{IP:client}', '%{EMAILADDRESS:mail}'] },
    { m: '10.0.0.1 and ::1 wrote to a@example.com' },
    { m: '<client> and <client> wrote to <mail>' },
  ],
  [
    'redact',
    {
      field: 'm',
      patterns: ['%{CARD:card}'],
      pattern_definitions: { CARD: '\\d{4}-\\d{4}' },
      prefix: '*',
      suffix: '*',
    },
    { m: '1234-5678' },
    { m: '*card*' },
  ],
  ['redact', { field: 'm', patterns: ['%{IP:client}'] }, { m: 'nothing' }, { m: 'nothing' }],
  ['gsub', { field: 'a', pattern: '(\\d)-', replacement: '$1+' }, { a: ['1-2', 'x-'] }, { a: ['1+2', 'x-'] }],
  ['join', { field: 'a', separator: '|' }, { a: [1, 'b'] }, { a: '1|b' }],
  ['split', { field: 'a', separator: '\\|' }, { a: '|' }, { a: [] }],
  ['split', { field: 'a', separator: '\\|' }, { a: '' }, { a: [''] }],
  ['split', { field: 'a', separator: '\\|', preserve_trailing: true }, { a: '|' }, { a: ['', ''] }],
  [
    'kv',
    { field: 'a', field_split: '\\s(?![\\w"]+?(\\s+|$))', value_split: '(?<!\\\\)=', target_field: 'o' },
    { a: 'pid=1 comm="x y" ses=2' },
    { a: 'pid=1 comm="x y" ses=2', o: { pid: '1', comm: '"x y"', ses: '2' } },
  ],
  ['split', { field: 'a', separator: '\\s*,\\s*' }, { a: 'x , y,,' }, { a: ['x', 'y'] }],
  [
    'kv',
    { field: 'a', field_split: ' ', value_split: '=', target_field: 'o', strip_brackets: true },
    { a: 'x=1 y="2" x=3' },
    { a: 'x=1 y="2" x=3', o: { x: ['1', '3'], y: '2' } },
  ],
  [
    'csv',
    { field: 'a', target_fields: ['x', 'y', 'z'] },
    { a: '1,"a ""b"", c",' },
    { a: '1,"a ""b"", c",', x: '1', y: 'a "b", c' },
  ],
  ['json', { field: 'a', add_to_root: true }, { a: '{"b":[1,null]}' }, { a: '{"b":[1,null]}', b: [1, null] }],
  ['json', { field: 'a' }, { a: '9007199254740993' }, { a: 9007199254740993n }],
  ['json', { field: 'a', strict_json_parsing: false }, { a: '123 "foo"' }, { a: 123 }],
  ['json', { field: 'a', strict_json_parsing: false }, { a: ' {"b":"}"} , 1' }, { a: { b: '}' } }],
  ['json', { field: 'a', strict_json_parsing: false }, { a: '"x\\"y" z' }, { a: 'x"y' }],
  ['lowercase', { field: 'a', target_field: 'b' }, { a: 'ÄB' }, { a: 'ÄB', b: 'äb' }],
  ['uppercase', { field: 'a', ignore_missing: true }, {}, {}],
  ['trim', { field: 'a' }, { a: ' x ' }, { a: 'x' }],
  ['bytes', { field: 'a' }, { a: '1.5kb' }, { a: 1536 }],
  ['urldecode', { field: 'a' }, { a: 'a%20b+c' }, { a: 'a b c' }],
  ['html_strip', { field: 'a' }, { a: '<p>x</p> <b>&lt;y</b>' }, { a: '\nx\n <y' }],
  ['sort', { field: 'a', order: 'desc' }, { a: [2, 10, 1] }, { a: [10, 2, 1] }],
  ['script', { source: 'ctx.n = ctx.n + params.by', params: { by: 2 } }, { n: 1 }, { n: 3 }],
  [
    'foreach',
    { field: 'a', processor: { uppercase: { field: '_ingest._value.x' } } },
    { a: [{ x: 'b' }, { x: 'c' }] },
    { a: [{ x: 'B' }, { x: 'C' }] },
  ],
  ['drop', { if: 'ctx.a == 1' }, { a: 1 }, 'dropped'],
  ['drop', { if: 'ctx.a == 1' }, { a: 2 }, { a: 2 }],
  ['dot_expander', { field: 'a.b' }, { 'a.b': 1, a: { c: 2 } }, { a: { c: 2, b: 1 } }],
  ['copy', { source_field: 'a', target_field: 'b', remove_source: true }, { a: 1 }, { b: 1 }],
  ['remove_by_pattern', { field_pattern: 'a*' }, { ab: 1, b: 2 }, { b: 2 }],
  [
    'fail',
    { message: 'no', on_failure: [{ set: { field: 'why', value: '{{_ingest.on_failure_message}}' } }] },
    {},
    { why: 'no' },
  ],
  ['fail', { message: 'no', ignore_failure: true }, { a: 1 }, { a: 1 }],
]

describe('processors', () => {
  test.each(cases)('%s %j changes %j', (type, options, source, expected) => {
    expect(run(type, options, source)).toEqual(expected)
  })

  test('fingerprint does not depend on the order of keys and fields', () => {
    const one = run('fingerprint', { fields: ['a', 'b'] }, { a: { x: 1, y: 2 }, b: 1 })
    const two = run('fingerprint', { fields: ['b', 'a'] }, { b: 1, a: { y: 2, x: 1 } })
    const other = run('fingerprint', { fields: ['b', 'a'] }, { b: 2, a: { y: 2, x: 1 } })
    expect(one).toHaveProperty('fingerprint', (two as Source)['fingerprint'])
    expect(one).not.toHaveProperty('fingerprint', (other as Source)['fingerprint'])
  })

  // The hashes are what OpenSearch's documentation of the processor's form gives by hand: `|field|length:value…|`.
  test.each([
    [{ fields: ['b', 'a', 'a'] }, '|a.x.y|1:1|b|6:[1, 2]|'],
    [{ exclude_fields: ['b'] }, '|a.x.y|1:1|c|4:null|'],
    [{ fields: [] }, '|a.x.y|1:1|b|6:[1, 2]|c|4:null|'],
    [{ fields: ['a', 'none'], ignore_missing: true }, '|a.x.y|1:1|'],
  ])('fingerprint with a versioned hash_method takes %j', (options, text) => {
    const source = { a: { x: { y: 1 } }, b: [1, 2], c: null }
    const hash = createHash('sha3-256').update(text).digest('base64')
    const made = run('fingerprint', { ...options, hash_method: 'SHA3-256@2.16.0' }, source)
    expect(made).toEqual({ ...source, fingerprint: `SHA3-256@2.16.0:${hash}` })
  })

  test.each([
    ['en-US', '2020-08-09T00:00:00.000Z'],
    ['en-GB', '2020-08-10T00:00:00.000Z'],
    ['en', '2020-08-10T00:00:00.000Z'],
  ])('date reads weeks as %s has them', (locale, expected) => {
    const read = run('date', { field: 't', formats: ['YYYY-ww'], locale }, { t: '2020-33' })
    expect(read).toEqual({ t: '2020-33', '@timestamp': expected })
  })

  test('date_index_name sends a document to the index of its time', () => {
    const options = { field: 't', index_name_prefix: 'e-', date_rounding: 'M', date_formats: ['ISO8601'] }
    const pipeline = buildPipeline('p', { processors: [{ date_index_name: options }] }, noSources)
    const document = new IngestDocument({ t: '2026-11-21T10:00:00Z' }, { _index: 'i' }, '')
    runPipeline(pipeline, document, { find: () => undefined, inside: [], nowMs })
    expect(document.metadata()).toEqual({ _index: 'e-2026-11-01' })
  })
})

describe('faults have the words of Elasticsearch', () => {
  test.each<[string, Source, Source, string]>([
    ['set', { tag: 't' }, {}, 'parse_exception: [field] required property is missing'],
    [
      'trim',
      { field: 'a', no: 1 },
      {},
      "parse_exception: processor [trim] doesn't support one or more provided configuration parameters [no]",
    ],
    ['nothing', {}, {}, 'parse_exception: No processor type exists with name [nothing]'],
    [
      'uppercase',
      { field: 'a.b' },
      { a: {} },
      'illegal_argument_exception: field [b] not present as part of path [a.b]',
    ],
    [
      'uppercase',
      { field: 'a' },
      { a: 1 },
      'illegal_argument_exception: field [a] of type [java.lang.Integer] cannot be cast to [java.lang.String]',
    ],
    [
      'uppercase',
      { field: 'a.5' },
      { a: ['x'] },
      'illegal_argument_exception: [5] is out of bounds for array with length [1] as part of path [a.5]',
    ],
    ['rename', { field: 'a', target_field: 'b' }, {}, "illegal_argument_exception: field [a] doesn't exist"],
    [
      'grok',
      { field: 'a', patterns: ['%{INT}'] },
      { a: 'x' },
      'illegal_argument_exception: Provided Grok expressions do not match field value: [x]',
    ],
    [
      'convert',
      { field: 'a', type: 'integer' },
      { a: '2147483648' },
      'illegal_argument_exception: unable to convert [2147483648] to integer',
    ],
    [
      'convert',
      { field: 'a', type: 'ip' },
      { a: '1.1.1.' },
      'illegal_argument_exception: [1.1.1.] is not a valid ipv4/ipv6 address',
    ],
    ['uri_parts', { field: 'u' }, { u: 'not a uri' }, 'illegal_argument_exception: unable to parse URI [not a uri]'],
    [
      'network_direction',
      { internal_networks: ['10.0.0.0/64'] },
      { source: { ip: '10.0.0.1' }, destination: { ip: '10.0.0.2' } },
      "illegal_argument_exception: '10.0.0.0/64' is not an IP string literal.",
    ],
    [
      'pipeline',
      { name: 'p' },
      {},
      'illegal_state_exception: Pipeline processor configured for non-existent pipeline [p]',
    ],
    [
      'script',
      { source: "ctx.a['a'] = ctx.a" },
      { a: {} },
      'illegal_argument_exception: Iterable object is self-referencing itself (ingest script)',
    ],
  ])('%s %j', (type, options, source, expected) => {
    expect(faultOf(() => run(type, options, source))).toBe(expected)
  })

  test('keys of prototypes are keys like others', () => {
    const source = run('set', { field: '__proto__.polluted', value: true }, {})
    expect(JSON.stringify(source)).toBe('{"__proto__":{"polluted":true}}')
    expect(({} as Source)['polluted']).toBeUndefined()
  })
})

test('scripts calculate with numbers of the types that processors gave them, though others took them off between', () => {
  const processors = [
    { grok: { field: 'm', patterns: ['%{INT:ms:long} %{INT:plain:int} %{NUMBER:seconds}'] } },
    { convert: { field: 'seconds', type: 'float' } },
    { set: { if: 'ctx.ms > 0', field: 'seen', value: true } },
    {
      script: {
        source:
          'ctx.nanos = ctx.ms * 1000000; ctx.cut = ctx.plain * 1000000; ctx.micros = Math.round(ctx.seconds * 1000000.0)',
      },
    },
    { script: { source: 'ctx.share = ctx.seconds' } },
  ]
  const document = new IngestDocument({ m: '2606 2606 2474.307' }, { _index: 'i', _id: '1' }, '')
  const pipeline = buildPipeline('p', { processors }, noSources)
  runPipeline(pipeline, document, { find: () => undefined, inside: [], nowMs })
  expect(JSON.parse(JSON.stringify(document.source()))).toMatchObject({
    ...{ nanos: 2_606_000_000, cut: -1_688_967_296, seen: true },
    ...{ ms: 2606, plain: 2606, seconds: 2474.307, share: 2474.307 },
  })
})
