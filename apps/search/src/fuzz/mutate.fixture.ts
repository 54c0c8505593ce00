import { type Seed, seeds } from './seeds.fixture.ts'

/** Bytes to send. */
export interface MalformedRequest {
  readonly method: string
  readonly path: string
  readonly contentType: string
  readonly body: Buffer
}

/** Numbers from 0 to below a limit, the same for the same seed. */
export type Random = (below: number) => number

/** Makes a source of numbers (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const nestedMax = 3_000

/** Values that no reader expects everywhere: the wrong type, the edge of a range, text that means something to a layer below. */
const strange: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2_147_483_648,
  -9_007_199_254_740_992,
  1e308,
  1e-320,
  '',
  ' ',
  'x',
  '*',
  '**',
  '_all',
  '-',
  '.',
  '..',
  '\u0000',
  '\ud800',
  '\u202e',
  'é'.repeat(300),
  'a'.repeat(70_000),
  "'; DROP TABLE events_1; --",
  '`',
  '\\',
  "\\'",
  '{{x}}',
  '${jndi:x}',
  '%',
  '%00',
  '<a',
  'now',
  'now-1y/w||',
  '2026-13-45',
  '9999999999-01-01',
  '+292278994-08-17T07:12:55.807Z',
  'NaN',
  'Infinity',
  '-Infinity',
  '1e999',
  '0x10',
  '10.0.0.0/33',
  '::/129',
  'LOCAL',
  'AUTO:5,2',
  '200%',
  '-200%',
  '2<-25% 9<-3',
  '((((((((((',
  '[',
  '/a{1,1000}{1,1000}/',
  '(a+)+$',
  'a{999999}',
  '__proto__',
  'constructor',
  'toString',
  '_id',
  '_source',
  '_seq',
  '_index',
  '_doc',
  'fuzz',
  'fuzz,-fuzz',
  '<fuzz-{now/d}>',
  [],
  {},
  [[]],
  [null],
  [{}],
  { a: { b: {} } },
  [1, 'a', null, {}],
  { __proto__x: 1 },
  { '': '' },
  { '.': 1 },
  { 'a..b': 1 },
  Array.from({ length: 2_000 }, (_, at) => at),
  { lat: 91, lon: 181 },
  '91,181',
  { source: 'while(true){}' },
  'for(;;);',
  "return 'x'.",
  'P1D',
  '1d',
  '0s',
  '-5m',
  '99999999d',
]

const keys = [
  'query',
  'field',
  'value',
  'bool',
  'must',
  'aggs',
  'terms',
  'script',
  'source',
  'nested',
  'path',
  'size',
  'boost',
  'type',
  'properties',
  'format',
  'missing',
  '__proto__',
  'toString',
  '',
  '.',
  '*',
  'a.b',
]

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** A piece of some right request. */
function borrowed(random: Random): unknown {
  let value: unknown = seeds[random(seeds.length)]?.body ?? {}
  for (let depth = random(6); depth > 0; depth -= 1) {
    const inner: unknown[] = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []
    if (inner.length === 0) break
    value = inner[random(inner.length)]
  }
  return value
}

/** Words and signs of query languages. */
const words = [
  '|',
  '(',
  ')',
  '[',
  ']',
  ',',
  '"',
  '`',
  '"""',
  '==',
  '!=',
  ':',
  '::',
  '*',
  '/',
  '-',
  '.',
  '?',
  '??',
  '1',
  '9223372036854775808',
  '1e400',
  'null',
  'not',
  'and',
  'by',
  'where',
  'STATS',
  'LIMIT',
  'SORT',
  'EVAL',
  'MV_EXPAND',
  'x',
  '_id',
  'tags',
  'place',
  'parts.n',
  '@timestamp',
  '1 day',
  '-1 month',
  'integer',
  'NOW()',
  'e1',
  '//',
  '/*',
]

