import { unproject } from './mercator.ts'
import type { Bounds } from './world.ts'

const alphabet = '0123456789bcdefghjkmnpqrstuvwxyz'

/** The extent of a cell of a `geohash_grid` (`u33d`); undefined for what is no key of one. */
export function geohashBounds(key: string): Bounds | undefined {
  let [west, south, east, north] = [-180, -90, 180, 90]
  let isLongitude = true
  for (const letter of key) {
    const bits = alphabet.indexOf(letter)
    if (bits < 0) return undefined
    for (let bit = 16; bit > 0; bit >>= 1) {
      const isUpper = (bits & bit) !== 0
      const middle = isLongitude ? (west + east) / 2 : (south + north) / 2
      if (isLongitude && isUpper) west = middle
      else if (isLongitude) east = middle
      else if (isUpper) south = middle
      else north = middle
      isLongitude = !isLongitude
    }
  }
  return key === '' ? undefined : [west, south, east, north]
}

/** The extent of a cell of a `geotile_grid` (`zoom/x/y`); undefined for what is no key of one. */
export function geotileBounds(key: string): Bounds | undefined {
  const [, zoom = '', x = '', y = ''] = /^(\d{1,2})\/(\d+)\/(\d+)$/.exec(key) ?? []
  if (zoom === '') return undefined
  const size = 360 / 2 ** Number(zoom)
  const [west, north] = unproject([Number(x) * size - 180, Number(y) * size - 180])
  const [east, south] = unproject([(Number(x) + 1) * size - 180, (Number(y) + 1) * size - 180])
  return [west, south, east, north]
}

/** Degrees of a point as cells hold it, `lat,lon`. */
export function pointOf(cell: unknown): readonly [lon: number, lat: number] | undefined {
  const [lat, lon] = typeof cell === 'string' ? cell.split(',').map(Number) : []
  const isPoint = lat !== undefined && lon !== undefined && Number.isFinite(lat) && Number.isFinite(lon)
  return isPoint ? [lon, lat] : undefined
}
