import { refuseHuge } from './held-values.ts'

/** A `HashSet` or `LinkedHashSet`: a list that holds each value once, in the order they came. */
export class ScriptSet extends Array<unknown> {
  // What is made of a set by filtering or mapping is a list.
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }

  static holding(values: Iterable<unknown>): ScriptSet {
    const set = new ScriptSet()
    for (const value of new Map([...values].map((value) => [keyOf(value), value])).values()) set.push(value)
    return set
  }

  has(value: unknown): boolean {
    const key = keyOf(value)
    return typeof value === 'object' && value !== null ? this.some((item) => keyOf(item) === key) : this.includes(value)
  }
}

function keyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  refuseHuge(value)
  return JSON.stringify(value)
}
