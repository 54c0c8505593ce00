import { expect, test } from 'vitest'
import topology from 'world-atlas/countries-50m.json'
import { countries } from './countries.ts'
import { cutAtDateLine } from './date-line.ts'
import { boundsOf, worldOf } from './world.ts'

const world = worldOf(topology as unknown as Parameters<typeof worldOf>[0])
const shapeOf = (name: string) => world.features.find(({ properties }) => properties.name === name)

test('every shape has a name of its own, and all but a few countries have a shape', () => {
  const names = world.features.map(({ properties }) => properties.name)
  expect(new Set(names).size).toBe(names.length)
  const without = countries.filter(({ iso2 }) => !names.includes(iso2)).map(({ iso2 }) => iso2)
  // Parts of France, Norway, the Netherlands and Australia in this data, and the smallest islands.
  expect(without.sort()).toEqual('BQ BV CC CX GF GI GP MQ RE SJ TK TV UM YT'.split(' '))
  expect(shapeOf('SG')?.properties.title).toBe('Singapore')
  expect(shapeOf('XK')?.properties.title).toBe('Kosovo')
})

test('no edge runs across the map', () => {
  const wide: string[] = []
  for (const { properties, geometry } of world.features) {
    for (const ring of geometry.coordinates.flat()) {
      for (const [at, [lon = 0, lat = 0]] of ring.entries()) {
        const before = ring[at - 1] ?? [lon, lat]
        // Near the pole it may: no map shows that.
        if (lat > -84 && Math.abs(lon - (before[0] ?? 0)) > 180) wide.push(properties.title)
        if (Math.abs(lon) > 180) wide.push(properties.title)
      }
    }
  }
  expect(wide).toEqual([])
})

test('a shape over the date line is two, one around the pole is closed along it', () => {
  const square = [
    [170, 0],
    [-170, 0],
    [-170, 10],
    [170, 10],
    [170, 0],
  ]
  const [east, west] = cutAtDateLine(square)
  expect(Math.min(...(east ?? []).map(([lon = 0]) => lon))).toBe(170)
  expect(Math.max(...(east ?? []).map(([lon = 0]) => lon))).toBe(180)
  expect((west ?? []).every(([lon = 0]) => lon >= -180 && lon <= -170)).toBe(true)
  const polar = [-180, -90, 0, 90, 180].map((lon) => [lon, -70])
  const lowest = cutAtDateLine(polar)
    .flat()
    .map(([, lat = 0]) => lat)
  expect(Math.min(...lowest)).toBe(-90)
})

test('the bounds of a country are those of its largest part', () => {
  const france = shapeOf('FR')
  if (!france) throw new Error('France has no shape')
  const [west, south, east, north] = boundsOf(france)
  expect([west > -6, south > 41, east < 9, north < 52]).toEqual([true, true, true, true])
})
