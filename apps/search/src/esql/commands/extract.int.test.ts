import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileDissection } from '../../patterns/dissection.ts'
import { compileGrok } from '../../patterns/grok/compile-grok.ts'
import { grokPatterns } from '../../patterns/grok/patterns.ts'
import { type OpenServices, openServices } from '../../testing/search-services.ts'
import { ask, write } from '../run-esql.fixture.ts'

const directory = mkdtempSync(join(tmpdir(), 'logstack-esql-'))
let services: OpenServices

const lines = [
  '',
  ' ',
  '55.3.244.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /a.gif?x=1 HTTP/1.0" 200 2326 "http://x/" "Mozilla/4.08 [en]"',
  'Mar 16 00:01:25 evita postfix/smtpd[1713]: connect from camomile.cloud9.net[168.100.1.3]',
  'Oct  3 10:00:00 h sshd[12]: pam_unix(sshd:session): session opened for user bob by (uid=0)',
  'Feb 14 08:55:01 db01 CRON[123]: (root) CMD (run-parts /etc/cron.hourly)',
  '<165>1 2003-10-11T22:14:15.003Z host.example.com evntslog - ID47 [x@1 iut="3"] An event',
  '[Mon Oct 09 06:25:12.123456 2023] [core:notice] [pid 1234:tid 99] [client 10.0.0.1:5000] AH00094: Command line',
  '1286536308.779 180 192.168.0.224 TCP_MISS/200 411 GET http://x.y/z?q - DIRECT/10.1.1.1 text/html',
  '[1234] 01 Jan 12:34:56 * loaded',
  '1339518083.107412 [0 127.0.0.1:60866] "keys" "*"',
  '2014-11-03T18:28:32.450-0500 I NETWORK [initandlisten] waiting for connections on port 27017',
  '17-Feb-2018 23:06:56.326 queries: info: client 172.26.0.1#12345 (test.com): query: test.com IN A +E(0)K (172.26.0.3)',
  'Jan 9, 2014 7:13:13 AM org.apache.catalina.Foo bar SEVERE: broken',
  '31-Jul-2020 16:40:38 INFO [main] org.apache.Foo.start done',
  '  at org.example.App$Inner.run(App.java:42)',
  '10/03/2023 12:00:59 UTC bob 5f3 1234',
  'took=-5.5ms .5 +3 1e3 0xFF 0x1.8 ff',
  'fe80::1%eth0 2001:db8:0:0:0:0:2:1 ::ffff:10.0.0.1 1.2.3.256 1234.1.1.1 10.0.0.10',
  'abc123 24:00:00 12:34:56 123:45:67 23:59:60.5',
  '00:1A:2b:3c:4d:5e 001A.2b3c.4d5e 00-1A-2b-3c-4d-5e',
  'C:\\Windows\\x.exe /usr/lib/a-b /dev/pts/0 urn:isbn:123 https://user:pw@[::1]:80/p?q=1#f mailto:a.b@c.d',
  '"quoted \\" text" \'single\' `back` 550e8400-e29b-41d4-a716-446655440000',
  'Tue, 15 Nov 1994 08:12:31 +01:00 Tuesday September 20230123T121500',
  'ERROR warn Information 2023-01-23 12:15:00,123 2023-1-2T3:04:05Z é😀 über',
  'two\nlines 7\nend',
]

beforeAll(async () => {
  services = await openServices(directory)
  const mappings = { properties: { n: { type: 'integer' }, line: { type: 'keyword' } } } as const
  await services.catalogue.createIndex({ name: 'lines', mappings })
  await write(
    services,
    'lines',
    lines.map((line, n) => ({ n, line })),
  )
})

afterAll(async () => {
  await services.close()
  rmSync(directory, { recursive: true, force: true })
})

/** What each line gives by each name, without empty texts: the engine cannot tell them from what was not found. */
async function byEngine(pattern: string): Promise<Readonly<Record<string, unknown>>[]> {
  const text = `FROM lines | SORT n | GROK line ${JSON.stringify(pattern)} | DROP n, line`
  const { columns, rows } = await ask(services, text)
  return rows.map((row) => tidy(columns.map(({ name }, at) => [name, row[at]] as const)))
}

function tidy(fields: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const found = fields.map(
    ([name, value]) => [name, [value].flat().filter((each) => each !== null && each !== '')] as const,
  )
  return Object.fromEntries(found.filter(([, values]) => values.length > 0))
}

function byIngest(pattern: string): Record<string, unknown>[] {
  const grok = compileGrok(pattern, grokPatterns, (reason) => new Error(reason))
  return lines.map((line) => tidy((grok.match(line) ?? []).map(({ field, values }) => [field, [...values]] as const)))
}

describe('GROK', () => {
  it.each(Object.keys(grokPatterns))('finds what pipelines find by %s', async (name) => {
    const whole = `^%{DATA:before}%{${name}:found}%{GREEDYDATA:behind}$`
    const beside = `%{INT:count}.?\\b(?:%{${name}:found}|%{NOTSPACE:other})`
    for (const pattern of [`%{${name}:found}`, whole, beside])
      expect(await byEngine(pattern)).toEqual(byIngest(pattern))
  })
})

