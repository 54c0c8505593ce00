import fc from 'fast-check'
import { expect, it } from 'vitest'
import { luceneRegexp } from './lucene-regexp.ts'
import { compilePattern, patternSource } from './pattern.ts'
import { isQuick, regexpShape } from './regexp-shape.ts'
import { compileSteady } from './steady-regexp.ts'

const few = fc.constantFrom('a', 'b', 'aB', 'É', '*', '?', '😀', '\\\\', '\\*', '.', '')
const text = fc.array(few, { maxLength: 8 }).map((parts) => parts.join(''))
const value = fc
  .array(fc.constantFrom('a', 'A', 'b', 'é', '😀', '*', '\\', '.', '\n'), { maxLength: 10 })
  .map((parts) => parts.join(''))

it('finds what the same pattern as a regular expression finds', () => {
  fc.assert(
    fc.property(text, value, fc.boolean(), (wildcard, candidate, caseInsensitive) => {
      const pattern = { kind: 'wildcard', text: wildcard, caseInsensitive } as const
      expect(compilePattern(pattern)(candidate)).toBe(
        new RegExp(`^(?:${patternSource(pattern)})$`, caseInsensitive ? 'isu' : 'su').test(candidate),
      )
    }),
    { numRuns: 3_000 },
  )
})

it('is not led astray by many stars, nor by a long pattern', () => {
  const stars = compilePattern({ kind: 'wildcard', text: `${'*a'.repeat(40)}*b`, caseInsensitive: false })
  expect(stars('a'.repeat(20_000))).toBe(false)
  expect(stars(`${'a'.repeat(20_000)}b`)).toBe(true)
  const long = compilePattern({ kind: 'wildcard', text: `${'f'.repeat(70_000)}.*`, caseInsensitive: false })
  expect([long('f'), long(`${'f'.repeat(70_000)}.x`)]).toEqual([false, true])
})

const pieces = fc.constantFrom(
  'a',
  'b',
  '(',
  ')',
  '|',
  '*',
  '+',
  '?',
  '{2}',
  '{1,3}',
  '[ab]',
  '[^a]',
  '.',
  '\\.',
  '"',
  '#',
)
const expressionText = fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join(''))

it('finds the same with the engine for texts that take this runtime long', () => {
  fc.assert(
    fc.property(expressionText, value, (lucene, candidate) => {
      const read = luceneRegexp(lucene)
      if ('error' in read) return
      const source = `^(?:${read.source})$`
      expect(compileSteady(source, '')(candidate)).toBe(new RegExp(source, 'su').test(candidate))
    }),
    { numRuns: 3_000 },
  )
})

it.each([
  ['(a|a)'.repeat(40), 'a'.repeat(40)],
  ['a?'.repeat(60), 'a'.repeat(60)],
  ['(a|aa){1,40}', 'a'.repeat(60)],
  ['((a|b){1,20}){1,20}', 'a'.repeat(400)],
  ['(a*)*(a*)*(ab|ba)*', 'a'.repeat(5_000)],
  ['a*a*a*a*a*a*', 'a'.repeat(3_000)],
])('is not led astray by %s', (lucene, candidate) => {
  const test = compilePattern({ kind: 'regexp', text: `${lucene}x`, caseInsensitive: false })
  expect([test(`${candidate}y`), test(`${candidate}x`)]).toEqual([false, true])
})

it('tells expressions that are quick from others', () => {
  const quick = (source: string, length: number) => isQuick(regexpShape(source), length)
  expect(quick('^[a-z]+-\\d{4}$', 1_000)).toBe(true)
  expect(quick('^(?:\\d{4}|[+-]\\d{4,9})-(?:Jan|Feb|Mar)$', 100)).toBe(true)
  expect(quick('a+?b', 1_000)).toBe(true)
  expect(quick('[](a+)+]', 30)).toBe(false)
  expect(quick('[(a+)+]', 30)).toBe(true)
  expect(quick('(a|b)*', 30)).toBe(false)
  expect(quick('(?:a+)+$', 30)).toBe(false)
  expect(quick('(?<x>a|b){40}', 10)).toBe(false)
})
