import { CharValue } from './char-value.ts'
import { HostObject, ownMethod } from './host-object.ts'
import { JavaFault } from './java-fault.ts'
import { lettersAStep } from './run-costs.ts'
import { scriptLimits } from './script-run.ts'
import { lettersOf, refuseLong } from './text-length.ts'
import { lastPlaceIn, placeIn } from './text-search.ts'

type Method = (...args: unknown[]) => unknown

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

  override method(name: string): Method | undefined {
    const methods: Readonly<Record<string, Method>> = {
      toString: () => this.#text,
      length: () => this.#text.length,
      append: (value) => this.#with(this.#text + this.#print(value)),
      insert: (at, value) => this.#spliced(at, at, this.#print(value)),
      delete: (from, to) => this.#spliced(from, Math.min(Number(to), this.#text.length), ''),
      deleteCharAt: (at) => this.#spliced(at, Number(at) + 1, ''),
      replace: (from, to, value) => this.#spliced(from, Math.min(Number(to), this.#text.length), this.#print(value)),
      reverse: () => this.#with([...this.#text].reverse().join('')),
      setLength: (length) =>
        this.#with(
          this.#text.slice(0, Number(length)).padEnd(Math.min(scriptLimits.textCharsMax + 1, Number(length)), '\0'),
        ),
      charAt: (at) => new CharValue(this.#within(at, Number(at) + 1)),
      indexOf: (part, from) => placeIn(this.#text, String(part), Number(from ?? 0)),
      lastIndexOf: (part, from) => lastPlaceIn(this.#text, String(part), from === undefined ? undefined : Number(from)),
      substring: (from, to) => this.#within(from, to ?? this.#text.length),
    }
    return ownMethod(methods, name)
  }

  override steps(name: string, args: readonly unknown[]): number {
    return name === 'append' || name === 'length' ? 0 : Math.floor((this.#text.length + lettersOf(args)) / lettersAStep)
  }

  #within(from: unknown, to: unknown): string {
    const [start, end] = [Number(from), Number(to)]
    if (start >= 0 && start <= end && end <= this.#text.length) return this.#text.slice(start, end)
    const reason = `start ${start}, end ${end}, length ${this.#text.length}`
    throw new JavaFault('string_index_out_of_bounds_exception', reason)
  }

  #spliced(from: unknown, to: unknown, by: string): this {
    this.#within(from, to)
    return this.#with(this.#text.slice(0, Number(from)) + by + this.#text.slice(Number(to)))
  }

  #with(text: string): this {
    refuseLong(text.length)
    this.#text = text
    return this
  }

  override text(): string {
    return this.#text
  }
}
