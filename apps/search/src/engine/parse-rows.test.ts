import { expect, it } from 'vitest'
import { parseRows } from './parse-rows.ts'

it('reads one array a line', () => {
  expect(parseRows('[1, "a\\nb", null]\n[2.5, "", [true]]\n')).toEqual([
    [1, 'a\nb', null],
    [2.5, '', [true]],
  ])
  expect(parseRows('')).toEqual([])
})

it('keeps integers beyond 2^53 exact, as strings, and leaves digits inside strings and fractions alone', () => {
  const text =
    '[18446744073709551615, -9223372036854775808, 9007199254740991, "12345678901234567890 \\" 9999999999999999999", 0.1234567890123456, 1e300]'
  expect(parseRows(text)).toEqual([
    [
      '18446744073709551615',
      '-9223372036854775808',
      9007199254740991,
      '12345678901234567890 " 9999999999999999999',
      0.1234567890123456,
      1e300,
    ],
  ])
})
