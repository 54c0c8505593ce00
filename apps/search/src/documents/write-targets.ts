import type { WriteTarget } from '../indices/catalogue.ts'
import type { WriteOperation } from './write-operation.ts'

type Target = WriteTarget | Error

/** Where the names of a batch lead, or why they cannot be written to: the same name may be asked for with different conditions. */
export class WriteTargets {
  /** Of writes that ask for nothing special, which are nearly all. */
  readonly #plain = new Map<string, Target>()
  readonly #special = new Map<string, Target>()

  get size(): number {
    return this.#plain.size + this.#special.size
  }

  get(operation: WriteOperation): Target | undefined {
    return isPlain(operation) ? this.#plain.get(operation.index) : this.#special.get(specialKey(operation))
  }

  set(operation: WriteOperation, target: Target): void {
    if (isPlain(operation)) this.#plain.set(operation.index, target)
    else this.#special.set(specialKey(operation), target)
  }

  all(): Target[] {
    return [...this.#plain.values(), ...this.#special.values()]
  }

  /** Puts what `change` makes of each target in its place. */
  replace(change: (target: Target) => Target): void {
    for (const targets of [this.#plain, this.#special])
      for (const [key, target] of targets) targets.set(key, change(target))
  }
}

/** Whether a write makes the index it goes to. What was seen in an index that is gone is not written to a new one of that name. */
export function makesIndex({ action, seen }: WriteOperation): boolean {
  return action !== 'delete' && seen === undefined
}

function isPlain(operation: WriteOperation): boolean {
  return makesIndex(operation) && operation.requireAlias !== true
}

function specialKey(operation: WriteOperation): string {
  return `${operation.requireAlias === true} ${makesIndex(operation)} ${operation.index}`
}
