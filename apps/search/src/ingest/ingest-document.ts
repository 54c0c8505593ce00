import { putKey } from '../painless/java-values.ts'
import { type NumberType, numberOf } from '../painless/typed-number.ts'
import { unfit } from '../refusals/unfit.ts'

/** What of a document is not in its source, under the names pipelines know. */
export const metadataKeys = [
  '_index',
  '_id',
  '_routing',
  '_version',
  '_version_type',
  '_if_seq_no',
  '_if_primary_term',
] as const

type Dictionary = Record<string, unknown>

const isDictionary = (value: unknown): value is Dictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The Java class of a value, which texts of errors name. */
export function javaType(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return 'java.lang.String'
  if (typeof value === 'boolean') return 'java.lang.Boolean'
  if (typeof value === 'bigint') return 'java.lang.Long'
  if (Array.isArray(value)) return 'java.util.ArrayList'
  if (typeof value !== 'number') return 'java.util.HashMap'
  if (!Number.isInteger(value)) return 'java.lang.Double'
  return Math.abs(value) <= 0x7fffffff ? 'java.lang.Integer' : 'java.lang.Long'
}

/** A document on its way through pipelines: fields are reached by dotted paths, and faults have Elasticsearch's words. */
export class IngestDocument {
  /** Source and metadata together, as scripts see them; `_ingest` is in it but not listed. */
  readonly ctx: Dictionary
  /** What pipelines know beside the document: `timestamp`, `pipeline`, `on_failure_message`, `_value`. */
  readonly ingest: Dictionary
  readonly #types = new Map<string, readonly [type: NumberType, value: unknown]>()

  constructor(source: Dictionary, metadata: Readonly<Dictionary>, timestamp: string) {
    this.ctx = {}
    // One after the other, not spread into one object: that took twenty times as long.
    for (const part of [metadata, source]) {
      for (const key of Object.keys(part)) if (part[key] !== undefined) putKey(this.ctx, key, part[key])
    }
    this.ingest = { timestamp }
    Object.defineProperty(this.ctx, '_ingest', { value: this.ingest, enumerable: false })
  }

  /** Notes of what type of Java a processor made a number: a number alone does not show it, and scripts calculate by it. */
  noteType(path: string, type: string): void {
    if (type === 'long' || type === 'float' || type === 'double') this.#types.set(path, [type, this.find(path)])
  }

