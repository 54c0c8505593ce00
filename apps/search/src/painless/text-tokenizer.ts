import { HostObject, ownMethod } from './host-object.ts'
import { JavaFault } from './java-fault.ts'
import { lettersAStep } from './run-costs.ts'
import { spend } from './script-run.ts'

type Method = (...args: unknown[]) => unknown

const whitespace = ' \t\n\r\f'

function unitsOf(text: string): Set<number> {
  spend(Math.floor(text.length / lettersAStep))
  const units = new Set<number>()
  for (let at = 0; at < text.length; at += 1) units.add(text.charCodeAt(at))
  return units
}

/** `StringTokenizer`: the pieces of a text between letters, one by one. */
export class TextTokenizer extends HostObject {
  override readonly className = 'java.util.StringTokenizer'
  readonly #text: string
  /** Code units: a delimiter is looked up, not looked for. */
  #delimiters: ReadonlySet<number>
  readonly #tellsDelimiters: boolean
  #at = 0
  /** Where the next piece begins, once that was looked for. */
  #found: number | undefined

  constructor(text: string, delimiters = whitespace, tellsDelimiters = false) {
    super()
    this.#text = text
    this.#delimiters = unitsOf(delimiters)
    this.#tellsDelimiters = tellsDelimiters
  }

  override method(name: string): Method | undefined {
    const hasMore = (): boolean => this.#start() < this.#text.length
    const next = (delimiters?: unknown): string => {
      if (delimiters !== undefined) this.#delimitBy(String(delimiters))
      return this.#next()
    }
    const methods: Readonly<Record<string, Method>> = {
      hasMoreTokens: hasMore,
      hasMoreElements: hasMore,
      nextToken: next,
      nextElement: () => next(),
      countTokens: () => this.#count(),
    }
    return ownMethod(methods, name)
  }

  override steps(name: string): number {
    return name === 'countTokens' ? Math.floor(this.#text.length / lettersAStep) : 0
  }

  #delimitBy(delimiters: string): void {
    this.#delimiters = unitsOf(delimiters)
    this.#found = undefined
  }

  /** Where the next piece begins: looked for once, however often it is asked. */
  #start(): number {
    this.#found ??= this.#startFrom(this.#at)
    return this.#found
  }

  /** Where the piece after a place begins; the text's length when there is none. */
  #startFrom(from: number): number {
    let at = from
    if (!this.#tellsDelimiters) while (at < this.#text.length && this.#delimits(at)) at++
    return at
  }

  #endFrom(start: number): number {
    let at = start
    while (at < this.#text.length && !this.#delimits(at)) at++
    return at === start && this.#tellsDelimiters ? start + 1 : at
  }

  #delimits(at: number): boolean {
    return this.#delimiters.has(this.#text.charCodeAt(at))
  }

  #next(): string {
    const start = this.#start()
    if (start >= this.#text.length) throw new JavaFault('no_such_element_exception', 'No element left')
    this.#at = this.#endFrom(start)
    this.#found = undefined
    return this.#text.slice(start, this.#at)
  }

  #count(): number {
    let count = 0
    for (let at = this.#start(); at < this.#text.length; at = this.#startFrom(this.#endFrom(at))) count++
    return count
  }

  override text(): string {
    return this.className
  }
}
