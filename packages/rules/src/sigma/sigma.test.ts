import { describe, expect, test } from 'vitest'
import { readMapping } from './mapping.ts'
import { SigmaMatcher } from './matcher.ts'
import { readSigma } from './read-sigma.ts'
import { assembleRules } from './rule-set.ts'

const mappingRead = readMapping(
  'test',
  `
title: Test
product: test
index: [logs-*]
categories:
  process: {when: [{event.code: 1}], fields: {Image: [process.executable, old.image]}}
otherwise: ['data.{field}']
`,
)
if ('problem' in mappingRead) throw new Error(mappingRead.problem.message)
const { mapping } = mappingRead

const head = 'title: T\nlogsource: {product: test, category: process}\n'

function problemOf(detection: string) {
  const read = readSigma('file', `${head}${detection}`)
  return 'problem' in read ? read.problem : undefined
}

function matches(detection: string, data: Record<string, unknown>, more: Record<string, unknown> = {}): boolean {
  const read = readSigma('file', `${head}${detection}`)
  if ('problem' in read) throw new Error(`${read.problem.line}:${read.problem.column}: ${read.problem.message}`)
  const { rules } = assembleRules(read.documents)
  return new SigmaMatcher(rules, [mapping]).match({ event: { code: '1' }, data, ...more }, 'logs-test').length === 1
}

/** Whether `field|modifiers: value` matches a value of the field. */
const item = (key: string, value: string, found: unknown) =>
  matches(`detection:\n  s:\n    ${key}: ${value}\n  condition: s\n`, found === undefined ? {} : { f: found })

describe('values', () => {
  test.each([
    ['f', "'abc'", 'ABC', true],
    ['f', "'abc'", 'abcd', false],
    ['f', "'a*c'", 'aXXc', true],
    ['f', "'a?c'", 'abc', true],
    ['f', "'a?c'", 'abbc', false],
    ['f', "'a\\*c'", 'a*c', true],
    ['f', "'a\\*c'", 'abc', false],
    ['f', "'C:\\Windows\\*'", 'c:\\windows*', true],
    ['f', "'C:\\Windows\\\\*'", 'c:\\windows\\cmd.exe', true],
    ['f', "'C:\\Windows\\\\\\*'", 'c:\\windows\\*', true],
    ['f', "'C:\\Windows\\\\\\*'", 'c:\\windows\\x', false],
    ['f', "'\\\\\\\\host\\share'", '\\\\host\\share', true],
    ['f', "'a\\b'", 'a\\b', true],
    ['f', '[1, 2]', 2, true],
    ['f', '4688', '4688', true],
    ['f', 'true', true, true],
    ['f', "''", '', true],
    ['f', "''", undefined, false],
    ['f', "'*'", 'anything', true],
    ['f', "'*'", undefined, false],
    ['f', 'null', undefined, true],
    ['f', 'null', 'x', false],
    ['f', "'b'", ['a', 'b'], true],
  ])('%s: %s on %j is %s', (key, value, found, expected) => {
    expect(item(key, value, found)).toBe(expected)
  })
})