  /** Gives numbers the types that processors gave them, for a script, which takes them off again. */
  withTypes(): void {
    for (const [path, [type, value]] of this.#types)
      if (typeof value === 'number' && this.find(path) === value) this.set(path, numberOf(type, value))
  }

  /** The fields without the metadata. */
  source(): Dictionary {
    const source: Dictionary = {}
    for (const [key, value] of Object.entries(this.ctx)) {
      if (!metadataKeys.some((name) => name === key)) putKey(source, key, value)
    }
    return source
  }

  /** The metadata as it stands now. */
  metadata(): Dictionary {
    return Object.fromEntries(
      metadataKeys.filter((key) => Object.hasOwn(this.ctx, key)).map((key) => [key, this.ctx[key]]),
    )
  }

  /** The value at a path. Throws `illegal_argument_exception` when there is none. */
  get(path: string): unknown {
    const { root, keys } = this.#start(path)
    let at: unknown = root
    for (const key of keys) at = step(at, key, path)
    return at
  }

  /** The value at a path, undefined when there is none. */
  find(path: string): unknown {
    const { root, keys } = this.#start(path)
    let at: unknown = root
    for (const key of keys) {
      if (Array.isArray(at) && /^\d+$/.test(key)) at = at[Number(key)]
      else if (isDictionary(at) && Object.hasOwn(at, key)) at = at[key]
      else return undefined
    }
    return at
  }

  /** The text at a path; undefined when `ignoreMissing` allows that there is none. */
  text(path: string, ignoreMissing = false): string | undefined {
    const value = ignoreMissing ? (this.find(path) ?? null) : this.get(path)
    if (value === null && ignoreMissing) return undefined
    if (value === null) throw unfit(`field [${path}] is null, cannot process it.`)
    if (typeof value === 'string') return value
    throw unfit(`field [${path}] of type [${javaType(value)}] cannot be cast to [java.lang.String]`)
  }

  /** Sets the value at a path; objects on the way are made. */
  set(path: string, value: unknown): void {
    const { parent, key } = this.#parent(path, true)
    if (Array.isArray(parent)) parent[position(parent, key, path)] = value
    else if (isDictionary(parent)) putKey(parent, key, value)
    else throw unfit(cannot('set', key, parent, path))
  }

  /** Adds values to the list at a path; what stands there alone becomes the first of it. */
  append(path: string, values: readonly unknown[], allowDuplicates = true): void {
    const old = this.find(path)
    const list = Array.isArray(old) ? old : old === undefined ? [] : [old]
    const known = new Set(allowDuplicates ? [] : list)
    for (const value of values) {
      if (known.has(value)) continue
      list.push(value)
      if (!allowDuplicates) known.add(value)
    }
    this.set(path, list)
  }

  /** Removes the value at a path. Throws `illegal_argument_exception` when there is none. */
  remove(path: string): void {
    const { parent, key } = this.#parent(path, false)
    if (Array.isArray(parent)) parent.splice(position(parent, key, path), 1)
    else if (!isDictionary(parent)) throw unfit(cannot('remove', key, parent, path))
    else if (Object.hasOwn(parent, key)) delete parent[key]
    else throw unfit(`field [${key}] not present as part of path [${path}]`)
  }

  #start(path: string): { root: Dictionary; keys: string[] } {
    if (path === '') throw unfit('path cannot be null nor empty')
    const keys = path.split('.')
    if (keys.some((key) => key === '')) throw unfit(`path [${path}] is not valid`)
    if (keys[0] === '_ingest' && keys.length > 1) return { root: this.ingest, keys: keys.slice(1) }
    if (keys[0] === '_source' && keys.length > 1) return { root: this.ctx, keys: keys.slice(1) }
    return { root: this.ctx, keys }
  }

  #parent(path: string, make: boolean): { parent: unknown; key: string } {
    const { root, keys } = this.#start(path)
    const key = keys.pop() ?? ''
    let at: unknown = root
    for (const name of keys) {
      if (make && isDictionary(at) && !Object.hasOwn(at, name)) putKey(at, name, {})
      at = step(at, name, path)
    }
    return { parent: at, key }
  }
}

function cannot(what: 'set' | 'remove', key: string, parent: unknown, path: string): string {
  if (parent !== null)
    return `cannot ${what} [${key}] with parent object of type [${javaType(parent)}] as part of path [${path}]`
  return what === 'set'
    ? `cannot set [${key}] with null parent as part of path [${path}]`
    : `cannot remove [${key}] from null as part of path [${path}]`
}

function step(at: unknown, key: string, path: string): unknown {
  if (Array.isArray(at)) return at[position(at, key, path)]
  if (isDictionary(at)) {
    if (Object.hasOwn(at, key)) return at[key]
    throw unfit(`field [${key}] not present as part of path [${path}]`)
  }
  if (at === null) throw unfit(`cannot resolve [${key}] from null as part of path [${path}]`)
  throw unfit(`cannot resolve [${key}] from object of type [${javaType(at)}] as part of path [${path}]`)
}

function position(list: readonly unknown[], key: string, path: string): number {
  if (!/^-?\d+$/.test(key)) {
    throw unfit(`[${key}] is not an integer, cannot be used as an index as part of path [${path}]`)
  }
  const at = Number(key)
  if (at >= 0 && at < list.length) return at
  throw unfit(`[${key}] is out of bounds for array with length [${list.length}] as part of path [${path}]`)
}
