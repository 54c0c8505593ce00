import { expect, test } from 'vitest'
import topology from 'world-atlas/countries-50m.json'
import { chartTheme } from '../../../charts/palette.ts'
import { worldOf } from '../../../geo/world.ts'
import { boundariesNote } from '../model/map/boundaries.ts'
import { boundsOfView, inhabited } from '../model/map/view.ts'
import type { Table } from '../model/table.ts'
import { rampColor } from './ramp-color.ts'
import { regionScene } from './region-scene.ts'
import { placed, worldMapOption } from './world-map-option.ts'

const world = worldOf(topology as unknown as Parameters<typeof worldOf>[0])
const table: Table = {
  columns: [
    { id: 'r', label: 'Country', role: 'bucket', type: 'text' },
    { id: 'n', label: 'Count', role: 'metric', type: 'number' },
  ],
  rows: [
    { r: 'DE', n: 10 },
    { r: 'France', n: 4 },
    { r: 'ITA', n: 1 },
    { r: 'Atlantis', n: 7 },
    { r: '', n: 9 },
    { r: 'ES', n: null },
  ],
}
const scene = regionScene({
  table,
  region: 'r',
  value: 'n',
  ramp: ['#000000', '#646464'],
  view: 'data',
  filtersOf: (value) => [{ field: 'country', value }],
})

test('countries are coloured by their value between the least and the greatest', () => {
  const colors = scene.regions.map(({ place, color }) => [place, color])
  expect(Object.fromEntries(colors)).toEqual({
    DE: '#646464',
    France: '#212121',
    ITA: '#000000',
    Atlantis: '#434343',
  })
  expect(scene.legends).toEqual([{ title: 'Count', ramp: { colors: ['#000000', '#646464'], from: '1', to: '10' } }])
})

test('countries are found by codes and names, what is none is told', () => {
  const found = placed(scene, world)
  expect([...found.regions.keys()]).toEqual(['DE', 'FR', 'IT'])
  expect(found.unplaced).toEqual(['Atlantis'])
  const [west, south, east, north] = found.bounds
  expect([west < 0, south < 38, east > 15, north > 54]).toEqual([true, true, true, true])
  expect(worldMapOption(found, world, chartTheme('light'), undefined, 'world')).toMatchObject({
    geo: {
      map: 'world',
      regions: [{ name: 'DE', itemStyle: { areaColor: '#646464' } }, { name: 'FR' }, { name: 'IT' }],
    },
  })
})

test('a ramp is mixed between its colours and ends at both ends', () => {
  const ramp = ['#ff0000', '#00ff00', '#0000ff']
  expect([-1, 0, 0.25, 0.5, 1, 2].map((share) => rampColor(ramp, share))).toEqual([
    '#ff0000',
    '#ff0000',
    '#808000',
    '#00ff00',
    '#0000ff',
    '#0000ff',
  ])
})

test('a saved view is as wide as its zoom says, and the world where it is more than half of it', () => {
  const panel = { place: { x: 0, y: 0, w: 24, h: 15 } }
  expect(boundsOfView({ lat: 0, lon: 0, zoom: 2, worldPx: 256 }, panel)).toEqual(inhabited)
  const [west, , east] = boundsOfView({ lat: 52, lon: 13, zoom: 5, worldPx: 256 }, panel)
  expect((west + east) / 2).toBeCloseTo(13)
  expect(east - west).toBeCloseTo((360 * 24 * 29) / (256 * 32))
})

test('boundaries of anything but countries are told of', () => {
  expect(boundariesNote(['elastic_maps_service.World Countries', 'World Countries'])).toEqual([])
  expect(boundariesNote(['self_hosted.World (offline)', 'World (offline)'])).toEqual([])
  expect(boundariesNote([undefined])).toEqual([])
  expect(boundariesNote(['usa_states'])[0]).toContain('usa_states')
})
