import { HostObject } from './host-object.ts'
import { ScriptFault } from './script-error.ts'

/** Goes once through values, one by one. */
export class IteratorValue extends HostObject {
  override readonly className = 'java.util.Iterator'
  readonly #values: readonly unknown[]
  #next = 0

  constructor(values: readonly unknown[]) {
    super()
    this.#values = values
  }

  override method(name: string, at: number): (() => unknown) | undefined {
    if (name === 'hasNext') return () => this.#next < this.#values.length
    if (name !== 'next') return undefined
    return () => {
      if (this.#next >= this.#values.length) throw new ScriptFault(at, 'No element left', 'no_such_element_exception')
      return this.#values[this.#next++]
    }
  }

  override text(): string {
    return this.className
  }
}