/** A text of many words with some of them gone, twice there, in another place, or another. */
function mutatedText(text: string, random: Random): string {
  const pieces = text.split(/(\s+|[()[\]|,"=.])/u).filter((piece) => piece !== '')
  for (let times = 1 + random(3); times > 0 && pieces.length > 0; times -= 1) {
    const at = random(pieces.length)
    const other = random(pieces.length)
    const word = words[random(words.length)] ?? ''
    switch (random(5)) {
      case 0:
        pieces.splice(at, 1)
        break
      case 1:
        pieces.splice(at, 0, pieces[other] ?? '')
        break
      case 2:
        pieces[at] = pieces[other] ?? ''
        break
      case 3:
        pieces.splice(at, 0, ` ${word} `)
        break
      default:
        pieces[at] = word
    }
  }
  return pieces.join('')
}

function replacement(old: unknown, random: Random): unknown {
  if (typeof old === 'string' && old.includes(' ') && random(4) > 0) return mutatedText(old, random)
  switch (random(6)) {
    case 0:
      return borrowed(random)
    case 1:
      return [old, old]
    case 2:
      return { [keys[random(keys.length)] ?? '']: old }
    default:
      return strange[random(strange.length)]
  }
}

/** The value with one change somewhere in it. */
function mutated(value: unknown, random: Random): unknown {
  if (Array.isArray(value) && value.length > 0 && random(4) > 0) {
    const at = random(value.length)
    if (random(6) === 0) return value.toSpliced(at, 1)
    return value.with(at, mutated(value[at], random))
  }
  if (!isObject(value) || Object.keys(value).length === 0 || random(8) === 0) return replacement(value, random)
  const entries = Object.entries(value)
  const at = random(entries.length)
  const [key = '', held] = entries[at] ?? []
  const kind = random(10)
  if (kind === 0) entries.splice(at, 1)
  else if (kind === 1) entries[at] = [keys[random(keys.length)] ?? '', held]
  else if (kind === 2) entries.push([keys[random(keys.length)] ?? '', borrowed(random)])
  else entries[at] = [key, mutated(held, random)]
  return Object.fromEntries(entries)
}

function nested(random: Random): string {
  const depth = 1 + random(nestedMax)
  const [open, close] =
    [
      ['[', ']'],
      ['{"a":', '}'],
      ['{"query":{"bool":{"must":[', ']}}}'],
      ['{"aggs":{"a":{"global":{},', '}}}'],
    ][random(4)] ?? []
  return `${open?.repeat(depth)}1${close?.repeat(depth)}`
}

/** JSON with a fault in its letters. */
function broken(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text)
  if (bytes.length === 0) return Buffer.from([random(256)])
  switch (random(4)) {
    case 0:
      return bytes.subarray(0, random(bytes.length))
    case 1:
      return Buffer.concat([bytes, bytes.subarray(random(bytes.length))])
    case 2:
      return Buffer.from(nested(random))
    default:
      for (let times = 1 + random(3); times > 0; times -= 1) bytes[random(bytes.length)] = random(256)
      return bytes
  }
}

/** A value as it may stand in a path. */
function encoded(value: unknown): string {
  // Half a character cannot be encoded.
  const text = (typeof value === 'string' ? value : String(JSON.stringify(value))).slice(0, 300)
  return encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/gu, ''))
}

function mutatedPath(path: string, random: Random): string {
  const pieces = [
    () => path.replace('fuzz', encoded(strange[random(strange.length)])),
    () =>
      `${path}${path.includes('?') ? '&' : '?'}${keys[random(keys.length)]}=${encoded(strange[random(strange.length)])}`,
    () =>
      `${path}${path.includes('?') ? '&' : '?'}${['size', 'from', 'scroll', 'timeout', 'filter_path', 'format', 'routing', 'refresh', 'preference', 'typed_keys'][random(10)]}=${encoded(strange[random(40)])}`,
    () => seeds[random(seeds.length)]?.path ?? path,
    () => path.slice(0, 1 + random(path.length)),
  ]
  return pieces[random(pieces.length)]?.() ?? path
}

const contentTypes = [
  'application/json',
  'application/x-ndjson',
  'application/yaml',
  'application/vnd.elasticsearch+json; compatible-with=8',
  'text/plain',
  '',
]

/** What destroys the search itself, or takes it over: not malformed, but asked for. */
const left = /^\/(?:_all|\*|%2A|_security\/user\/(?:elastic|_password)|_cluster\/settings|_shutdown)/iu

/** A malformed request: a right one with changes of structure, and sometimes of its letters and its path. */
export function malformedRequest(random: Random): MalformedRequest {
  const seed: Seed = seeds[random(seeds.length)] ?? { method: 'GET', path: '/' }
  let values: readonly unknown[] = seed.lines ?? (seed.body === undefined ? [] : [seed.body])
  for (let times = 1 + random(3); times > 0 && values.length > 0; times -= 1) {
    const at = random(values.length)
    values = values.with(at, mutated(values[at], random))
  }
  const text = values.map((value) => JSON.stringify(value) ?? '').join('\n') + (seed.lines ? '\n' : '')
  const path = random(6) === 0 ? mutatedPath(seed.path, random) : seed.path
  const method =
    random(25) === 0 ? (['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'PATCH'][random(6)] ?? 'GET') : seed.method
  const usual = seed.lines ? 'application/x-ndjson' : 'application/json'
  return {
    method,
    path: left.test(path) ? search : path,
    contentType: random(40) === 0 ? (contentTypes[random(contentTypes.length)] ?? '') : usual,
    body: random(8) === 0 ? broken(text, random) : Buffer.from(text),
  }
}

const search = '/fuzz/_search'
