import { AppError, searchErrors } from '@logstack/errors'
import { HostObject } from './host-object.ts'

/** A single letter: Java's `char`, which is no text and no value of JSON. */
export class CharValue extends HostObject {
  override readonly className = 'java.lang.Character'
  override readonly isValue = true
  readonly letter: string

  constructor(letter: string) {
    super()
    this.letter = letter
  }

  override method(name: string): ((...args: unknown[]) => unknown) | undefined {
    if (name === 'toString') return () => this.letter
    if (name === 'charValue') return () => this
    return name === 'equals' ? (other) => other instanceof CharValue && other.letter === this.letter : undefined
  }

  override text(): string {
    return this.letter
  }

  override toJSON(): never {
    const reason = `cannot write xcontent for unknown value of type class ${this.className}`
    throw new AppError(searchErrors.illegal_argument_exception, reason)
  }
}

/** A letter in comparisons and arithmetic is its code, as in Java; what is no letter stays what it is. */
export function codeOf(value: unknown): unknown {
  return value instanceof CharValue ? value.letter.charCodeAt(0) : value
}
