import { valuesAStep } from './run-costs.ts'

/** The method of a name; undefined for a name that only the runtime's own objects have. */
export function ownMethod<T>(methods: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(methods, name) ? methods[name] : undefined
}

/** An object that search lends to a script: its members and methods are those it lists, nothing else of it can be reached. */
export abstract class HostObject {
  /** The name of its class in messages. */
  abstract readonly className: string

  /** A member read without a call; undefined when it has none of that name. `at` is the place in the script, for faults. */
  member(name: string, _at: number): unknown {
    const getter = this.method(`get${name.charAt(0).toUpperCase()}${name.slice(1)}`, _at)
    return getter?.()
  }

  /** A method; undefined when it has none of that name. */
  abstract method(name: string, at: number): ((...args: unknown[]) => unknown) | undefined

  /** What a loop over it goes through; undefined when it is no list. */
  items(): readonly unknown[] | undefined {
    return undefined
  }

  /** The steps that a call of a method counts as, beside itself. */
  steps(_name: string, _args: readonly unknown[]): number {
    return Math.floor((this.items()?.length ?? 0) / valuesAStep)
  }

  /** Java's `equals` with another object that search lends. */
  isLike(other: HostObject): boolean {
    return this === other || (this.className === other.className && this.isValue && this.text() === other.text())
  }

  /** Whether objects of its kind are equal when they print alike. */
  readonly isValue: boolean = false

  /** As Java prints it. */
  abstract text(): string

  /** What a document or an answer shows of it. */
  toJSON(): unknown {
    return this.text()
  }
}
