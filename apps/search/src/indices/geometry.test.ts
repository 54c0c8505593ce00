import { describe, expect, it } from 'vitest'
import { geometryText, readGeometry, showGeometry } from './geometry.ts'

const shown = (given: unknown) => {
  const read = readGeometry(given)
  return read && showGeometry(read, Number)
}

it.each([
  'POINT (1.5 -2.0)',
  'LINESTRING (0.0 0.0, 1.0 1.0)',
  'POLYGON ((0.0 0.0, 4.0 0.0, 4.0 4.0, 0.0 0.0), (1.0 1.0, 2.0 1.0, 2.0 2.0, 1.0 1.0))',
  'MULTIPOINT (1.0 2.0, 3.0 4.0)',
  'BBOX (1.0, 3.0, 4.0, 2.0)',
])('%s is written as it was read', (text) => {
  const read = readGeometry(text)
  expect(read && geometryText(read, (value) => value.toFixed(1))).toBe(text)
})

it('writes circles and collections', () => {
  const circle = { type: 'circle', coordinates: [1, 2], radius: '5km' }
  const read = readGeometry({
    type: 'GeometryCollection',
    geometries: [circle, { type: 'Point', coordinates: [3, 4] }],
  })
  expect(read && geometryText(read, String)).toBe('GEOMETRYCOLLECTION (CIRCLE (1 2 5km),POINT (3 4))')
})

const written: readonly (readonly [given: unknown, expected: unknown])[] = [
  ['POINT (1.5 -2)', { type: 'Point', coordinates: [1.5, -2] }],
  [
    'LINESTRING (0 0, 1 1)',
    {
      type: 'LineString',
      coordinates: [
        [0, 0],
        [1, 1],
      ],
    },
  ],
  [
    'POLYGON ((0 0, 4 0, 4 4, 0 0), (1 1, 2 1, 2 2, 1 1))',
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [4, 0],
          [4, 4],
          [0, 0],
        ],
        [
          [1, 1],
          [2, 1],
          [2, 2],
          [1, 1],
        ],
      ],
    },
  ],
  [
    'MULTIPOINT ((1 2), (3 4))',
    {
      type: 'MultiPoint',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    },
  ],
  [
    'multipoint (1 2, 3 4)',
    {
      type: 'MultiPoint',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    },
  ],
  [
    'BBOX (10, 20, 5, -5)',
    {
      type: 'Envelope',
      coordinates: [
        [10, 5],
        [20, -5],
      ],
    },
  ],
  [
    { type: 'point', coordinates: [1, 2, 100] },
    { type: 'Point', coordinates: [1, 2, 100] },
  ],
  [
    { type: 'circle', coordinates: [1, 2], radius: '1km' },
    { type: 'Circle', coordinates: [1, 2], radius: '1km' },
  ],
  [
    { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] },
    {
      type: 'GeometryCollection',
      geometries: [{ type: 'Point', coordinates: [1, 2] }],
    },
  ],
]

describe('shapes that can be read', () => {
  it.each(written)('%j are read and shown', (given, expected) => expect(shown(given)).toEqual(expected))
})

describe('what is no shape', () => {
  it.each([
    'POINT 1 2',
    'POINT (1)',
    'POINT (a b)',
    'POINT (200 0)',
    'POLYGON (0 0, 1 1)',
    'CUBE (1 1)',
    'BBOX (1, 2, 3)',
    'POINT (((((',
    '',
    7,
    null,
    [1, 2],
    { type: 'point' },
    { type: 'polygon', coordinates: [[1, 2]] },
    { type: 'geometrycollection', geometries: [{ type: 'x' }] },
    { type: 'toString', coordinates: [1, 2] },
  ])('%j is none', (given) => expect(readGeometry(given)).toBeUndefined())

  it('within each other end somewhere', () => {
    let nested: object = { type: 'point', coordinates: [1, 2] }
    for (let depth = 0; depth < 100; depth++) nested = { type: 'geometrycollection', geometries: [nested] }
    expect(readGeometry(nested)).toBeUndefined()
  })
})
