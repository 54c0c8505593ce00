import { HostObject } from './host-object.ts'

/** `StringBuilder`: a text that grows. */
export class TextBuilder extends HostObject {
  override readonly className = 'java.lang.StringBuilder'
  #text: string
  readonly #print: (value: unknown) => string

  constructor(start: string, print: (value: unknown) => string) {
    super()
    this.#text = start
    this.#print = print
  }

  override method(name: string): ((...args: unknown[]) => unknown) | undefined {
    if (name === 'toString') return () => this.#text
    if (name === 'length') return () => this.#text.length
    if (name !== 'append') return undefined
    return (value) => {
      this.#text += this.#print(value)
      if (this.#text.length > charsMax) throw new RangeError(`a text may have at most ${charsMax} characters`)
      return this
    }
  }

  override text(): string {
    return this.#text
  }
}

/** As many characters as a text of a script may have. */
const charsMax = 10_000_000
