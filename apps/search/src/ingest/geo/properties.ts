import { cidrBounds } from '@logstack/rules'
import type { GeoKind } from './databases.ts'

type Dictionary = Readonly<Record<string, unknown>>

/** What a database says of an address. */
export interface GeoAnswer {
  /** In its canonical text. */
  readonly ip: string
  readonly record: unknown
  readonly prefixBits: number
}

const isObject = (value: unknown): value is Dictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What stands at these keys of a record; undefined where a key is missing. */
function at(record: unknown, ...keys: readonly (string | number)[]): unknown {
  let value = record
  for (const key of keys) {
    if (Array.isArray(value)) value = value[Number(key)]
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key]
    else return undefined
  }
  return value
}

function location({ record }: GeoAnswer): unknown {
  const lat = at(record, 'location', 'latitude')
  const lon = at(record, 'location', 'longitude')
  return typeof lat === 'number' && typeof lon === 'number' ? { lat, lon } : undefined
}

function regionIsoCode({ record }: GeoAnswer): unknown {
  const country = at(record, 'country', 'iso_code')
  const region = at(record, 'subdivisions', 0, 'iso_code')
  return country === undefined || region === undefined ? undefined : `${String(country)}-${String(region)}`
}

/** The record says it of members only. */
function inEuropeanUnion(record: unknown, member: string): boolean | undefined {
  return at(record, member) === undefined ? undefined : at(record, member, 'is_in_european_union') === true
}

const ofCountry = {
  ip: ({ ip }: GeoAnswer) => ip,
  country_in_european_union: ({ record }: GeoAnswer) => inEuropeanUnion(record, 'country'),
  country_iso_code: ({ record }: GeoAnswer) => at(record, 'country', 'iso_code'),
  country_name: ({ record }: GeoAnswer) => at(record, 'country', 'names', 'en'),
  continent_code: ({ record }: GeoAnswer) => at(record, 'continent', 'code'),
  continent_name: ({ record }: GeoAnswer) => at(record, 'continent', 'names', 'en'),
  registered_country_in_european_union: ({ record }: GeoAnswer) => inEuropeanUnion(record, 'registered_country'),
  registered_country_iso_code: ({ record }: GeoAnswer) => at(record, 'registered_country', 'iso_code'),
  registered_country_name: ({ record }: GeoAnswer) => at(record, 'registered_country', 'names', 'en'),
}

const ofCity = {
  ...ofCountry,
  region_iso_code: regionIsoCode,
  region_name: ({ record }: GeoAnswer) => at(record, 'subdivisions', 0, 'names', 'en'),
  city_name: ({ record }: GeoAnswer) => at(record, 'city', 'names', 'en'),
  timezone: ({ record }: GeoAnswer) => at(record, 'location', 'time_zone'),
  location,
  postal_code: ({ record }: GeoAnswer) => at(record, 'postal', 'code'),
  accuracy_radius: ({ record }: GeoAnswer) => at(record, 'location', 'accuracy_radius'),
}

const ofAsn = {
  ip: ({ ip }: GeoAnswer) => ip,
  asn: ({ record }: GeoAnswer) => at(record, 'autonomous_system_number'),
  organization_name: ({ record }: GeoAnswer) => at(record, 'autonomous_system_organization'),
  network: ({ ip, prefixBits }: GeoAnswer) => {
    const network = cidrBounds(`${ip}/${prefixBits}`)
    return network && `${network.first}/${prefixBits}`
  },
}

/** What each kind of database can tell, by the names of `properties`. */
export const geoProperties: Readonly<Record<GeoKind, Readonly<Record<string, (answer: GeoAnswer) => unknown>>>> = {
  city: ofCity,
  country: ofCountry,
  asn: ofAsn,
}

/** What is told unless `properties` says otherwise. */
export const geoPropertiesByDefault: Readonly<Record<GeoKind, readonly string[]>> = {
  city: [
    'continent_name',
    'country_name',
    'country_iso_code',
    'region_iso_code',
    'region_name',
    'city_name',
    'location',
  ],
  country: ['continent_name', 'country_name', 'country_iso_code'],
  asn: ['ip', 'asn', 'organization_name', 'network'],
}
