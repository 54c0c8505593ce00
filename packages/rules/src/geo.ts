import { boundedRegExp } from './bounded-regexp.ts'

/** A point on the earth, in degrees. */
export interface GeoPoint {
  readonly lat: number
  readonly lon: number
}

/** An area that points are looked for in. A box whose `left` is beyond its `right` crosses the date line; a polygon is closed by itself. */
export type GeoShape =
  | { readonly kind: 'circle'; readonly center: GeoPoint; readonly metres: number }
  | {
      readonly kind: 'box'
      readonly top: number
      readonly left: number
      readonly bottom: number
      readonly right: number
    }
  | { readonly kind: 'polygon'; readonly points: readonly GeoPoint[] }

/** The mean radius of the earth in metres, as Lucene has it. */
export const earthRadiusMetres = 6_371_008.7714

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** The distance of two points on a sphere, in metres. */
export function distanceMetres(a: GeoPoint, b: GeoPoint): number {
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2
  const h = half(a.lat, b.lat) + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * half(a.lon, b.lon)
  return 2 * earthRadiusMetres * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** Whether an area holds a point. */
export function holdsPoint(shape: GeoShape, { lat, lon }: GeoPoint): boolean {
  if (shape.kind === 'circle') return distanceMetres(shape.center, { lat, lon }) <= shape.metres
  if (shape.kind === 'box') {
    const { top, left, bottom, right } = shape
    const across = left <= right ? lon >= left && lon <= right : lon >= left || lon <= right
    return lat <= top && lat >= bottom && across
  }
  // A line from the point northwards crosses the sides of an area that holds it an odd number of times.
  let inside = false
  for (const [at, a] of shape.points.entries()) {
    const b = shape.points[(at + 1) % shape.points.length] ?? a
    if (a.lon > lon !== b.lon > lon && lat < ((b.lat - a.lat) * (lon - a.lon)) / (b.lon - a.lon) + a.lat)
      inside = !inside
  }
  return inside
}

/** A point as the text that fields keep: `lat,lon`. */
export function pointText({ lat, lon }: GeoPoint): string {
  return `${lat},${lon}`
}

const coordinate = String.raw`\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*`
const pair = boundedRegExp(`^(${coordinate}),(${coordinate})(?:,${coordinate})?$`, 'u')
const wellKnown = boundedRegExp(
  `^\\s*POINT\\s*\\((${coordinate})[ ]+(${coordinate})(?:[ ]+${coordinate})?\\)\\s*$`,
  'iu',
)
const hash = /^[0-9b-hjkmnp-z]{1,12}$/iu

/** A point in any of its written forms: object, `[lon, lat]`, `lat,lon`, `POINT (lon lat)`, geohash, GeoJSON; undefined when it is none. */
export function readGeoPoint(given: unknown): GeoPoint | undefined {
  if (typeof given === 'string') return readPointText(given)
  if (Array.isArray(given)) return given.length < 2 || given.length > 3 ? undefined : pointOf(given[1], given[0])
  if (given === null || typeof given !== 'object') return undefined
  const members = given as Readonly<Record<string, unknown>>
  const { lat, lon, geohash, coordinates, type } = members
  if (geohash !== undefined) return typeof geohash === 'string' ? decodeGeohash(geohash) : undefined
  if (Array.isArray(coordinates)) return String(type).toLowerCase() === 'point' ? readGeoPoint(coordinates) : undefined
  return pointOf(lat, lon)
}

function readPointText(text: string): GeoPoint | undefined {
  const written = pair.exec(text)
  if (written) return pointOf(written[1], written[2])
  const known = wellKnown.exec(text)
  if (known) return pointOf(known[2], known[1])
  return hash.test(text) ? decodeGeohash(text) : undefined
}

function pointOf(lat: unknown, lon: unknown): GeoPoint | undefined {
  const read = (value: unknown) =>
    typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN
  const point = { lat: read(lat), lon: read(lon) }
  return Number.isFinite(point.lat) && Number.isFinite(point.lon) ? point : undefined
}

const digits = '0123456789bcdefghjkmnpqrstuvwxyz'

/** The cell of a geohash. Undefined when the text is none. */
export function geohashBox(text: string): Extract<GeoShape, { kind: 'box' }> | undefined {
  let [bottom, top, left, right] = [-90, 90, -180, 180]
  let alongLon = true
  for (const letter of text.toLowerCase()) {
    const value = digits.indexOf(letter)
    if (value < 0) return undefined
    for (let bit = 16; bit >= 1; bit /= 2) {
      const upper = Math.floor(value / bit) % 2 === 1
      if (alongLon) {
        const middle = (left + right) / 2
        if (upper) left = middle
        else right = middle
      } else {
        const middle = (bottom + top) / 2
        if (upper) bottom = middle
        else top = middle
      }
      alongLon = !alongLon
    }
  }
  return text === '' ? undefined : { kind: 'box', top, left, bottom, right }
}

/** The middle of a geohash's cell. */
function decodeGeohash(text: string): GeoPoint | undefined {
  const box = geohashBox(text)
  return box && { lat: (box.top + box.bottom) / 2, lon: (box.left + box.right) / 2 }
}
