import { expect, it } from 'vitest'
import { addressBounds, encodeSpan, spansRelate } from './span.ts'

it('orders numbers of each kind as numbers', () => {
  const doubles = [Number.NEGATIVE_INFINITY, -1e300, -1.5, -1e-300, 0, 1e-300, 1.5, 1e300]
  const longs = [-(2n ** 63n), -1, 0, 1, 2 ** 53 - 1, 2n ** 63n - 1n]
  const addresses = ['0.0.0.0', '10.0.0.1', '10.0.0.2', '255.255.255.255', '2001:db8::1']
  const point = (value: number | bigint | string, kind: 'double' | 'long' | 'ip') =>
    encodeSpan({ gte: value, lte: value }, kind) ?? ''
  for (const texts of [
    doubles.map((value) => point(value, 'double')),
    longs.map((value) => point(value, 'long')),
    addresses.map((value) => point(value, 'ip')),
  ])
    expect([...texts].sort()).toEqual(texts)
})

it('knows how ranges lie to each other', () => {
  const span = (low: number, high: number) => encodeSpan({ gte: low, lte: high }, 'long') ?? ''
  expect(spansRelate(span(1, 5), span(5, 9), 'intersects')).toBe(true)
  expect(spansRelate(span(1, 5), span(6, 9), 'intersects')).toBe(false)
  expect(spansRelate(span(1, 9), span(2, 3), 'contains')).toBe(true)
  expect(spansRelate(span(1, 9), span(0, 3), 'contains')).toBe(false)
  expect(spansRelate(span(2, 3), span(1, 9), 'within')).toBe(true)
  expect(spansRelate(span(2, 10), span(1, 9), 'within')).toBe(false)
})

it('leaves out excluded ends, and finds an empty range', () => {
  expect(encodeSpan({ gt: 1, lt: 4 }, 'long')).toBe(encodeSpan({ gte: 2, lte: 3 }, 'long'))
  expect(encodeSpan({ gt: 1, lt: 2 }, 'long')).toBeUndefined()
  expect(addressBounds('10.0.0.0/8')).toEqual({ gte: '10.0.0.0', lte: '10.255.255.255' })
  expect(addressBounds('x')).toBeUndefined()
})
