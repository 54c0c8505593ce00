import { type GeoPoint, geohashBox } from '@logstack/rules'

const digits = '0123456789bcdefghjkmnpqrstuvwxyz'
/** Width of a cell at the equator, in metres, by the length of its geohash from 1. */
const cellWidths = [5_009_400, 1_252_300, 156_500, 39_100, 4_900, 1_200, 152.9, 38.2, 4.78, 1.19, 0.149, 0.037] as const

/** The geohash of a point, of that many letters. */
export function geohashOf({ lat, lon }: GeoPoint, length: number): string {
  let [bottom, top, left, right] = [-90, 90, -180, 180]
  let text = ''
  let alongLon = true
  while (text.length < length) {
    let value = 0
    for (let bit = 0; bit < 5; bit++) {
      const middle = alongLon ? (left + right) / 2 : (bottom + top) / 2
      const upper = (alongLon ? lon : lat) >= middle
      value = value * 2 + (upper ? 1 : 0)
      if (alongLon) [left, right] = upper ? [middle, right] : [left, middle]
      else [bottom, top] = upper ? [middle, top] : [bottom, middle]
      alongLon = !alongLon
    }
    text += digits[value] ?? ''
  }
  return text
}

/** How many letters a cell no wider than so many metres has. */
export function geohashLength(metres: number): number {
  const found = cellWidths.findIndex((width) => width <= metres)
  return found < 0 ? cellWidths.length : found + 1
}

/** A cell and the eight around it. */
export function cellsAround(hash: string): readonly string[] {
  const box = geohashBox(hash)
  if (!box) return [hash]
  const [height, width] = [box.top - box.bottom, box.right - box.left]
  const [lat, lon] = [(box.top + box.bottom) / 2, (box.left + box.right) / 2]
  const cells = [-1, 0, 1].flatMap((up) =>
    [-1, 0, 1].map((along) => {
      const east = lon + along * width
      const point = { lat: Math.max(-90, Math.min(90, lat + up * height)), lon: ((east + 540) % 360) - 180 }
      return geohashOf(point, hash.length)
    }),
  )
  return [...new Set(cells)]
}