describe('modifiers', () => {
  test.each([
    ['f|contains', "'b'", 'aBc', true],
    ['f|startswith', "'ab'", 'ABC', true],
    ['f|startswith', "'b'", 'abc', false],
    ['f|endswith', "'\\cmd.exe'", 'C:\\Windows\\CMD.EXE', true],
    ['f|contains|all', "['a', 'c']", 'abc', true],
    ['f|contains|all', "['a', 'd']", 'abc', false],
    ['f|cased', "'abc'", 'ABC', false],
    ['f|contains|cased', "'B'", 'aBc', true],
    ['f|re', "'a.c$'", 'xxabc', true],
    ['f|re', "'^b'", 'abc', false],
    ['f|re', "'ABC'", 'abc', false],
    ['f|re|i', "'ABC'", 'abc', true],
    ['f|re|m', "'^b$'", 'a\nb\nc', true],
    ['f|re', "'a.b'", 'a\nb', false],
    ['f|re|s', "'a.b'", 'a\nb', true],
    ['f|cidr', "'10.0.0.0/8'", '10.1.2.3', true],
    ['f|cidr', "'10.0.0.0/8'", '11.1.2.3', false],
    ['f|cidr', "'2001:db8::/32'", '2001:db8::1', true],
    ['f|cidr', "'10.0.0.0/8'", 'no address', false],
    ['f|gt', '5', '6', true],
    ['f|gte', '5', 5, true],
    ['f|lt', '5', 5, false],
    ['f|lte', '5', 'x', false],
    ['f|exists', 'true', 'x', true],
    ['f|exists', 'false', 'x', false],
    ['f|exists', 'false', undefined, true],
    ['f|neq', "'a'", 'b', true],
    ['f|neq', "'a'", 'a', false],
    ['f|base64|contains', "'foobar'", 'xxZm9vYmFyxx', true],
    ['f|base64|contains', "'foobar'", 'xxzm9vymfyxx', false],
    ['f|base64offset|contains', "'http://'", Buffer.from('see http://x').toString('base64'), true],
    ['f|base64offset|contains', "'http://'", Buffer.from('se http://x').toString('base64'), true],
    ['f|base64offset|contains', "'http://'", Buffer.from('s http://x').toString('base64'), true],
    ['f|base64offset|contains', "'http://'", Buffer.from('ftp://x').toString('base64'), false],
    ['f|wide|base64offset|contains', "'ping'", Buffer.from('do ping', 'utf16le').toString('base64'), true],
    ['f|utf16le|base64|contains', "'ping'", Buffer.from('ping', 'utf16le').toString('base64'), true],
    ['f|utf16be|base64|contains', "'ping'", Buffer.from('ping', 'utf16le').swap16().toString('base64'), true],
    ['f|utf16|base64|contains', "'ping'", Buffer.from('\ufeffping', 'utf16le').toString('base64'), true],
    ['f|windash|contains', "' -enc '", 'powershell /enc xyz', true],
    ['f|windash|contains', "' -enc '", 'powershell –enc xyz', true],
    ['f|windash|contains', "'a-b'", 'a/b', false],
    ['f|fieldref', 'other', 'same', true],
    ['f|fieldref|startswith', 'other', 'same and more', true],
    ['f|fieldref', 'other', 'different', false],
    ['f|hour', '13', '2026-01-01T13:05:00Z', true],
    ['f|hour', '13', '2026-01-01T14:05:00Z', false],
    ['f|week', '53', '2026-12-31T00:00:00Z', true],
  ])('%s: %s on %j is %s', (key, value, found, expected) => {
    const detection = `detection:\n  s:\n    ${key}: ${value}\n  condition: s\n`
    expect(matches(detection, found === undefined ? { other: 'same' } : { f: found, other: 'same' })).toBe(expected)
  })
})

describe('placeholders', () => {
  test('expand puts in every word of a list, and names the list that is missing', () => {
    const text = `${head}detection:\n  s:\n    f|expand|contains: 'user %admins%'\n  condition: s\n`
    const read = readSigma('file', text, new Map([['admins', ['alice', 'bob']]]))
    if ('problem' in read) throw new Error(read.problem.message)
    const matcher = new SigmaMatcher(assembleRules(read.documents).rules, [mapping])
    expect(matcher.match({ event: { code: 1 }, data: { f: 'the user BOB did' } })).toHaveLength(1)
    expect(matcher.match({ event: { code: 1 }, data: { f: 'the user eve did' } })).toHaveLength(0)
    expect(readSigma('file', text)).toMatchObject({
      problem: { line: 5, message: expect.stringContaining('%admins%') },
    })
  })
})

describe('detections and conditions', () => {
  const parts = `detection:
  selection_a: {f: a}
  selection_b: {g: b}
  _helper: {h: c}
  filter: {x: '1'}
  condition: `
  test.each([
    ['selection_a', { f: 'a' }, true],
    ['selection_a and selection_b', { f: 'a' }, false],
    ['selection_a or selection_b', { g: 'b' }, true],
    ['not selection_a', { f: 'b' }, true],
    ['selection_a and not filter', { f: 'a', x: '1' }, false],
    ['1 of selection_*', { g: 'b' }, true],
    ['all of selection_*', { f: 'a' }, false],
    ['all of selection_*', { f: 'a', g: 'b' }, true],
    ['any of selection_* and not 1 of filter*', { f: 'a' }, true],
    ['1 of them', { h: 'c' }, false],
    ['2 of them', { f: 'a', x: '1' }, true],
    ['2 of selection_*', { f: 'a' }, false],
    ['not (selection_a or selection_b) and filter', { x: '1' }, true],
    ['selection_a OR selection_b AND filter', { f: 'a' }, true],
    ['(selection_a or selection_b) and filter', { f: 'a' }, false],
    ['not not selection_a', { f: 'a' }, true],
  ])('%s on %j is %s', (condition, data, expected) => {
    expect(matches(`${parts}${condition}\n`, data)).toBe(expected)
  })

  test('a list of maps is any of them, a map all of its items', () => {
    const detection = 'detection:\n  s:\n    - {f: a, g: b}\n    - {f: c}\n  condition: s\n'
    expect([
      matches(detection, { f: 'a' }),
      matches(detection, { f: 'a', g: 'b' }),
      matches(detection, { f: 'c' }),
    ]).toEqual([false, true, true])
  })

  test('keywords are looked for anywhere', () => {
    const detection = "detection:\n  k: ['mimikatz', 'a*b']\n  condition: k\n"
    expect(matches(detection, {}, { message: 'ran MimiKatz today' })).toBe(true)
    expect(matches(detection, { deep: [{ er: 'xxa--bxx' }] })).toBe(true)
    expect(matches(detection, { f: 'nothing' })).toBe(false)
    const all = "detection:\n  k:\n    '|all': [one, two]\n  condition: k\n"
    expect([matches(all, { f: 'one' }), matches(all, { f: 'one', g: 'two' })]).toEqual([false, true])
  })

  test('several conditions are one or the other', () => {
    const detection = 'detection:\n  a: {f: a}\n  b: {f: b}\n  condition: [a, b]\n'
    expect([matches(detection, { f: 'a' }), matches(detection, { f: 'b' }), matches(detection, { f: 'c' })]).toEqual([
      true,
      true,
      false,
    ])
  })

  test('a field is where the mapping says, and events of another kind are not looked at', () => {
    const detection = "detection:\n  s: {Image|endswith: '\\cmd.exe'}\n  condition: s\n"
    expect(matches(detection, {}, { process: { executable: 'C:\\cmd.exe' } })).toBe(true)
    expect(matches(detection, {}, { old: { image: 'C:\\cmd.exe' } })).toBe(true)
    expect(matches(detection, {}, { process: { executable: 'C:\\cmd.exe' }, event: { code: 2 } })).toBe(false)
  })
})

