import { HostObject } from './host-object.ts'
import { valuesAStep } from './run-costs.ts'
import { ScriptFault } from './script-error.ts'

/** Goes once through values, one by one; without `drop` none can be removed. */
export class IteratorValue extends HostObject {
  override readonly className = 'java.util.Iterator'
  readonly #values: readonly unknown[]
  readonly #drop: ((at: number) => void) | undefined
  #next = 0
  #isRemovable = false

  /** `drop` takes the value at a place out of `values`. */
  constructor(values: readonly unknown[], drop?: (at: number) => void) {
    super()
    this.#values = values
    this.#drop = drop
  }

  override method(name: string, at: number): (() => unknown) | undefined {
    if (name === 'hasNext') return () => this.#next < this.#values.length
    if (name === 'remove') return this.#remover(at)
    if (name !== 'next') return undefined
    return () => {
      if (this.#next >= this.#values.length) throw new ScriptFault(at, 'No element left', 'no_such_element_exception')
      this.#isRemovable = true
      return this.#values[this.#next++]
    }
  }

  /** Takes out what came last, once. */
  #remover(at: number): (() => unknown) | undefined {
    const drop = this.#drop
    if (!drop) return undefined
    return () => {
      if (!this.#isRemovable) throw new ScriptFault(at, 'nothing to remove', 'illegal_state_exception')
      this.#isRemovable = false
      this.#next--
      drop(this.#next)
      return null
    }
  }

  override steps(name: string): number {
    return name === 'remove' ? Math.floor(this.#values.length / valuesAStep) : 0
  }

  override text(): string {
    return this.className
  }
}
