import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRule } from './read-rule.ts'

const keys = ['name', 'type', 'index', 'alert', 'filter', 'query_key', 'timeframe', 'num_events', 'realert', 'priority']
const kinds = ['rule', 'disabled', 'broken']

test('any text is a rule, disabled, or broken with a place; never an exception', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const read = readRule('any', text)
      expect(kinds).toContain(read.kind)
      if (read.kind === 'broken') expect(Math.min(read.problem.line, read.problem.column)).toBeGreaterThan(0)
    }),
  )
})

test('so is any value under the keys of a rule', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()),
      fc.constantFrom('any', 'frequency'),
      (rule, type) => {
        expect(kinds).toContain(readRule('any', JSON.stringify({ ...rule, type })).kind)
      },
    ),
  )
})
