import { describe, expect, it } from 'vitest'
import { distanceMetres, geohashBox, holdsPoint, readGeoPoint } from './geo.ts'

const berlin = { lat: 52.52, lon: 13.405 }
const paris = { lat: 48.8566, lon: 2.3522 }

describe('points', () => {
  it('are read in all their forms', () => {
    for (const given of [
      { lat: 52.52, lon: '13.405' },
      [13.405, 52.52],
      '52.52, 13.405',
      'POINT (13.405 52.52)',
      { type: 'Point', coordinates: [13.405, 52.52] },
    ])
      expect(readGeoPoint(given)).toEqual(berlin)
    expect(readGeoPoint('u33dc0')).toMatchObject({ lat: expect.closeTo(52.52, 1), lon: expect.closeTo(13.4, 1) })
    for (const given of ['hello, world', {}, [1], null, 5, { lat: 1 }]) expect(readGeoPoint(given)).toBe(undefined)
  })

  it('lie so far apart', () => {
    expect(distanceMetres(berlin, paris)).toBeCloseTo(877_464, -2)
    expect(distanceMetres(berlin, berlin)).toBe(0)
  })
})

describe('areas', () => {
  it('hold what lies in them, also across the date line', () => {
    expect(holdsPoint({ kind: 'circle', center: paris, metres: 878_000 }, berlin)).toBe(true)
    expect(holdsPoint({ kind: 'circle', center: paris, metres: 870_000 }, berlin)).toBe(false)
    const box = { kind: 'box', top: 53, bottom: 52, left: 13, right: 14 } as const
    expect(holdsPoint(box, berlin)).toBe(true)
    expect(holdsPoint({ ...box, left: 170, right: -170 }, { lat: 52.5, lon: 179 })).toBe(true)
    expect(holdsPoint({ ...box, left: 170, right: -170 }, berlin)).toBe(false)
    const triangle = [
      { lat: 50, lon: 10 },
      { lat: 55, lon: 13 },
      { lat: 50, lon: 16 },
    ]
    expect(holdsPoint({ kind: 'polygon', points: triangle }, berlin)).toBe(true)
    expect(holdsPoint({ kind: 'polygon', points: triangle }, paris)).toBe(false)
  })

  it('are cells of geohashes', () => {
    expect(geohashBox('u')).toEqual({ kind: 'box', top: 90, bottom: 45, left: 0, right: 45 })
    expect(geohashBox('a')).toBe(undefined)
  })
})
