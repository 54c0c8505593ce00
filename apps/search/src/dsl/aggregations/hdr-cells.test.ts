import { describe, expect, it } from 'vitest'
import { hdrUpperEnd } from './hdr-cells.ts'

describe('the upper end of a cell of an HdrHistogram', () => {
  it.each([
    [1, 1, 1],
    [51, 1, 51.0302734375],
    [101, 1, 101.0615234375],
    [151, 1, 151.1240234375],
    [51, 51, 51],
    [101, 51, 101.03125],
    [0, 1, 0],
  ])('of %d among values from %d up is %d', (value, least, expected) => {
    expect(hdrUpperEnd(value, least, 3)).toBe(expected)
  })

  it('is coarser with fewer digits', () => {
    expect(hdrUpperEnd(145, 1, 1)).toBeGreaterThan(hdrUpperEnd(145, 1, 2))
    expect(hdrUpperEnd(145, 1, 2)).toBeGreaterThan(hdrUpperEnd(145, 1, 3))
  })
})
