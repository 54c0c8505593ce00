import { isAppError } from '@logstack/errors'
import { describe, expect, test } from 'vitest'
import { kqlToQuery, parseKql } from './index.ts'

const types = new Map([
  ['host.name', 'keyword'],
  ['host.id', 'keyword'],
  ['message', 'text'],
  ['@timestamp', 'date'],
  ['source.ip', 'ip'],
  ['bytes', 'long'],
])
const query = (text: string) => kqlToQuery(parseKql(text), { types, timeZone: 'Europe/Berlin' })

describe('a KQL query becomes', () => {
  test.each([
    ['', { match_all: {} }],
    ['  *  ', { match_all: {} }],
    ['host.name: web-1', { term: { 'host.name': { value: 'web-1' } } }],
    ['host.name : "web 1" ', { term: { 'host.name': { value: 'web 1' } } }],
    ['message: failed login', { match: { message: 'failed login' } }],
    ['message: "failed login"', { match_phrase: { message: 'failed login' } }],
    ['"log" : *', { exists: { field: 'log' } }],
    ['host.name: web*1', { wildcard: { 'host.name': { value: 'web*1' } } }],
    ['host.name: a\\*b*', { wildcard: { 'host.name': { value: 'a\\*b*' } } }],
    ['message: fail*', { query_string: { fields: ['message'], query: 'fail*', analyze_wildcard: true } }],
    ['bytes >= 10', { range: { bytes: { gte: 10 } } }],
    ['bytes<=1.5', { range: { bytes: { lte: 1.5 } } }],
    ['@timestamp > "2026-01-01"', { range: { '@timestamp': { gt: '2026-01-01', time_zone: 'Europe/Berlin' } } }],
    [
      '@timestamp: 2026-01-01',
      { range: { '@timestamp': { gte: '2026-01-01', lte: '2026-01-01', time_zone: 'Europe/Berlin' } } },
    ],
    ['source.ip: "10.0.0.0/8"', { term: { 'source.ip': { value: '10.0.0.0/8' } } }],
    ['4624', { multi_match: { type: 'best_fields', query: '4624', lenient: true } }],
    ['"exact words"', { multi_match: { type: 'phrase', query: 'exact words', lenient: true } }],
    ['not host.name: a', { bool: { must_not: [{ term: { 'host.name': { value: 'a' } } }] } }],
    ['nothing*: x', { match_none: {} }],
    ['user:{ name: a }', { nested: { path: 'user', query: { match: { 'user.name': 'a' } }, score_mode: 'none' } }],
  ])('%s', (text, expected) => {
    expect(query(text)).toEqual(expected)
  })

  test('a field pattern is every field that it names', () => {
    expect(query('host.*: a')).toEqual({
      bool: {
        should: [{ term: { 'host.name': { value: 'a' } } }, { term: { 'host.id': { value: 'a' } } }],
        minimum_should_match: 1,
      },
    })
  })

  test('not binds before and, and before or, in any case of letters', () => {
    expect(parseKql('a: 1 OR b: 2 And not c: 3')).toMatchObject({
      kind: 'or',
      children: [{ kind: 'match' }, { kind: 'and', children: [{ kind: 'match' }, { kind: 'not' }] }],
    })
  })

  test('a value list keeps its own logic', () => {
    expect(query('host.name:("a" or b and not c)')).toEqual(
      query('host.name: "a" or (host.name: b and not host.name: c)'),
    )
  })

  test('keywords inside words and escaped keywords are text', () => {
    expect(query('message: nothing or\\der')).toEqual({ match: { message: 'nothing order' } })
    expect(query('message: this \\and that')).toEqual({ match: { message: 'this and that' } })
    expect(query('host.name: android')).toEqual({ term: { 'host.name': { value: 'android' } } })
  })
})

test.each([
  ['host.name:', 10],
  ['(a: 1', 5],
  ['a: "open', 3],
  ['a: 1)', 4],
  ['and', 0],
  ['a: 1 or', 7],
])('%s is refused with the position', (text, position) => {
  try {
    parseKql(text)
    expect.unreachable()
  } catch (thrown) {
    expect(isAppError(thrown) && thrown.code).toBe('kql_syntax')
    expect(isAppError(thrown) && thrown.detail['position']).toBe(position)
  }
})

test('deep nesting is refused, not a stack overflow', () => {
  expect(() => parseKql(`${'('.repeat(50_000)}a${')'.repeat(50_000)}`)).toThrow(/nested deeper/)
  expect(() => parseKql(`${'not '.repeat(50_000)}a`)).toThrow(/nested deeper/)
})
