import { refuseHuge } from './held-values.ts'
import { HostObject } from './host-object.ts'
import { ScriptSet } from './script-set.ts'

/** A map of a script: its keys are texts. */
export type Dictionary = Record<string, unknown>

/** A value as Java prints it; throws a RangeError for one too large to print. */
export function textOf(value: unknown): string {
  if (typeof value === 'object') refuseHuge(value)
  return printed(value)
}

function printed(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printed).join(', ')}]`
  // Never the text of a function of this program.
  if (typeof value === 'function') return 'org.elasticsearch.painless.Lambda'
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof HostObject) return value.text()
  return `{${Object.entries(value)
    .map(([key, item]) => `${key}=${printed(item)}`)
    .join(', ')}}`
}

/** Java's `equals`: lists and maps by what they hold, sets whatever their order. */
export function equal(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || one === null) return false
  if (one instanceof ScriptSet && other instanceof ScriptSet)
    return one.length === other.length && one.every((item) => other.has(item))
  refuseHuge(one)
  refuseHuge(other)
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Java's natural order of texts, numbers and booleans; throws a TypeError for values that have none. */
export function naturalOrder(one: unknown, other: unknown): number {
  const [left, right] = [one, other].map((value) => (value instanceof HostObject ? value.text() : value))
  const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint'
  if (!(isNumber(left) && isNumber(right)) && (typeof left !== typeof right || typeof left === 'object'))
    throw new TypeError('values without an order')
  const [low, high] = [left, right] as [string, string]
  return low < high ? -1 : low > high ? 1 : 0
}

/** The value of a map's own key; null when it has none. */
export function own(map: Dictionary, key: unknown): unknown {
  return Object.hasOwn(map, String(key)) ? map[String(key)] : null
}

/** Sets a key of a map and gives what was there; `__proto__` is a key like any other. */
export function putKey(map: Dictionary, key: unknown, value: unknown): unknown {
  const old = own(map, key)
  Object.defineProperty(map, String(key), { value, enumerable: true, configurable: true, writable: true })
  return old
}
