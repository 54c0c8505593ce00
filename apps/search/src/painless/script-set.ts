import { goThrough } from './held-values.ts'
import { HostObject } from './host-object.ts'
import { hashPlaces, inHashOrder } from './java-hash.ts'
import { bare, numberTypeOf } from './typed-number.ts'

/** A `HashSet` or `LinkedHashSet`: a list that holds each value once, in Java's order of hashes or as they came. */
export class ScriptSet extends Array<unknown> {
  #isLinked = false
  #places = 16

  // What is made of a set by filtering or mapping is a list.
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }

  static holding(values: Iterable<unknown>, isLinked = false): ScriptSet {
    const set = new ScriptSet()
    set.#isLinked = isLinked
    const given = [...values]
    set.#places = hashPlaces(given.length, true)
    set.include(given)
    return set
  }

  has(value: unknown): boolean {
    const key = keyOf(value)
    return typeof value === 'string' ? this.includes(value) : this.some((item) => keyOf(item) === key)
  }

  /** Adds values; whether some of them were new. */
  include(values: Iterable<unknown>): boolean {
    const before = this.length
    const known = new Set<unknown>(this.map(keyOf))
    for (const value of values) {
      const key = keyOf(value)
      if (known.has(key)) continue
      known.add(key)
      this.push(value)
    }
    if (this.length === before) return false
    this.#arrange()
    return true
  }

  #arrange(): void {
    if (this.#isLinked) return
    this.#places = Math.max(this.#places, hashPlaces(this.length))
    for (const [at, value] of inHashOrder([...this], (value) => value, this.#places).entries()) this[at] = value
  }
}

const ids = new WeakMap<object, number>()
const lastId = { value: 0 }

/** What equal values have in common, as a text: Java's 1, 1L, 1.0 and '1' are four values. */
function keyOf(value: unknown): string {
  goThrough(value)
  return keyWithin(value)
}

function keyWithin(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  const type = numberTypeOf(value)
  if (type !== undefined) return `${type} ${Object.is(bare(value), -0) ? '-0' : String(bare(value))}`
  if (Array.isArray(value)) {
    const keys = value.map(keyWithin)
    return value instanceof ScriptSet ? `set(${keys.sort().join()})` : `list(${keys.join()})`
  }
  if (value instanceof HostObject && value.isValue) return `${value.className}(${value.text()})`
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? identity(value) : String(value)
  if (value instanceof HostObject) return identity(value)
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${keyWithin(item)}`)
  return `map(${entries.sort().join()})`
}

function identity(value: object): string {
  const known = ids.get(value) ?? ++lastId.value
  ids.set(value, known)
  return `object ${known}`
}
