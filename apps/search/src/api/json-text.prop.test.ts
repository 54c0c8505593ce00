import fc from 'fast-check'
import { expect, it } from 'vitest'
import { printCompact, printPretty, readJsonText } from './json-text.ts'

it('prints what it read, compact and pretty', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      expect(printCompact(readJsonText(text))).toBe(text)
      expect(JSON.parse(printPretty(readJsonText(text)))).toEqual(JSON.parse(text))
    }),
  )
})
