import { setOwn } from '../json/own-member.ts'
import { settleOrder } from './script-map.ts'
import { TypedNumber } from './typed-number.ts'

/**
 * Makes a script's values plain, within lists and maps too and in place: numbers lose their type, maps of hashes get their order for good, since
 * what goes on with them knows neither.
 */
export function withoutTypes(value: unknown, seen = new Set<unknown>()): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof TypedNumber) return value.plain()
  if (seen.has(value)) return value
  seen.add(value)
  if (Array.isArray(value)) {
    if (Object.isFrozen(value)) return value.map((each) => withoutTypes(each, seen))
    for (const [at, each] of value.entries()) if (typeof each === 'object') value[at] = withoutTypes(each, seen)
  } else if (Object.getPrototypeOf(value) === Object.prototype && !Object.isFrozen(value)) {
    const held = value as Record<string, unknown>
    settleOrder(held)
    for (const key of Object.keys(held)) {
      const plain = typeof held[key] === 'object' ? withoutTypes(held[key], seen) : held[key]
      if (plain !== held[key]) setOwn(held, key, plain)
    }
  }
  return value
}
