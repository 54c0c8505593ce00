import { hashOf } from './java-hash.ts'
import { equal, own, propertyOf, putKey, textOf } from './java-values.ts'
import { grouped } from './list-methods.ts'
import { entriesOf, MapEntry } from './map-entry.ts'
import { asView } from './map-view.ts'
import type { MethodTable } from './method-table.ts'
import { type Dictionary, mapEntries, mapOrder, withOrder } from './script-map.ts'
import { ScriptSet } from './script-set.ts'

type OfEntry = (key: unknown, value: unknown) => unknown

/** Keeps a key with what a function gave for it; null removes it. */
function putGiven(map: Dictionary, key: unknown, value: unknown): unknown {
  if (value === null) delete map[propertyOf(key)]
  else putKey(map, key, value)
  return value
}

const keysOf = (map: Dictionary) => mapEntries(map).map(([key]) => key)
const where = (map: Dictionary, test: OfEntry) => mapEntries(map).filter(([key, value]) => test(key, value) === true)

/** Methods of maps, and of their entries. */
export const mapMethods: MethodTable = {
  get: own,
  getOrDefault: (map: Dictionary, key: unknown, otherwise: unknown) =>
    Object.hasOwn(map, propertyOf(key)) ? map[propertyOf(key)] : otherwise,
  put: putKey,
  putIfAbsent: (map: Dictionary, key: unknown, value: unknown) =>
    own(map, key) === null ? putKey(map, key, value) : own(map, key),
  putAll: (map: Dictionary, other: Dictionary) => {
    for (const [key, value] of mapEntries(other)) putKey(map, key, value)
  },
  computeIfAbsent: (map: Dictionary, key: unknown, make: (key: unknown) => unknown) =>
    own(map, key) ?? putGiven(map, key, make(key)),
  computeIfPresent: (map: Dictionary, key: unknown, change: OfEntry) =>
    own(map, key) === null ? null : putGiven(map, key, change(key, own(map, key))),
  compute: (map: Dictionary, key: unknown, change: OfEntry) => putGiven(map, key, change(key, own(map, key))),
  merge: (map: Dictionary, key: unknown, value: unknown, join: OfEntry) =>
    putGiven(map, key, own(map, key) === null ? value : join(own(map, key), value)),
  remove: (map: Dictionary, key: unknown) => {
    const old = own(map, key)
    delete map[propertyOf(key)]
    return old
  },
  containsKey: (map: Dictionary, key: unknown) => Object.hasOwn(map, propertyOf(key)),
  containsValue: (map: Dictionary, value: unknown) => Object.values(map).some((item) => equal(item, value)),
  keySet: (map: Dictionary) => asView(ScriptSet.holding(keysOf(map), true), map, keysOf(map)),
  values: (map: Dictionary) =>
    asView(
      mapEntries(map).map(([, value]) => value),
      map,
      keysOf(map),
    ),
  entrySet: (map: Dictionary) => asView(ScriptSet.holding(entriesOf(map), true), map, keysOf(map)),
  size: (map: Dictionary) => Object.keys(map).length,
  isEmpty: (map: Dictionary) => Object.keys(map).length === 0,
  clear: (map: Dictionary) => {
    for (const key of Object.keys(map)) delete map[key]
  },
  forEach: (map: Dictionary, use: OfEntry) => {
    for (const [key, value] of mapEntries(map)) use(key, value)
  },
  each: (map: Dictionary, use: OfEntry) => {
    for (const [key, value] of mapEntries(map)) use(key, value)
    return map
  },
  replaceAll: (map: Dictionary, change: OfEntry) => {
    for (const [key, value] of mapEntries(map)) putKey(map, key, change(key, value))
  },
  any: (map: Dictionary, test: OfEntry) => where(map, test).length > 0,
  every: (map: Dictionary, test: OfEntry) => where(map, test).length === Object.keys(map).length,
  count: (map: Dictionary, test: OfEntry) => where(map, test).length,
  find: (map: Dictionary, test: OfEntry) => {
    const [first] = where(map, test)
    return first ? new MapEntry(map, first[0], first[1]) : null
  },
  findAll: (map: Dictionary, test: OfEntry) => {
    const kept: Dictionary = withOrder({}, mapOrder(map))
    for (const [key, value] of where(map, test)) putKey(kept, key, value)
    return kept
  },
  collect: (map: Dictionary, apply: OfEntry) => mapEntries(map).map(([key, value]) => apply(key, value)),
  groupBy: (map: Dictionary, keyOf: OfEntry) => {
    const groups: Dictionary = withOrder({}, 'hash')
    const byKey = grouped(entriesOf(map), (entry) => keyOf((entry as MapEntry).key, (entry as MapEntry).value))
    for (const [group, entries] of mapEntries(byKey)) {
      const held: Dictionary = withOrder({}, 'hash')
      for (const { key, value } of entries as MapEntry[]) putKey(held, key, value)
      putKey(groups, group, held)
    }
    return groups
  },
  hashCode: hashOf,
  equals: equal,
  toString: textOf,
}
