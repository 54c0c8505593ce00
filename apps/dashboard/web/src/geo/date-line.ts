type Ring = readonly (readonly number[])[]

/**
 * A ring of a globe as rings of a flat map from -180 to 180: what crosses the date line is cut there, what goes around a pole is closed along it.
 * The outlines that are published as topologies are not cut: drawn as they are, their edges would run across the whole map.
 */
export function cutAtDateLine(ring: Ring): number[][][] {
  const whole = unwrapped(ring)
  const longitudes = whole.map(([lon = 0]) => lon)
  const [west, east] = [Math.min(...longitudes), Math.max(...longitudes)]
  const first = Math.floor((west + 180) / 360)
  const last = Math.ceil((east + 180) / 360) - 1
  const worlds = Array.from({ length: Math.max(1, last - first + 1) }, (_, at) => first + at)
  return worlds
    .map((world) =>
      within(whole, 360 * world - 180, 360 * world + 180).map(([lon = 0, lat = 0]) => [lon - 360 * world, lat]),
    )
    .filter((part) => part.length > 3)
}

/** Longitudes without jumps: they go on beyond 180. */
function unwrapped(ring: Ring): number[][] {
  let turn = 0
  let before = ring[0]?.[0] ?? 0
  const points = ring.map(([lon = 0, lat = 0]) => {
    if (lon - before > 180) turn -= 360
    if (before - lon > 180) turn += 360
    before = lon
    return [lon + turn, lat]
  })
  const [start, end] = [points[0], points.at(-1)]
  const isAroundPole = start && end && Math.abs((end[0] ?? 0) - (start[0] ?? 0)) > 180
  if (!isAroundPole) return points
  const pole = (start[1] ?? 0) < 0 ? -90 : 90
  return [...points, [end[0] ?? 0, pole], [start[0] ?? 0, pole], start]
}

/** The part of a closed ring between two meridians (Sutherland and Hodgman), closed. */
function within(ring: Ring, west: number, east: number): number[][] {
  const right = clipped(ring, west, (lon) => lon >= west)
  const both = clipped(right, east, (lon) => lon <= east)
  const [start] = both
  return start ? [...both, start] : []
}

function clipped(ring: Ring, edge: number, isInside: (lon: number) => boolean): number[][] {
  const points: number[][] = []
  for (const [at, [lon = 0, lat = 0]] of ring.entries()) {
    const [lonBefore = 0, latBefore = 0] = ring[(at + ring.length - 1) % ring.length] ?? []
    if (isInside(lon) !== isInside(lonBefore)) {
      points.push([edge, latBefore + ((lat - latBefore) * (edge - lonBefore)) / (lon - lonBefore)])
    }
    if (isInside(lon)) points.push([lon, lat])
  }
  return points
}
