/** A shape as GeoJSON (RFC 7946) has it, its type in lower case; `envelope` and `circle` are Elasticsearch's own. */
export interface Geometry {
  readonly type: string
  /** Longitudes before latitudes, in lists as deep as the type says; absent for collections. */
  readonly coordinates?: unknown
  /** Of a circle. */
  readonly radius?: unknown
  /** Of a collection. */
  readonly geometries?: readonly Geometry[]
}

/** How deep the lists of coordinates of a type are; GeoJSON's name of it. */
const types: Readonly<Record<string, readonly [depth: number, name: string]>> = {
  point: [1, 'Point'],
  multipoint: [2, 'MultiPoint'],
  linestring: [2, 'LineString'],
  multilinestring: [3, 'MultiLineString'],
  polygon: [3, 'Polygon'],
  multipolygon: [4, 'MultiPolygon'],
  envelope: [2, 'Envelope'],
  circle: [1, 'Circle'],
}

function isPosition(given: unknown): boolean {
  if (!Array.isArray(given) || given.length < 2 || given.length > 3) return false
  const [lon, lat] = given
  return typeof lon === 'number' && typeof lat === 'number' && Math.abs(lon) <= 180 && Math.abs(lat) <= 90
}

function isDeep(given: unknown, depth: number): boolean {
  if (depth === 1) return isPosition(given)
  return Array.isArray(given) && given.length > 0 && given.every((each) => isDeep(each, depth - 1))
}

/** Collections within each other. */
const depthMax = 20

/** Reads GeoJSON or well-known text (`POINT (1 2)`); undefined for what is no shape. */
export function readGeometry(given: unknown, depth = 0): Geometry | undefined {
  if (typeof given === 'string') return readText(given)
  if (typeof given !== 'object' || given === null || Array.isArray(given) || depth > depthMax) return undefined
  const { type: name, coordinates, radius, geometries: parts }: { [key: string]: unknown } = { ...given }
  const type = String(name).toLowerCase()
  if (type === 'geometrycollection') {
    const geometries = Array.isArray(parts) ? parts.map((part) => readGeometry(part, depth + 1)) : [undefined]
    return geometries.every((part) => part !== undefined) ? { type, geometries } : undefined
  }
  const known = Object.hasOwn(types, type) ? types[type] : undefined
  if (!known || !isDeep(coordinates, known[0])) return undefined
  return { type, coordinates, ...(radius === undefined ? {} : { radius }) }
}

/** Letters of a shape's text that are looked at: RFC 7946 has no limit, a document has. */
const textLettersMax = 10_000_000

function readText(text: string): Geometry | undefined {
  const [, name = '', body = ''] =
    (text.length <= textLettersMax && /^\s*([A-Za-z]+)\s*(\(.*\))\s*$/su.exec(text)) || []
  const type = name.toLowerCase()
  if (type === 'bbox') return readBox(body)
  const known = Object.hasOwn(types, type) && type !== 'envelope' && type !== 'circle' ? types[type] : undefined
  if (!known || !/^[\s\d.,()eE+-]*$/u.test(body)) return undefined
  const json = body
    .replace(/[^\s,()]+(?:\s+[^\s,()]+)+/gu, (position) => `[${position.trim().split(/\s+/u).join(',')}]`)
    .replaceAll('(', '[')
    .replaceAll(')', ']')
  let read: unknown
  try {
    read = JSON.parse(json)
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined
    throw thrown
  }
  // A point's parentheses hold the one position itself; points of several may stand in parentheses of their own.
  const lists = Array.isArray(read) ? (read as unknown[]) : []
  const coordinates = type === 'point' ? lists[0] : type === 'multipoint' ? lists.map(unwrapped) : lists
  return isDeep(coordinates, known[0]) ? { type, coordinates } : undefined
}

function unwrapped(given: unknown): unknown {
  return Array.isArray(given) && given.length === 1 ? given[0] : given
}

/** `BBOX (left, right, top, bottom)`. */
function readBox(body: string): Geometry | undefined {
  const [left, right, top, bottom, more] = body.slice(1, -1).split(',').map(Number)
  const coordinates = [
    [left, top],
    [right, bottom],
  ]
  return more === undefined && isDeep(coordinates, 2) ? { type: 'envelope', coordinates } : undefined
}

/** A shape as `fields` shows it: GeoJSON with its own names, its numbers made by `decimal`. */
export function showGeometry(
  { type, coordinates, radius, geometries }: Geometry,
  decimal: (value: number) => unknown,
): Record<string, unknown> {
  if (geometries) {
    return { type: 'GeometryCollection', geometries: geometries.map((part) => showGeometry(part, decimal)) }
  }
  const shown = (given: unknown): unknown => (Array.isArray(given) ? given.map(shown) : decimal(Number(given)))
  return {
    coordinates: shown(coordinates),
    ...(radius === undefined ? {} : { radius }),
    type: types[type]?.[1] ?? type,
  }
}

/** A shape as well-known text, its numbers written by `decimal`. */
export function geometryText(
  { type, coordinates, radius, geometries }: Geometry,
  decimal: (value: number) => string,
): string {
  if (geometries) return `GEOMETRYCOLLECTION (${geometries.map((part) => geometryText(part, decimal)).join(',')})`
  const position = (given: unknown) => (given as readonly number[]).map(decimal).join(' ')
  if (type === 'circle') return `CIRCLE (${position(coordinates)} ${String(radius)})`
  if (type === 'envelope') {
    const [[left, top], [right, bottom]] = coordinates as readonly [
      readonly [number, number],
      readonly [number, number],
    ]
    return `BBOX (${[left, right, top, bottom].map(decimal).join(', ')})`
  }
  const within = (given: unknown, depth: number): string =>
    depth === 1
      ? position(given)
      : `(${(given as readonly unknown[]).map((each) => within(each, depth - 1)).join(', ')})`
  const [depth] = types[type] ?? [1]
  return `${type.toUpperCase()} ${depth === 1 ? `(${position(coordinates)})` : within(coordinates, depth)}`
}
