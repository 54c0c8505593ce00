import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readRule } from './read-rule.ts'

const good = `name: Test
type: frequency
index: logs-*
num_events: 3
timeframe:
  minutes: 2
  seconds: 30
filter:
- query:
    query_string:
      query: "a:b"
- term: {c: d}
query_key: [host.name, user.name]
alert:
- debug
- http_post:
    http_post_url: https://example.org/hook
- http_post
http_post_url: https://example.com/hook
`

const problemOf = (text: string) => {
  const read = readRule('test', text)
  return read.kind === 'broken' ? read.problem : read.kind
}

test('reads a rule in the form of ElastAlert', () => {
  const read = readRule('test', good)
  expect(read.kind === 'rule' && read.rule).toMatchObject({
    id: 'test',
    name: 'Test',
    index: 'logs-*',
    severity: 'medium',
    filter: [{ query_string: { query: 'a:b' } }, { term: { c: 'd' } }],
    queryKey: ['host.name', 'user.name'],
    timestamp: { field: '@timestamp', type: 'iso' },
    realert: { realertMs: 60_000 },
    typeOptions: { num_events: 3, timeframe: 150_000 },
    channels: [
      { name: 'debug' },
      { name: 'http_post', options: { http_post_url: 'https://example.org/hook' } },
      { name: 'http_post:3', options: { http_post_url: 'https://example.com/hook' } },
    ],
  })
})

test('reads the rule that ships', () => {
  const file = new URL('../../../../rules/alerts/repeated-failed-logins.yml', import.meta.url)
  expect(readRule('shipped', readFileSync(file, 'utf8')).kind).toBe('rule')
})

test('a disabled rule is neither run nor broken', () => {
  expect(problemOf(`${good}is_enabled: false\n`)).toBe('disabled')
})

test.each([
  [
    'an unknown key',
    `${good}num_event: 3\n`,
    { line: 20, column: 1, message: 'unknown key [num_event], did you mean [num_events]?' },
  ],
  [
    'an unknown key within a key',
    good.replace('seconds: 30', 'second: 30'),
    { line: 7, column: 3, message: 'unknown key [timeframe.second], did you mean [seconds]?' },
  ],
  [
    'an unknown rule type',
    good.replace('frequency', 'often'),
    {
      line: 2,
      column: 1,
      message: expect.stringMatching(/^unknown rule type \[often\]; there are any, blacklist, .*percentage_match$/),
    },
  ],
  [
    'a mistyped rule type',
    good.replace('frequency', 'freqency'),
    { message: expect.stringMatching(/^unknown rule type \[freqency\], did you mean \[frequency\]\? there are any, /) },
  ],
  [
    'a mistyped channel',
    good.replace('- debug', '- debg'),
    { message: expect.stringMatching(/^unknown channel \[debg\], did you mean \[debug\]\? there are debug, /) },
  ],
  [
    'an unknown channel',
    good.replace('- debug', '- pigeon'),
    { line: 14, column: 1, message: expect.stringMatching(/^unknown channel \[pigeon\]; there are debug, email, /) },
  ],
  [
    'an option of the wrong type',
    good.replace('num_events: 3', 'num_events: many'),
    { line: 4, column: 1, message: '[num_events]: Invalid input: expected number, received string' },
  ],
  [
    'an option of a channel that is not allowed',
    good.replace('http_post_url: https://example.com', 'http_post_url: ftp://example.com'),
    { line: 19, column: 1, message: expect.stringContaining('http_post_url') },
  ],
  [
    'a filter in another language',
    good.replace('- term: {c: d}', '- eql: any where a =='),
    { line: 12, column: 3, message: expect.stringContaining('this is no EQL for a filter: line 1:15: ') },
  ],
  ['text that is no YAML', `${good}x: "open\n`, { line: 21, column: 1 }],
  [
    'an alias that multiplies',
    `a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [${'*a, '.repeat(10)}]\nc: &c [${'*b, '.repeat(10)}]\nd: [${'*c, '.repeat(10)}]\n`,
    { message: expect.stringContaining('alias') },
  ],
  ['a missing key', good.replace('index: logs-*\n', ''), { message: expect.stringContaining('[index]') }],
  ['a list', '- a\n', { line: 1, column: 1, message: 'expected "key: value" lines' }],
  ['nothing', '', { message: 'expected "key: value" lines' }],
])('%s is refused with line and column', (_name, text, expected) => {
  expect(problemOf(text)).toMatchObject(expected)
})

test('the fingerprint follows what is looked for, not whom it is told', () => {
  const fingerprintOf = (text: string) => {
    const read = readRule('test', text)
    return read.kind === 'rule' ? read.rule.fingerprint : read
  }
  expect(fingerprintOf(good.replace('name: Test', 'name: Other'))).toBe(fingerprintOf(good))
  expect(fingerprintOf(good.replace('c: d', 'c: e'))).not.toBe(fingerprintOf(good))
})
