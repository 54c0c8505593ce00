import { HostObject } from './host-object.ts'
import { numberOf } from './typed-number.ts'

/** The mean radius of the earth that Lucene measures with. */
const earthRadiusMeters = 6_371_008.7714
const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** A degree as Lucene keeps it: in steps of the range over 2^32. */
function kept(degrees: number, range: number): number {
  const step = range / 2 ** 32
  return Math.floor(degrees / step) * step
}

/** A point of a `geo_point` field as a script holds it, with the precision that Elasticsearch keeps. */
export class GeoPointValue extends HostObject {
  override readonly className = 'org.elasticsearch.common.geo.GeoPoint'
  override readonly isValue = true
  readonly lat: number
  readonly lon: number

  /** `written`: `lat,lon`. */
  constructor(written: string) {
    super()
    const [lat = 0, lon = 0] = written.split(',').map(Number)
    this.lat = kept(lat, 180)
    this.lon = kept(lon, 360)
  }

  override method(name: string): ((...args: unknown[]) => unknown) | undefined {
    if (name === 'getLat') return () => numberOf('double', this.lat)
    return name === 'getLon' ? () => numberOf('double', this.lon) : undefined
  }

  /** Metres to a point over the great circle. */
  arcDistance(lat: number, lon: number): number {
    const between = Math.sin(radians(lat - this.lat) / 2) ** 2
    const across = Math.cos(radians(this.lat)) * Math.cos(radians(lat)) * Math.sin(radians(lon - this.lon) / 2) ** 2
    return 2 * earthRadiusMeters * Math.asin(Math.min(1, Math.sqrt(between + across)))
  }

  /** Metres to a point on a flat map around it. */
  planeDistance(lat: number, lon: number): number {
    const across = radians(lon - this.lon) * Math.cos(radians((lat + this.lat) / 2))
    return earthRadiusMeters * Math.hypot(across, radians(lat - this.lat))
  }

  override text(): string {
    return `${this.lat}, ${this.lon}`
  }

  override toJSON(): unknown {
    return { lat: this.lat, lon: this.lon }
  }
}
