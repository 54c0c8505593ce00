import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GramIndex } from './gram-index.ts'
import { piecesTest, textPieces } from './text.ts'

test('finds exactly the literals that a text contains', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'š', '\\', '€'), minLength: 1, maxLength: 9 })
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), fc.array(word, { maxLength: 6 }), (literals, words) => {
      const text = words.join('')
      const index = new GramIndex()
      for (const [at, literal] of literals.entries()) index.add(literal, at)
      const found: number[] = []
      // Each once, however often its literal stands there.
      index.search(text, (members) => {
        found.push(...members)
      })
      expect(found.sort()).toEqual([...literals.keys()].filter((at) => text.includes(literals[at] ?? '')).sort())
    }),
  )
})

test('wildcards mean what a regular expression of the same shape does', () => {
  const symbol = fc.constantFrom('a', 'b', '*', '?')
  fc.assert(
    fc.property(
      fc.string({ unit: symbol, maxLength: 8 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 }),
      (pattern, text) => {
        const expression = new RegExp(`^${pattern.replace(/\*+/gu, '.*').replaceAll('?', '.')}$`, 'su')
        expect(piecesTest(textPieces(pattern))(text)).toBe(expression.test(text))
      },
    ),
  )
})
