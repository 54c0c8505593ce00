import { setOwn } from '../json/own-member.ts'
import { keepsSource } from './document-context.ts'
import { goThrough } from './held-values.ts'
import { HostObject } from './host-object.ts'
import { JavaFault } from './java-fault.ts'
import { type Dictionary, mapEntries, noteKey } from './script-map.ts'
import { ScriptSet } from './script-set.ts'
import { joinedTexts } from './text-length.ts'
import { bare, boxOf, numberText, numberTypeOf } from './typed-number.ts'

/** A value as Java prints it; throws a RangeError for one too large to print. */
export function textOf(value: unknown): string {
  if (typeof value === 'object') goThrough(value)
  return printed(value)
}

function printed(value: unknown): string {
  if (Array.isArray(value)) return `[${joinedTexts(value.map(printed), ', ')}]`
  // Never the text of a function of this program.
  if (typeof value === 'function') return 'org.elasticsearch.painless.Lambda'
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof HostObject) return value.text()
  const entries = mapEntries(value).map(([key, item]) => `${printed(key)}=${printed(item)}`)
  return `{${joinedTexts(entries, ', ')}}`
}

/** Java's `equals`: numbers by type and value, lists and maps by what they hold, sets and maps whatever their order. */
export function equal(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string') return sameTexts(one, other)
  if (one === other) return !Number.isNaN(one)
  const type = numberTypeOf(one)
  if (type !== undefined) return type === numberTypeOf(other) && Object.is(bare(one), bare(other))
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return false
  goThrough(one)
  goThrough(other)
  return alike(one, other)
}

/** Whether texts are the same; those of one length are gone through. */
function sameTexts(one: string, other: string): boolean {
  if (one.length !== other.length) return false
  goThrough(one)
  return one === other
}

function alike(one: object, other: object): boolean {
  if (one instanceof HostObject || other instanceof HostObject)
    return one instanceof HostObject && other instanceof HostObject && one.isLike(other)
  if (one instanceof ScriptSet || other instanceof ScriptSet)
    return (
      one instanceof ScriptSet &&
      other instanceof ScriptSet &&
      one.length === other.length &&
      one.every((item) => other.has(item))
    )
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, at) => equal(item, other[at]))
    )
  const keys = Object.keys(one)
  const [left, right] = [one as Dictionary, other as Dictionary]
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equal(left[key], right[key]))
  )
}

/** Java's natural order of texts, booleans, dates and numbers of one type; throws a TypeError for values that have none. */
export function naturalOrder(one: unknown, other: unknown): number {
  const type = numberTypeOf(one)
  if (type !== undefined) {
    if (type !== numberTypeOf(other)) throw new TypeError('values without an order')
    return totalOrder(bare(one) as number, bare(other) as number)
  }
  const [left, right] = [one, other].map((value) => (value instanceof HostObject ? value.text() : value))
  if (typeof left !== typeof right || typeof left === 'object') throw new TypeError('values without an order')
  const [low, high] = [left, right] as [string, string]
  goThrough(low)
  return low < high ? -1 : low > high ? 1 : 0
}

/** The order of numbers: Java puts NaN behind all others, and -0.0 before 0.0. */
function totalOrder(low: number, high: number): number {
  if (low < high) return -1
  if (low > high) return 1
  if (low === high) return Object.is(low, high) ? 0 : Object.is(low, -0) ? -1 : 1
  return Number(Number.isNaN(low)) - Number(Number.isNaN(high))
}

/** What a key is kept under in a map. */
export function propertyOf(key: unknown): string {
  if (typeof key === 'string') goThrough(key)
  return typeof key === 'string' ? key : textOf(key)
}

/** The value of a map's own key; null when it has none. */
export function own(map: Dictionary, key: unknown): unknown {
  const property = propertyOf(key)
  return Object.hasOwn(map, property) ? map[property] : null
}

/** Java's name of a value's class. */
export function javaName(value: unknown): string {
  if (typeof value === 'string') return 'java.lang.String'
  if (Array.isArray(value)) return 'java.util.ArrayList'
  if (value instanceof HostObject) return value.className
  if (typeof value === 'object') return 'java.util.HashMap'
  return typeof value === 'boolean' ? 'java.lang.Boolean' : (boxOf(value) ?? 'java.lang.Object')
}

/** Sets a key of a map and gives what was there; `__proto__` is a key like any other. Throws a `JavaFault` for a source of a document that is no map. */
export function putKey(map: Dictionary, key: unknown, value: unknown): unknown {
  const old = own(map, key)
  const property = propertyOf(key)
  if (property === '_source' && keepsSource(map) && !isMap(value)) {
    const type = value === null ? '' : ` with type [${javaName(value)}]`
    throw new JavaFault('illegal_argument_exception', `Expected [_source] to be a map, not [${textOf(value)}]${type}`)
  }
  if (typeof key !== 'string') noteKey(map, property, key)
  setOwn(map, property, value)
  return old
}

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
