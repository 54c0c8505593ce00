import { setOwn } from '../json/own-member.ts'
import { hashPlaces, inHashOrder } from './java-hash.ts'

/** A map of a script: an object, whose keys are texts. */
export type Dictionary = Record<string, unknown>

/** The order in which a map goes through its keys: Java's of hashes, the natural one, or as they came. */
type MapOrder = 'hash' | 'natural' | 'insertion'

interface Nature {
  order: MapOrder
  /** Keys that are no texts, by the text they are kept under. */
  readonly keys: Map<string, unknown>
}

/** What of a script's map an object cannot say. Documents and parameters have none: they keep their order. */
const natures = new WeakMap<object, Nature>()

function natureOf(map: object): Nature {
  const known = natures.get(map) ?? { order: 'insertion', keys: new Map<string, unknown>() }
  natures.set(map, known)
  return known
}

/** Notes how a map is ordered. */
export function withOrder<T extends object>(map: T, order: MapOrder): T {
  natureOf(map).order = order
  return map
}

/** Whether a map's keys are ordered by themselves. */
export function mapOrder(map: object): MapOrder {
  return natures.get(map)?.order ?? 'insertion'
}

/** Notes a key that is no text. */
export function noteKey(map: object, property: string, key: unknown): void {
  natureOf(map).keys.set(property, key)
}

/** Keys and values of a map in its order, keys as they were given. Removed keys leave a `HashMap` as large as it was; that is not looked at. */
export function mapEntries(map: object): [unknown, unknown][] {
  const entries = Object.entries(map)
  const nature = natures.get(map)
  if (!nature) return entries
  const given = entries.map(([key, value]): [unknown, unknown] => [
    nature.keys.has(key) ? nature.keys.get(key) : key,
    value,
  ])
  if (nature.order === 'hash') return inHashOrder(given, ([key]) => key, hashPlaces(given.length))
  if (nature.order === 'insertion') return given
  const isBefore = (one: unknown, other: unknown) =>
    typeof one === 'string' && typeof other === 'string' ? one < other : Number(one) < Number(other)
  return given.sort(([one], [other]) => (isBefore(one, other) ? -1 : 1))
}

/** Puts an object's keys in the order of the map it is: what prints the object knows no other. */
export function settleOrder(map: Dictionary): void {
  if (mapOrder(map) === 'insertion') return
  const properties = new Map([...natureOf(map).keys].map(([property, key]) => [key, property]))
  const ordered = mapEntries(map).map(([key, value]): [string, unknown] => [properties.get(key) ?? String(key), value])
  for (const [key] of ordered) delete map[key]
  for (const [key, value] of ordered) setOwn(map, key, value)
}
