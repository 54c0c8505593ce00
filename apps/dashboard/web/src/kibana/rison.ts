/** A value of rison, the notation of Kibana's addresses: `(time:(from:now-1h,to:now),list:!(a,'b c'),on:!t)`. */
export type Rison = string | number | boolean | null | readonly Rison[] | { readonly [key: string]: Rison }

const depthMax = 64

/** Reads rison; undefined for what is none. Keys that name a prototype are kept as plain values. */
export function readRison(text: string): Rison | undefined {
  const reader = new Reader(text)
  try {
    const value = reader.value(0)
    return reader.isAtEnd ? value : undefined
  } catch (thrown) {
    if (thrown instanceof NotRison) return undefined
    throw thrown
  }
}

class NotRison extends Error {}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length
  }

  value(depth: number): Rison {
    if (depth > depthMax) throw new NotRison()
    if (this.#takes('(')) return this.#members(depth)
    if (this.#takes("'")) return this.#quoted()
    if (!this.#takes('!')) return plain(this.#word())
    if (this.#takes('(')) return this.#items(depth)
    const constants = { t: true, f: false, n: null } as const
    const letter = this.#text[this.#at++]
    if (letter === 't' || letter === 'f' || letter === 'n') return constants[letter]
    throw new NotRison()
  }

  #members(depth: number): Rison {
    const entries: [string, Rison][] = []
    while (!this.#takes(')')) {
      if (entries.length > 0) this.#expect(',')
      const key = this.#takes("'") ? this.#quoted() : this.#word()
      this.#expect(':')
      entries.push([key, this.value(depth + 1)])
    }
    return Object.fromEntries(entries)
  }

  #items(depth: number): Rison[] {
    const items: Rison[] = []
    while (!this.#takes(')')) {
      if (items.length > 0) this.#expect(',')
      items.push(this.value(depth + 1))
    }
    return items
  }

  #quoted(): string {
    let found = ''
    for (;;) {
      const letter = this.#text[this.#at++]
      if (letter === undefined) throw new NotRison()
      if (letter === "'") return found
      found += letter === '!' ? (this.#text[this.#at++] ?? '') : letter
    }
  }

  #word(): string {
    const [word = ''] = /^[^'!:(),*@$ ][^'!:(), ]*/.exec(this.#text.slice(this.#at)) ?? []
    if (word === '') throw new NotRison()
    this.#at += word.length
    return word
  }

  #takes(letter: string): boolean {
    if (this.#text[this.#at] !== letter) return false
    this.#at += 1
    return true
  }

  #expect(letter: string): void {
    if (!this.#takes(letter)) throw new NotRison()
  }
}

function plain(word: string): Rison {
  return /^-?\d+(\.\d+)?(e-?\d+)?$/.test(word) ? Number(word) : word
}
