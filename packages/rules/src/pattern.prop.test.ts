import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compilePattern, patternSource } from './pattern.ts'

const few = fc.constantFrom('a', 'b', 'ab', '*', '?', '😀', '\\\\', '\\*', '.', '')
const text = fc.array(few, { maxLength: 8 }).map((parts) => parts.join(''))
const value = fc
  .array(fc.constantFrom('a', 'b', '😀', '*', '\\', '.', '\n'), { maxLength: 10 })
  .map((parts) => parts.join(''))

it('finds what the same pattern as a regular expression finds', () => {
  fc.assert(
    fc.property(text, value, (wildcard, candidate) => {
      const pattern = { kind: 'wildcard', text: wildcard, caseInsensitive: false } as const
      expect(compilePattern(pattern)(candidate)).toBe(
        new RegExp(`^(?:${patternSource(pattern)})$`, 'su').test(candidate),
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
