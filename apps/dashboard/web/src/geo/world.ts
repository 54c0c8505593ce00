import type { Feature, FeatureCollection, MultiPolygon, Polygon } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { type Country, countries, countryOf } from './countries.ts'
import { cutAtDateLine } from './date-line.ts'

/** What a shape of the world is called. */
export interface ShapeProperties {
  /** Its country's alpha-2 code; the name itself where it has none (Somaliland). */
  readonly name: string
  /** In English, for people. */
  readonly title: string
}

/** The outlines of all countries (Natural Earth, 1:50 million), as GeoJSON in degrees. */
export type World = FeatureCollection<MultiPolygon, ShapeProperties>

let loaded: Promise<World> | undefined

/** Reads the outlines: three quarters of a megabyte, once. */
export function loadWorld(): Promise<World> {
  loaded ??= import('world-atlas/countries-50m.json').then(({ default: topology }) =>
    // The types of JSON do not know which words its texts are.
    worldOf(topology as unknown as WorldTopology),
  )
  return loaded
}

type WorldTopology = Topology<{ countries: GeometryCollection<{ name: string }> }>

/** The outlines of a topology whose shapes have numeric codes as ids. */
export function worldOf(topology: WorldTopology): World {
  const shapes = feature(topology, topology.objects.countries).features
  const byCode = new Map(countries.map((country) => [country.numeric, country]))
  const taken = new Set<string>()
  const features = shapes.flatMap((shape): World['features'] => {
    const { geometry } = shape
    if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return []
    const found = byCode.get(String(shape.id)) ?? (shape.id === undefined ? kosovo(shape.properties.name) : undefined)
    // Australia's smallest islands have its code, too: they are drawn and have no name.
    const name = found && !taken.has(found.iso2) ? found.iso2 : shape.properties.name
    taken.add(name)
    return [
      { type: 'Feature', geometry: flat(geometry), properties: { name, title: found?.name ?? shape.properties.name } },
    ]
  })
  return { type: 'FeatureCollection', features }
}

/** A shape of the globe on a flat map. Holes stay with the part they lie in, which is the only one: no country with one lies on the date line. */
function flat(shape: Polygon | MultiPolygon): MultiPolygon {
  const polygons = shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates
  const coordinates = polygons.flatMap(([outer = [], ...holes]) => {
    const [first = [], ...others] = cutAtDateLine(outer)
    return [[first, ...holes], ...others.map((part) => [part])]
  })
  return { type: 'MultiPolygon', coordinates }
}

// Natural Earth gives it no code, ISO leaves the one that all use to users.
function kosovo(name: string): Country | undefined {
  return name === 'Kosovo' ? countryOf('XK') : undefined
}

/** West, south, east and north, in degrees. */
export type Bounds = readonly [west: number, south: number, east: number, north: number]

/** The extent of a shape. */
export function boundsOf({ geometry }: Feature<MultiPolygon>): Bounds {
  // The largest part alone: islands across the date line would make it as wide as the world.
  const parts = geometry.coordinates.map(([ring = []]) => around(ring.map(([x = 0, y = 0]) => [x, y] as const)))
  const size = ([west, south, east, north]: Bounds): number => (east - west) * (north - south)
  return parts.reduce((largest, part) => (size(part) > size(largest) ? part : largest))
}

/** The extent of points; that of one is the point. */
export function around(points: readonly (readonly [lon: number, lat: number])[]): Bounds {
  let [west, south, east, north] = [180, 90, -180, -90]
  for (const [lon, lat] of points) {
    west = Math.min(west, lon)
    south = Math.min(south, lat)
    east = Math.max(east, lon)
    north = Math.max(north, lat)
  }
  return [west, south, east, north]
}
