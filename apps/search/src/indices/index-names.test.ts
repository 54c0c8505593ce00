import { describe, expect, it } from 'vitest'
import {
  checkAliasName,
  checkIndexName,
  evaluateIndexName,
  matchesPattern,
  patternsCollide,
  patternsOverlap,
} from './index-names.ts'

describe('names of indices', () => {
  it.each<[string, string]>([
    ['', 'Invalid index name [], must not be empty'],
    ['Test', 'Invalid index name [Test], must be lowercase'],
    [
      'a b',
      "Invalid index name [a b], must not contain the following characters [' ','\"','*',',','/','<','>','?','\\','|']",
    ],
    ['a#b', "Invalid index name [a#b], must not contain '#'"],
    ['a:b', "Invalid index name [a:b], must not contain ':'"],
    ['_a', "Invalid index name [_a], must not start with '_', '-', or '+'"],
    ['..', "Invalid index name [..], must not be '.' or '..'"],
    ['é'.repeat(128), `Invalid index name [${'é'.repeat(128)}], index name is too long, (256 > 255)`],
  ])('refuses %j', (name, message) =>
    expect(() => checkIndexName(name)).toThrow(
      expect.objectContaining({
        code: 'invalid_index_name_exception',
        message,
        detail: { index_uuid: '_na_', index: name },
      }),
    ),
  )

  it('takes the usual ones', () => {
    for (const name of ['logs-2026.11.21', '.logstack-alerts', 'wazuh-alerts-4.x-2026.11.21', 'a'.repeat(255)])
      checkIndexName(name)
    checkAliasName('MixedCase')
    expect(() => checkAliasName('a*')).toThrow(expect.objectContaining({ code: 'invalid_alias_name_exception' }))
  })
})

describe('date math in names', () => {
  const nowMs = Date.UTC(2026, 10, 21, 23, 30)
  it.each([
    ['logs', 'logs'],
    ['<logs-{now/d}>', 'logs-2026.11.21'],
    ['<logs-{now/d}-000001>', 'logs-2026.11.21-000001'],
    ['<logs-{now/M{yyyy.MM}}>', 'logs-2026.11'],
    ['<logs-{now/d-1d{yyyy.MM.dd}}>', 'logs-2026.11.20'],
    ['<logs-{now/d{yyyy.MM.dd|+01:00}}>', 'logs-2026.11.22'],
    ['<a\\{b\\}-{now/y{yyyy}}>', 'a{b}-2026'],
  ])('%s is %s', (name, expected) => expect(evaluateIndexName(name, nowMs)).toBe(expected))

  it.each(['<logs-{now/d>', '<logs-}>', '<>', '<logs-{now/d{}}>', '<logs-{then}>', '<logs-{now/x}>'])(
    'refuses %s',
    (name) =>
      expect(() => evaluateIndexName(name, nowMs)).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^(parse|illegal_argument)_exception$/) }),
      ),
  )
})

describe('patterns', () => {
  it('match by star only', () => {
    expect(matchesPattern('logs-*-default', 'logs-app-default')).toBe(true)
    expect(matchesPattern('logs-*', 'log')).toBe(false)
    expect(matchesPattern('a.c', 'abc')).toBe(false)
  })
  it.each<[string, string, boolean]>([
    ['a*', 'ab*', true],
    ['a*', 'b*', false],
    ['*b', 'a*', true],
    ['a*c', 'ab', false],
    ['abc', 'a*c', true],
    ['logs-*-*', 'logs-x', false],
  ])('%s and %s overlap: %s', (a, b, overlap) => expect(patternsOverlap(a, b)).toBe(overlap))
  it.each<[string, string, boolean]>([
    ['logs', 'logs*', true],
    ['logs-*', 'logs-*-prod', true],
    ['logs-*-*', 'logs-*', true],
    ['*', 'a', true],
    ['app-*-web-*', 'app-*-web-*-old', true],
    ['app-*-web-*', 'app-*-web_old-*', false],
    ['*-web', 'app-*', false],
    ['a*', 'b*', false],
  ])('%s and %s collide: %s', (a, b, collide) =>
    expect([patternsCollide(a, b), patternsCollide(b, a)]).toEqual([collide, collide]),
  )
})
