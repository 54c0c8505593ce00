import { expect, test } from 'vitest'
import { numberInterval } from './number-interval.ts'

test.each([
  [7.8, undefined, false, 0.2],
  [100, undefined, false, 2],
  [125, undefined, false, 2.5],
  [3, undefined, true, 1],
  [12, 4, true, 5],
  [0, undefined, false, 1],
  [1e6, 10, true, 1e5],
])(
  'values that reach over %d in at most %s bars (whole: %s) stand in steps of %d',
  (span, barsMax, whole, expected) => {
    expect(numberInterval(span, { barsMax, whole })).toBe(expected)
  },
)
