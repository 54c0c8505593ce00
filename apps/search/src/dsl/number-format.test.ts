import { expect, it } from 'vitest'
import { formatNumber } from './number-format.ts'

it.each([
  ['0.0', 3, '3.0'],
  ['#,##0.00', 1234567.891, '1,234,567.89'],
  ['#,##0.00', -0.5, '-0.50'],
  ['0.#%', 0.1234, '12.3%'],
  ["'Value is' ##0.0", 0, 'Value is 0.0'],
  ["'Value is 'a#.#", 12.34, 'Value is a12.3'],
  ['#', 2.5, '2'],
  ['#', 3.5, '4'],
  ['#.00', 0.256, '.26'],
  ['0;(0)', -7, '(7)'],
])('%s shows %d as %s', (pattern, value, shown) => expect(formatNumber(pattern, value)).toBe(shown))

it('refuses what is no pattern', () => expect(() => formatNumber('strict_date_time', 1)).toThrow('Invalid format'))
