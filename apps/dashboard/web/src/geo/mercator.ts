import type { Bounds } from './world.ts'

// Web Mercator (EPSG:3857) in degrees: what Kibana's maps, and tiles, are drawn in. It ends where the world is a square.
const latMax = 85.0511

/** Degrees to the plane: x as the longitude, y upwards down. */
export function project([lon, lat]: readonly number[]): [number, number] {
  const bounded = Math.max(-latMax, Math.min(latMax, lat ?? 0))
  return [lon ?? 0, (-180 / Math.PI) * Math.log(Math.tan(Math.PI / 4 + (bounded * Math.PI) / 360))]
}

/** The plane to degrees. */
export function unproject([x, y]: readonly number[]): [number, number] {
  return [x ?? 0, (360 / Math.PI) * (Math.atan(Math.exp((-(y ?? 0) * Math.PI) / 180)) - Math.PI / 4)]
}

/** What a box of so many pixels shows around a point, where the world is `worldPx` wide at zoom 0 and twice as wide at each next. */
export function boundsAt(
  [lon, lat]: readonly [lon: number, lat: number],
  zoom: number,
  box: { readonly width: number; readonly height: number },
  worldPx: number,
): Bounds {
  const degreesPerPx = 360 / (worldPx * 2 ** zoom)
  const [x, y] = project([lon, lat])
  const [halfWidth, halfHeight] = [(box.width * degreesPerPx) / 2, (box.height * degreesPerPx) / 2]
  const [west, north] = unproject([Math.max(-180, x - halfWidth), Math.max(-180, y - halfHeight)])
  const [east, south] = unproject([Math.min(180, x + halfWidth), Math.min(180, y + halfHeight)])
  return [west, south, east, north]
}

/** Bounds with some room around, for points at their edge; never smaller than a few degrees. */
export function withRoom([west, south, east, north]: Bounds): Bounds {
  const [x, y] = [Math.max(1, (east - west) * 0.08), Math.max(1, (north - south) * 0.08)]
  return [Math.max(-180, west - x), Math.max(-latMax, south - y), Math.min(180, east + x), Math.min(latMax, north + y)]
}
