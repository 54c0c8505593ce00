import { Script } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { compileGrok, compileGroks } from './compile-grok.ts'
import { grokPatterns } from './patterns.ts'

const fault = (reason: string): Error => new Error(reason)

/** The fields of a text as an object. */
function fields(expression: string, text: string): unknown {
  const found = compileGrok(expression, grokPatterns, fault).match(text)
  return found && Object.fromEntries(found.map(({ field, values }) => [field, values[0]]))
}

test.each(Object.keys(grokPatterns))('%s compiles', (name) => {
  expect(() => compileGrok(`%{${name}}`, grokPatterns, fault)).not.toThrow()
})

test.each([
  ['IPV4', '192.168.0.255'],
  ['IPV6', 'fe80::260:97ff:fe07:69ea'],
  ['IPV6', '::ffff:10.0.0.1'],
  ['IPV6', '::'],
  ['MAC', '00:1a:2B:3c:4d:5e'],
  ['HOSTNAME', 'a-1.example.org'],
  ['UUID', '123e4567-e89b-12d3-a456-426614174000'],
  ['TIMESTAMP_ISO8601', '2026-11-21T10:11:12.123+01:00'],
  ['HTTPDATE', '21/Nov/2026:10:11:12 +0100'],
  ['SYSLOGTIMESTAMP', 'Nov  1 10:11:12'],
  ['LOGLEVEL', 'WARNING'],
  ['QUOTEDSTRING', '"a \\" b"'],
  ['URI', 'https://user@example.org:8080/a/b?c=d'],
  ['WINPATH', 'C:\\Windows\\System32'],
  ['EMAILADDRESS', 'a.b@example.org'],
  ['NUMBER', '-1.5'],
])('%s fits %s as a whole', (name, text) => {
  expect(fields(`^%{${name}:it}$`, text)).toEqual({ it: text })
})

test.each([
  ['IPV4', '256.1.1.1'],
  ['MAC', '00:1a:2B:3c:4d'],
  ['UUID', '123e4567'],
  ['IPV6', '1:2:3'],
])('%s does not fit %s', (name, text) => {
  expect(fields(`^%{${name}:it}$`, text)).toBeUndefined()
})

test('a line of a web server', () => {
  const line =
    '192.0.2.1 - ada [21/Nov/2026:10:11:12 +0000] "GET /a?b=c HTTP/1.1" 200 512 "https://example.org/" "curl/8.0"'
  expect(fields('%{COMBINEDAPACHELOG}', line)).toEqual({
    'source.address': '192.0.2.1',
    'user.name': 'ada',
    timestamp: '21/Nov/2026:10:11:12 +0000',
    'http.request.method': 'GET',
    'url.original': '/a?b=c',
    'http.version': '1.1',
    'http.response.status_code': 200,
    'http.response.body.bytes': 512,
    'http.request.referrer': 'https://example.org/',
    'user_agent.original': 'curl/8.0',
  })
})

test.each([
  ['^%{IP:ip}:%{INT:port}$', '2001:db8::7:51234', { ip: '2001:db8::7', port: '51234' }],
  ['^%{IP:ip}: %{GREEDYDATA:text}$', 'fe80::1: up', { ip: 'fe80::1', text: 'up' }],
  ['^%{WORD:name}:%{IP:ip}/%{INT:port}$', 'inside:2001:db8::53/53', { name: 'inside', ip: '2001:db8::53', port: '53' }],
  ['%{IP:ip}', 'deadbeef2001:db8:x', undefined],
])('%s reads the address of %s', (expression, text, expected) => {
  expect(fields(expression, text)).toEqual(expected)
})

test('groups of one name, types and own groups', () => {
  const found = compileGrok('%{INT:a:int},%{INT:a:int} (?<b.c>x+)', grokPatterns, fault).match('1,2 xx')
  expect(found).toEqual([
    { field: 'a', values: [1, 2], type: 'int' },
    { field: 'b.c', values: ['xx'], type: 'string' },
  ])
})

test.each([
  // Groups may be named in quotes, and `^` and `$` are the ends of lines; `(?m)` lets the dot match these ends.
  ["(?'log.trace'x+) (?<b>y)", 'xx y', { 'log.trace': 'xx', b: 'y' }],
  ['^%{WORD:first}$', 'one two\nthree\nfour', { first: 'three' }],
  ['\\A%{WORD:first}$', 'one\ntwo', { first: 'one' }],
  ['\\A%{WORD:first}$', 'one two\nthree', undefined],
  ['^%{WORD:last}\\z', 'one\ntwo', { last: 'two' }],
  ['%{WORD:first} %{GREEDYDATA:rest}', 'one two\nthree', { first: 'one', rest: 'two' }],
  ['(?m)%{WORD:first} %{GREEDYDATA:rest}', 'one two\nthree', { first: 'one', rest: 'two\nthree' }],
])('%s reads %j as Oniguruma does', (expression, text, expected) => {
  expect(fields(expression, text)).toEqual(expected)
})

test('patterns that are unknown or hold themselves are refused', () => {
  expect(() => compileGrok('%{NONE}', {}, fault)).toThrow("Unable to find pattern [NONE] in Grok's pattern dictionary")
  expect(() => compileGrok('%{A}', { A: 'x%{B}', B: '%{A}' }, fault)).toThrow('circular reference in pattern [A]')
})

test('watches over some expressions at a time that are tried on a text', () => {
  const expressions = Array.from({ length: 40 }, (_, at) => `^app${at} %{IP:ip} %{NUMBER:n:int} %{GREEDYDATA:rest}$`)
  const first = compileGroks(expressions, grokPatterns, fault)
  const watched = vi.spyOn(Script.prototype, 'runInContext')
  const text = (name: string) => `${name} 10.0.0.1 7 ${'some more words '.repeat(20)}`
  expect(first(text('app37'))).toMatchObject({ at: 37, fields: [{ values: ['10.0.0.1'] }, { values: [7] }, {}] })
  expect(first(text('none'))).toBeUndefined()
  expect(watched).toHaveBeenCalledTimes(6)
})
