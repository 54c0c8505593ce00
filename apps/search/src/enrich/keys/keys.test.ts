import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { geoMatchKeying } from './geo-match.ts'
import type { Keying, TableShape } from './keying.ts'
import { rangeKeying } from './range.ts'

const fieldOf = (wireType: string) => ({
  path: 'f',
  wireType,
  valueType: 'string' as const,
  parameters: {},
  sourcePath: 'f',
})

/** Whether a lookup of a value finds a row. */
function finds(keying: Keying, row: unknown, value: unknown, field?: TableShape['field']): boolean {
  const shape = field ? { field } : {}
  const { keys, sizes = [] } = keying.rowKeys(row, shape)
  const asked = keying.lookupKeys(value, { ...shape, sizes: [...new Set(sizes)] })
  return asked.some((key) => keys.includes(key)) && (keying.holds?.([row], value) ?? true)
}

describe('ranges', () => {
  const number = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

  it('of numbers hold what lies in them, and nothing else', () => {
    fc.assert(
      fc.property(number, number, number, (a, b, value) => {
        const [gte, lte] = a < b ? [a, b] : [b, a]
        const found = finds(rangeKeying, { gte, lte }, value, fieldOf('long_range'))
        expect(found).toBe(gte <= value && value <= lte)
        expect(finds(rangeKeying, { gte, lte }, gte, fieldOf('long_range'))).toBe(true)
        expect(finds(rangeKeying, { gte, lte }, lte, fieldOf('long_range'))).toBe(true)
      }),
    )
  })

  it('are cut into few pieces', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [gte, lte] = a < b ? [a, b] : [b, a]
        expect(rangeKeying.rowKeys({ gte, lte }, { field: fieldOf('long_range') }).keys.length).toBeLessThanOrEqual(126)
      }),
    )
    expect(rangeKeying.rowKeys('10.0.0.0/8', { field: fieldOf('ip_range') }).keys).toHaveLength(1)
    expect(rangeKeying.rowKeys({}, { field: fieldOf('long_range') }).keys).toHaveLength(1)
  })

  it.each([
    ['ip_range', '10.0.0.0/8', '10.255.0.1', '11.0.0.0'],
    ['ip_range', '2001:db8::/32', '2001:db8::1', '2001:db9::1'],
    ['ip_range', { gte: '10.0.0.3', lt: '10.0.0.9' }, '10.0.0.8', '10.0.0.9'],
    ['date_range', { gte: '2026-01-01', lt: '2026-02-01' }, '2026-01-31T23:59:59.999Z', '2026-02-01'],
    ['double_range', { gt: -1.5, lte: 2.5 }, -1.4999, -1.5],
    ['integer_range', { gte: 5 }, 2_147_483_647, 4],
  ])('%s %j holds %s and not %s', (type, range, inside, outside) => {
    expect(finds(rangeKeying, range, inside, fieldOf(type))).toBe(true)
    expect(finds(rangeKeying, range, outside, fieldOf(type))).toBe(false)
  })

  it('refuse what is no value of theirs', () => {
    expect(() => rangeKeying.lookupKeys('nowhere', { field: fieldOf('ip_range'), sizes: [0] })).toThrow()
    expect(() => rangeKeying.fieldOf('f', fieldOf('keyword'))).toThrow(
      "Field 'f' has type [keyword] which doesn't appear to be a range type",
    )
  })
})

describe('shapes', () => {
  const ring = [
    [0, 0],
    [10, 0],
    [10, 10],
    [0, 10],
    [0, 0],
  ]
  const hole = [
    [4, 4],
    [6, 4],
    [6, 6],
    [4, 6],
    [4, 4],
  ]

  it.each([
    ['a polygon with a hole', { type: 'Polygon', coordinates: [ring, hole] }, [3, 3], [5, 5]],
    ['a box across the date line', 'BBOX (170, -170, 10, -10)', [-175, 0], [0, 0]],
    ['a circle', { type: 'circle', coordinates: [13.4, 52.5], radius: '100km' }, [13.4, 53.39], [13.4, 53.41]],
    ['a circle around a pole', { type: 'circle', coordinates: [0, 89.5], radius: '200km' }, [180, 89], [0, 80]],
    ['a point', { lat: 1, lon: 2 }, [2, 1], [2, 1.1]],
    ['a collection', 'MULTIPOINT (1 1, 2 2)', [2, 2], [3, 3]],
  ])('%s holds what lies in it, and nothing else', (_what, shape, inside, outside) => {
    expect(finds(geoMatchKeying, shape, inside)).toBe(true)
    expect(finds(geoMatchKeying, shape, outside)).toBe(false)
  })

  it('refuse lines, and values that are no points', () => {
    expect(() => geoMatchKeying.rowKeys('LINESTRING (0 0, 1 1)', {})).toThrow('holds no point')
    expect(() => geoMatchKeying.lookupKeys(ring, { sizes: [3] })).toThrow('points only')
  })
})