describe('what cannot be used is named with its place', () => {
  test.each([
    ['detection:\n  s: {f|like: a}\n  condition: s\n', 4, 'unknown modifier [like]'],
    ['detection:\n  s: {f: a}\n  condition: s and t\n', 5, 'names [t]'],
    ['detection:\n  s: {f: a}\n  condition: (s\n', 5, 'not closed'],
    ['detection:\n  s: {f: a}\n  condition: s s\n', 5, 'unexpected [s]'],
    ['detection:\n  s: {f: a}\n  condition: 1 of x*\n', 5, 'fits no part'],
    ['detection:\n  s: {f: a}\n', 4, 'expected a condition'],
    ['detection:\n  s: {}\n  condition: s\n', 4, 'empty'],
    ["detection:\n  s: {f|re: '(?=a)b'}\n  condition: s\n", 4, 'bounded time'],
    ["detection:\n  s: {f|re: '(a)\\1'}\n  condition: s\n", 4, 'bounded time'],
    ["detection:\n  s: {f|cidr: 'x'}\n  condition: s\n", 4, 'no block of addresses'],
    ["detection:\n  s: {f|wide: 'x'}\n  condition: s\n", 4, 'base64'],
    ['detection:\n  s: {f: {g: 1}}\n  condition: s\n', 4, 'expected a value'],
    ['detection:\n  s: {f: a}\n  condition: s | near t\n', 5, 'not supported'],
    ['detection:\n  s: {f: a}\n  condition: s | count() > 5\n', 3, 'needs timeframe'],
    [
      'correlation:\n  type: event_count\n  rules: [a]\n  timespan: 5m\n  condition: {lt: 5}\n',
      7,
      'would hold at the first event',
    ],
    [
      'correlation:\n  type: event_count\n  rules: [a]\n  timespan: soon\n  condition: {gte: 5}\n',
      6,
      'no span of time',
    ],
    ['correlation:\n  type: value_count\n  rules: [a]\n  timespan: 5m\n  condition: {gte: 5}\n', 7, 'needs a field'],
    ['correlation:\n  type: event_count\n  rules: [a]\n  timespan: 5m\n  conditon: {gte: 5}\n', 7, 'Unrecognized'],
  ])('%j', (text, line, message) => {
    expect(problemOf(text)).toMatchObject({ line, message: expect.stringContaining(message) })
  })

  test('a log source without a mapping is said so', () => {
    const read = readSigma('file', 'title: T\nlogsource: {product: aws}\ndetection:\n  s: {f: a}\n  condition: s\n')
    if ('problem' in read) throw new Error('broken')
    const matcher = new SigmaMatcher(assembleRules(read.documents).rules, [mapping])
    expect(matcher.unmapped.map(({ reason }) => reason)).toEqual(['no mapping knows the log source product aws'])
  })
})

test('a filter narrows the rules it names', () => {
  const rule = (id: string) =>
    `title: R\nid: ${id}\nlogsource: {product: test, category: process}\ndetection:\n  s: {f: a}\n  condition: s\n`
  const filter =
    'title: F\nid: filter\nlogsource: {product: test}\nfilter:\n  rules: [one]\n  s: {u|startswith: adm_}\n  condition: not s\n'
  const read = readSigma('file', [rule('one'), rule('two'), filter].join('---\n'))
  if ('problem' in read) throw new Error(read.problem.message)
  const matcher = new SigmaMatcher(assembleRules(read.documents).rules, [mapping])
  expect(matcher.match({ event: { code: 1 }, data: { f: 'a', u: 'adm_x' } }).map(({ id }) => id)).toEqual(['two'])
  expect(matcher.match({ event: { code: 1 }, data: { f: 'a', u: 'eve' } }).map(({ id }) => id)).toEqual(['one', 'two'])
})
