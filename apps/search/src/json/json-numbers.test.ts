import { expect, it } from 'vitest'
import { isUnsafeInteger, replaceNumbers } from './json-numbers.ts'

it('replaces numbers, and no digits in strings', () => {
  const text = '{"a1":[1,-2.5e3,"3 \\" 4"],"b":12345678901234567890}'
  expect(replaceNumbers(text, (token) => `<${token}>`)).toBe(
    '{"a1":[<1>,<-2.5e3>,"3 \\" 4"],"b":<12345678901234567890>}',
  )
  expect(replaceNumbers(text, () => undefined)).toBe(text)
  expect(replaceNumbers(text, (token) => (isUnsafeInteger(token) ? '0' : undefined))).toBe(
    '{"a1":[1,-2.5e3,"3 \\" 4"],"b":0}',
  )
})

it('passes over strings of any length, whatever is in them', () => {
  for (const letters of ['x', '\n', '"', '\\']) {
    const long = JSON.stringify(letters.repeat(5_000_000))
    expect(replaceNumbers(`[${long},1]`, () => '2') === `[${long},2]`).toBe(true)
  }
})
