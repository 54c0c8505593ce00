import { isAppError } from '@logstack/errors'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type KqlNode, type KqlText, kqlToQuery, parseKql, printKql } from './index.ts'

const quoted: fc.Arbitrary<KqlText> = fc.string().map((value) => ({ pieces: [value], quoted: true }))
const unquoted: fc.Arbitrary<KqlText> = fc
  .array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 })
  .map((pieces) => ({ pieces, quoted: false }))
const text = fc.oneof(quoted, unquoted)
const operator = fc.constantFrom('lt' as const, 'lte' as const, 'gt' as const, 'gte' as const)

const { node } = fc.letrec<{ node: KqlNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ kind: fc.constant('match' as const), field: fc.option(text, { nil: undefined }), value: text }),
    fc.record({ kind: fc.constant('range' as const), field: text, operator, value: text }),
    fc.record({ kind: fc.constant('not' as const), child: tie('node') }),
    fc.record({ kind: fc.constant('nested' as const), path: text, child: tie('node') }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      children: fc.array(tie('node'), { minLength: 2, maxLength: 3 }),
    }),
  ),
}))

test('what is printed reads back as the same query', () => {
  fc.assert(
    fc.property(node, (given) => {
      expect(parseKql(printKql(given))).toEqual(given)
    }),
  )
})

test('any text either parses and converts or is refused as kql_syntax', () => {
  const symbols = fc.constantFrom(
    '(',
    ')',
    ':',
    '*',
    '"',
    '\\',
    '{',
    '}',
    '<',
    '>',
    ' and ',
    ' or ',
    'not ',
    ' ',
    'a',
    'host.name',
  )
  const soup = fc.oneof(
    fc.string(),
    fc.array(symbols).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(soup, (given) => {
      try {
        expect(Object.keys(kqlToQuery(parseKql(given)))).toHaveLength(1)
      } catch (thrown) {
        expect(isAppError(thrown) && thrown.code).toBe('kql_syntax')
      }
    }),
  )
})
