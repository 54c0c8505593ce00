import { expect, it } from 'vitest'
import { jsonFault } from './json-fault.ts'

it.each([
  ['{"a":1}', undefined, 0],
  ['{"a":tru}', "Unrecognized token 'tru': was expecting", 9],
  ['{"a":1,}', 'was expecting double-quote to start field name', 7],
  ['{"a" 1}', 'was expecting a colon to separate field name and value', 5],
  ['[1}', "Unexpected close marker '}': expected ']'", 2],
  ['{"a":01}', 'Invalid numeric value: Leading zeroes not allowed', 6],
  ['{"a":"\n"}', 'Illegal unquoted character ((CTRL-CHAR, code 10))', 6],
  ['{"a":1', 'Unexpected end-of-input: expected close marker for Object', 6],
])('says where %j stops being JSON', (text, reason, at) => {
  const fault = jsonFault(text)
  expect(fault && [fault.reason, fault.at]).toEqual(reason && [expect.stringContaining(reason), at])
})

it('shows little of what is long', () => {
  expect(jsonFault('x'.repeat(1_000_000))?.reason.length).toBeLessThan(1_000)
  const numbers = '1,'.repeat(1_000_000)
  expect(jsonFault(`{"a":[${numbers}`)?.reason.length).toBeLessThan(1_000)
  // What would be said of a list without an end is made up once, not for each of its values.
  expect(jsonFault(`{"long":"${'x'.repeat(5_000_000)}","a":[${numbers}tru]}`)?.reason).toContain("'tru'")
})
