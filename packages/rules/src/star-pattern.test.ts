import { expect, test } from 'vitest'
import { fitsStars } from './star-pattern.ts'

test.each([
  ['selection_1', 'selection_*', true],
  ['selection', 'selection_*', false],
  ['abc', 'abc', true],
  ['abc', 'abcd', false],
  ['abc', '*', true],
  ['', '*', true],
  ['aba', 'ab*ba', false],
  ['abba', 'ab*ba', true],
  ['a.b.c', 'a*b*c', true],
  ['a.c.b', 'a*b*c', false],
  ['xaby', '*ab*', true],
  ['a+b', 'a+*', true],
])('%j fits %j: %j', (text, pattern, expected) => {
  expect(fitsStars(text, pattern)).toBe(expected)
})

test('a thousand stars over a long text end at once', () => {
  expect(fitsStars('a'.repeat(100_000), `${'*a'.repeat(1000)}*b`)).toBe(false)
  expect(fitsStars(`${'a'.repeat(100_000)}b`, `${'*a'.repeat(1000)}*b`)).toBe(true)
})
