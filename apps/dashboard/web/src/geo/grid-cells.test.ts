import { expect, test } from 'vitest'
import { geohashBounds, geotileBounds, pointOf } from './grid-cells.ts'

test('the cells of grids have the extent that their keys mean', () => {
  expect(geohashBounds('u')).toEqual([0, 45, 45, 90])
  const [west = 0, south = 0, east = 0, north = 0] = geohashBounds('u33d') ?? []
  expect([west < 13.4, east > 13.4, south < 52.5, north > 52.5]).toEqual([true, true, true, true])
  const tile = geotileBounds('1/1/0') ?? []
  expect(tile.map((degree) => Math.round(degree * 1000) / 1000)).toEqual([0, 0, 180, 85.051])
})

test('what is no key has no extent', () => {
  for (const key of ['', 'a!', 'ail']) expect(geohashBounds(key), key).toBeUndefined()
  for (const key of ['', 'u33d', '1/2', '1/x/0']) expect(geotileBounds(key), key).toBeUndefined()
})

test('a point is two numbers in a cell', () => {
  expect(pointOf('52.5,13.4')).toEqual([13.4, 52.5])
  for (const cell of [null, 7, '', 'x,y', '52.5']) expect(pointOf(cell)).toBeUndefined()
})
