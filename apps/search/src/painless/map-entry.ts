import { HostObject } from './host-object.ts'
import { putKey, textOf } from './java-values.ts'
import { type Dictionary, mapEntries } from './script-map.ts'

/** A key of a map with its value: `Map.Entry`. */
export class MapEntry extends HostObject {
  override readonly className = 'java.util.Map.Entry'
  override readonly isValue = true
  readonly #map: Dictionary
  readonly key: unknown
  #value: unknown

  constructor(map: Dictionary, key: unknown, value: unknown) {
    super()
    this.#map = map
    this.key = key
    this.#value = value
  }

  get value(): unknown {
    return this.#value
  }

  override method(name: string): ((...args: unknown[]) => unknown) | undefined {
    if (name === 'getKey') return () => this.key
    if (name === 'getValue') return () => this.#value
    if (name === 'toString') return () => this.text()
    if (name !== 'setValue') return undefined
    return (value) => {
      const old = this.#value
      this.#value = value
      putKey(this.#map, this.key, value)
      return old
    }
  }

  override text(): string {
    return `${textOf(this.key)}=${textOf(this.#value)}`
  }
}

/** The entries of a map in its order. */
export function entriesOf(map: Dictionary): MapEntry[] {
  return mapEntries(map).map(([key, value]) => new MapEntry(map, key, value))
}
