/** A connection from somewhere to somewhere. */
export interface Connection {
  readonly '@timestamp': string
  readonly source: {
    readonly bytes: number
    readonly geo: {
      readonly country_iso_code: string
      readonly country_name: string
      readonly city_name: string
      readonly location: Place
    }
  }
  readonly destination: { readonly geo: { readonly location: Place } }
}

/** Degrees. */
export interface Place {
  readonly lat: number
  readonly lon: number
}

/** The hour of the documents, as parameters of a page. */
export const range = 'from=2026-03-01T12:00:00.000Z&to=2026-03-01T12:59:59.999Z'
const startMs = Date.UTC(2026, 2, 1, 12)

/** A city, its country by code and name, and how many connections come from it. French Guiana has no outline of its own. */
export const cities = [
  { city: 'Berlin', iso2: 'DE', name: 'Germany', lat: 52.5, lon: 13.4, connections: 5 },
  { city: 'Chicago', iso2: 'US', name: 'United States', lat: 41.9, lon: -87.6, connections: 12 },
  { city: 'Singapore', iso2: 'SG', name: 'Singapore', lat: 1.3, lon: 103.8, connections: 3 },
  { city: 'Brasília', iso2: 'BR', name: 'Brazil', lat: -15.8, lon: -47.9, connections: 8 },
  { city: 'Cayenne', iso2: 'GF', name: 'French Guiana', lat: 4.9, lon: -52.3, connections: 1 },
] as const

/** All go to Frankfurt. */
const frankfurt: Place = { lat: 50.1, lon: 8.7 }

/** The connections, one every minute. */
export const connections: readonly Connection[] = cities
  .flatMap((from) => Array.from({ length: from.connections }, () => from))
  .map(({ city, iso2, name, lat, lon }, at) => ({
    '@timestamp': new Date(startMs + at * 60_000).toISOString(),
    source: {
      bytes: 100 * (at + 1),
      geo: { country_iso_code: iso2, country_name: name, city_name: city, location: { lat, lon } },
    },
    destination: { geo: { location: frankfurt } },
  }))

const geo = {
  country_iso_code: { type: 'keyword' },
  country_name: { type: 'keyword' },
  city_name: { type: 'keyword' },
  location: { type: 'geo_point' },
}

/** How they are stored. */
export const properties = {
  '@timestamp': { type: 'date' },
  source: { properties: { bytes: { type: 'long' }, geo: { properties: geo } } },
  destination: { properties: { geo: { properties: { location: { type: 'geo_point' } } } } },
}
