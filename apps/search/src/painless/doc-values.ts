import { GeoPointValue } from './geo-point-value.ts'
import { HostObject, ownMethod } from './host-object.ts'
import { textOf } from './java-values.ts'
import { listMethods } from './list-methods.ts'
import { ScriptFault } from './script-error.ts'
import { numberOf } from './typed-number.ts'

/** The values of a field of a document: `doc['field']`. */
export class DocValues extends HostObject {
  override readonly className = 'org.elasticsearch.index.fielddata.ScriptDocValues'
  readonly #values: readonly unknown[]

  constructor(values: readonly unknown[]) {
    super()
    this.#values = values
  }

  override member(name: string, at: number): unknown {
    if (name === 'values') return [...this.#values]
    if (name === 'empty') return this.#values.length === 0
    if (name === 'length') return this.#values.length
    return /^\d+$/u.test(name) ? this.#element(Number(name), at) : super.member(name, at)
  }

  override method(name: string, at: number): ((...args: unknown[]) => unknown) | undefined {
    if (name === 'size' || name === 'getLength') return () => this.#values.length
    if (name === 'isEmpty') return () => this.#values.length === 0
    if (name === 'getValue') return () => this.#element(0, at)
    if (name === 'getValues') return () => [...this.#values]
    if (name === 'arcDistance' || name === 'planeDistance')
      return (lat, lon) => numberOf('double', this.#point(at)[name](Number(lat), Number(lon)))
    if (name === 'getLat') return () => numberOf('double', this.#point(at).lat)
    if (name === 'getLon') return () => numberOf('double', this.#point(at).lon)
    if (name === 'get') return (place) => this.#element(Number(place), at)
    const ofLists = ownMethod(listMethods, name) as
      | ((list: readonly unknown[], ...args: unknown[]) => unknown)
      | undefined
    // They are a list that cannot be changed.
    return ofLists && ((...args) => ofLists(Object.freeze([...this.#values]), ...args))
  }

  override items(): readonly unknown[] {
    return this.#values
  }

  /** The first value of a `geo_point` field. */
  #point(at: number): GeoPointValue {
    const point = this.#element(0, at)
    if (point instanceof GeoPointValue) return point
    throw new ScriptFault(at, 'the values of the field are no points')
  }

  #element(place: number, at: number): unknown {
    if (this.#values.length === 0)
      throw new ScriptFault(
        at,
        "A document doesn't have a value for a field! Use doc[<field>].size()==0 to check if a document is missing a field!",
        'illegal_state_exception',
      )
    if (place >= 0 && place < this.#values.length) return this.#values[place]
    throw new ScriptFault(
      at,
      `Index ${place} out of bounds for length ${this.#values.length}`,
      'index_out_of_bounds_exception',
    )
  }

  override text(): string {
    return textOf([...this.#values])
  }
}

/** The fields of a document: `doc`. `find` gives a field's values; undefined when no index maps it. */
export class Doc extends HostObject {
  override readonly className = 'org.elasticsearch.search.lookup.LeafDocLookup'
  readonly #find: (path: string) => readonly unknown[] | undefined

  constructor(find: (path: string) => readonly unknown[] | undefined) {
    super()
    this.#find = find
  }

  override member(path: string, at: number): DocValues {
    const values = this.#find(path)
    if (values) return new DocValues(values)
    throw new ScriptFault(at, `No field found for [${path}] in mapping`)
  }

  override method(name: string, at: number): ((...args: unknown[]) => unknown) | undefined {
    if (name === 'containsKey') return (path) => this.#find(String(path)) !== undefined
    return name === 'get' ? (path) => this.member(String(path), at) : undefined
  }

  /** A field of the `field` API: without a mapping it is a field without values. */
  field(path: string): FieldValues {
    return new FieldValues(this.#find(path) ?? [])
  }

  override text(): string {
    return 'doc'
  }
}

/** `field('name')`: values that may be missing, with what to take then. */
class FieldValues extends HostObject {
  override readonly className = 'org.elasticsearch.script.field.Field'
  readonly #values: readonly unknown[]

  constructor(values: readonly unknown[]) {
    super()
    this.#values = values
  }

  override method(name: string): ((...args: unknown[]) => unknown) | undefined {
    if (name === 'size') return () => this.#values.length
    if (name === 'isEmpty') return () => this.#values.length === 0
    if (name !== 'get') return undefined
    return (first, otherwise) =>
      otherwise === undefined ? (this.#values[0] ?? first) : (this.#values[Number(first)] ?? otherwise)
  }

  override items(): readonly unknown[] {
    return this.#values
  }

  override text(): string {
    return textOf([...this.#values])
  }
}
