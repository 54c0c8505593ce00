const gramLength = 4
/** Bits of the filter that tells at once that a run begins no literal. */
const filterBits = 14

interface Entry {
  readonly literal: string
  readonly members: number[]
}

/**
 * Finds which of many literals a text contains: each literal is filed under the rarest of its runs of four characters, and the runs of the
 * text are looked up one after the other. Literals shorter than that are looked for one by one.
 */
export class GramIndex {
  readonly #byGram = new Map<number, Entry[]>()
  readonly #short: Entry[] = []
  readonly #entries = new Map<string, Entry>()
  readonly #filter = new Uint8Array(1 << filterBits)

  /** Files `member` under a literal. */
  add(literal: string, member: number): void {
    const known = this.#entries.get(literal)
    if (known) {
      known.members.push(member)
      return
    }
    const entry: Entry = { literal, members: [member] }
    this.#entries.set(literal, entry)
    if (literal.length < gramLength) {
      this.#short.push(entry)
      return
    }
    let best = gramAt(literal, 0)
    let fewest = this.#byGram.get(best)?.length ?? 0
    for (let at = 1; at + gramLength <= literal.length && fewest > 0; at++) {
      const gram = gramAt(literal, at)
      const filed = this.#byGram.get(gram)?.length ?? 0
      if (filed < fewest) [best, fewest] = [gram, filed]
    }
    this.#filter[filtered(best)] = 1
    const list = this.#byGram.get(best)
    if (list) list.push(entry)
    else this.#byGram.set(best, [entry])
  }

  /** Calls `found` with the members of every literal in the text; a member may come more than once. */
  search(text: string, found: (members: readonly number[]) => void): void {
    for (const { literal, members } of this.#short) if (text.includes(literal)) found(members)
    let gram = 0
    for (let at = 0; at < text.length; at++) {
      gram = (gram << 8) | (text.charCodeAt(at) & 0xff)
      if (this.#filter[filtered(gram)] === 0) continue
      const entries = this.#byGram.get(gram)
      if (!entries) continue
      for (const { literal, members } of entries) if (text.includes(literal)) found(members)
    }
  }
}

// Four characters by their low bytes. Others may have the same number: a literal that is found is looked for in full.
function gramAt(text: string, at: number): number {
  let gram = 0
  for (let next = 0; next < gramLength; next++) gram = (gram << 8) | (text.charCodeAt(at + next) & 0xff)
  return gram
}

function filtered(gram: number): number {
  return Math.imul(gram, 0x9e3779b1) >>> (32 - filterBits)
}