const commands = [
  ['ROW a = "1.2.3.4 5.6.7.8" | GROK a "%{IP:ip} %{IP:ip}" | KEEP ip', [['1.2.3.4', '5.6.7.8']]],
  ['ROW a = "7 x true" | GROK a "%{INT:n:int} %{WORD:w} %{WORD:b:boolean}" | KEEP n, w, b', [7, 'x', true]],
  ['ROW a = "7 9999999999" | GROK a "%{INT:n:long} %{INT:m:int}" | KEEP n, m', [7, null]],
  ['ROW a = "-5.5 .5" | GROK a "%{NUMBER:v:double} %{NUMBER:w:float}" | KEEP v, w', [-5.5, 0.5]],
  ['ROW a = "n=5" | GROK a "%{IP:ip}", "n=%{NUMBER:n:int}" | KEEP ip, n', [null, 5]],
  ['ROW a = "a " | GROK a "%{WORD:x} %{DATA:y}$" | KEEP x, y', ['a', '']],
  ['ROW a = ["k=1", "k=2", "z"] | GROK a "k=%{INT:k:int}" | KEEP k', [[1, 2]]],
  ['ROW a = "x" | GROK a "%{WORD:x:date}" | KEEP x', ['x']],
  ['ROW a = "x" | GROK a "%{WORD}"', ['x']],
  ['ROW a = "b 1" | GROK a "%{WORD:z} %{INT:c:int}" | DROP a', [1, 'b']],
  ['ROW a = "1 2 3" | DISSECT a "%{+x/1} %{+x} %{x}" APPEND_SEPARATOR="," | KEEP x', ['2,3,1']],
  ['ROW a = "x" | GROK a "%{WORD:a}" | KEEP a', ['x']],
  ['ROW a = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" | GROK a "(?<x>(a*)*(a*)*b)" | KEEP x', [null]],
  [
    'ROW a = "2026 - some text - 1.1.1.1" | DISSECT a "%{d} - %{msg} - %{ip}" | KEEP d, msg, ip',
    ['2026', 'some text', '1.1.1.1'],
  ],
  ['ROW a = "Smith John Jr" | DISSECT a "%{+n/2} %{+n/1} %{+n/3}" APPEND_SEPARATOR="," | KEEP n', ['John,Smith,Jr']],
  [
    'ROW a = ["a b", "c d"] | DISSECT a "%{x} %{y}" | KEEP x, y',
    [
      ['a', 'c'],
      ['b', 'd'],
    ],
  ],
  ['ROW a = "a b" | DISSECT a "%{x}-%{y}" | KEEP x, y', [null, null]],
] as const

const refused = [
  ['GROK line "(?=a)%{WORD:x}"', 'the engine knows no look-around such as [(?=a)]'],
  ['GROK line "(?<x>a)\\\\1"', 'the engine knows no back references such as [\\1]'],
  ['GROK line "%{NOPE:x}"', "Unable to find pattern [NOPE] in Grok's pattern dictionary"],
  ['GROK line "(?<x>[a"', 'Invalid pattern [(?<x>[a] for grok'],
  [
    'GROK line "%{INT:x:int} %{INT:x:long}"',
    'Invalid GROK pattern [%{INT:x:int} %{INT:x:long}]: the attribute [x] is defined multiple times with different types',
  ],
  ['GROK line "(?<x>((a{0,100}){0,100}){0,100})"', 'Invalid pattern [(?<x>((a{0,100}){0,100}){0,100})] for grok'],
  ['GROK n "%{WORD:x}"', 'Grok only supports KEYWORD or TEXT values, found expression [n] type [INTEGER]'],
  ['DISSECT n "%{x}"', 'Dissect only supports KEYWORD or TEXT values, found expression [n] type [INTEGER]'],
  ['DISSECT line "%{*x} %{&x}"', 'Reference keys not supported in dissect patterns: [%{*x}]'],
  ['DISSECT line "abc"', 'Invalid pattern for dissect: [abc]'],
  ['DISSECT line "%{a}%{b}"', 'no delimiter between the keys'],
  ['SAMPLE 1.5', 'invalid value for SAMPLE probability [1.5], expecting a number between 0 and 1, exclusive'],
] as const

const dissections = [
  '%{a} %{b}',
  '%{a->} %{b} %{c}',
  '%{a} - %{} [%{?at}] "%{verb} %{path} %{}" %{status} %{rest}',
  '[%{a}] %{b}',
  '%{+x} %{+x/1} %{y}',
  '%{x} %{+x}:%{z}',
  'took=%{t}ms %{rest->}',
  '%{a}.%{b}.*%{c}',
  '%{key}=%{value},',
] as const

describe('commands that take texts apart', () => {
  it.each(commands)('%s', async (text, expected) => {
    expect((await ask(services, text)).rows).toEqual([expected])
  })

  it.each(refused)('refuses %s', async (text, reason) => {
    await expect(ask(services, `FROM lines | ${text}`)).rejects.toThrow(reason)
  })

  it.each(dissections)('DISSECT gives what pipelines give by %s', async (pattern) => {
    const dissect = compileDissection(pattern, '-', (reason) => new Error(reason))
    const given = lines.map((line) => tidy([...(dissect(line) ?? [])]))
    const text = `FROM lines | SORT n | DISSECT line ${JSON.stringify(pattern)} APPEND_SEPARATOR="-" | DROP n, line`
    const { columns, rows } = await ask(services, text)
    expect(rows.map((row) => tidy(columns.map(({ name }, at) => [name, row[at]] as const)))).toEqual(given)
  })

  it('samples rows', async () => {
    const { rows } = await ask(services, 'FROM lines | SAMPLE 0.999999999 | STATS n = COUNT(*)')
    expect(rows).toEqual([[lines.length]])
    const few = await ask(services, 'FROM lines | SAMPLE 0.000000001 | STATS n = COUNT(*)')
    expect(few.rows).toEqual([[0]])
  })
})
