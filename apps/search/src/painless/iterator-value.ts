import { HostObject } from './host-object.ts'

/** Goes once through values, one by one. */
export class IteratorValue extends HostObject {
  override readonly className = 'java.util.Iterator'
  readonly #values: readonly unknown[]
  #next = 0

  constructor(values: readonly unknown[]) {
    super()
    this.#values = values
  }

  override method(name: string): (() => unknown) | undefined {
    if (name === 'hasNext') return () => this.#next < this.#values.length
    if (name !== 'next') return undefined
    return () => {
      if (this.#next >= this.#values.length) throw new RangeError('No element left')
      return this.#values[this.#next++]
    }
  }

  override text(): string {
    return this.className
  }
}
