const gramLength = 4
const pairLength = 2
/** Bits of the filter that tells at once that a run begins no literal. */
const filterBits = 14

interface Entry {
  readonly literal: string
  readonly members: number[]
  /** How many characters of it stand before the end of the run that it is filed under. */
  before: number
  /** The last search that found it. */
  seen: number
}

/**
 * Finds which of many literals a text contains: each literal is filed under the rarest of its runs of four characters, one that is shorter under
 * its first two, and the runs of the text are looked up one after the other. The literal is compared where its run stands: the time grows with the
 * text's length, whatever that repeats. Literals of one character are looked for one by one.
 */
export class GramIndex {
  readonly #entries = new Map<string, Entry>()
  readonly #byGram = new Map<number, Entry[]>()
  readonly #filter = new Uint8Array(1 << filterBits)
  readonly #byPair = new Map<number, Entry[]>()
  /** By pair, whether a literal is filed under it. */
  #pairs: Uint8Array | undefined
  readonly #single: Entry[] = []
  #searches = 0

  /** Files `member` under a literal. */
  add(literal: string, member: number): void {
    const known = this.#entries.get(literal)
    if (known) {
      known.members.push(member)
      return
    }
    const entry: Entry = { literal, members: [member], before: pairLength, seen: 0 }
    this.#entries.set(literal, entry)
    if (literal.length < pairLength) this.#single.push(entry)
    else if (literal.length < gramLength) this.#fileShort(entry)
    else this.#fileLong(entry)
  }

  /** Calls `found` once with the members of every literal in the text; a member of several literals comes with each. */
  search(text: string, found: (members: readonly number[]) => void): void {
    const search = ++this.#searches
    for (const { literal, members } of this.#single) if (text.includes(literal)) found(members)
    const pairs = this.#pairs
    let gram = 0
    for (let at = 0; at < text.length; at++) {
      gram = (gram << 8) | (text.charCodeAt(at) & 0xff)
      if (pairs !== undefined && pairs[gram & 0xffff] === 1)
        tell(this.#byPair.get(gram & 0xffff) ?? [], { text, end: at + 1, search, found })
      if (this.#filter[filtered(gram)] === 0) continue
      const entries = this.#byGram.get(gram)
      if (entries) tell(entries, { text, end: at + 1, search, found })
    }
  }

  #fileShort(entry: Entry): void {
    const pair = gramAt(entry.literal, 0, pairLength)
    this.#pairs ??= new Uint8Array(1 << 16)
    this.#pairs[pair] = 1
    file(this.#byPair, pair, entry)
  }

  #fileLong(entry: Entry): void {
    const { literal } = entry
    let best = gramAt(literal, 0, gramLength)
    let fewest = this.#byGram.get(best)?.length ?? 0
    entry.before = gramLength
    for (let at = 1; at + gramLength <= literal.length && fewest > 0; at++) {
      const gram = gramAt(literal, at, gramLength)
      const filed = this.#byGram.get(gram)?.length ?? 0
      if (filed < fewest) [best, fewest, entry.before] = [gram, filed, at + gramLength]
    }
    this.#filter[filtered(best)] = 1
    file(this.#byGram, best, entry)
  }
}

interface Place {
  readonly text: string
  /** Where the run ends that the entries are filed under. */
  readonly end: number
  readonly search: number
  readonly found: (members: readonly number[]) => void
}

function tell(entries: readonly Entry[], { text, end, search, found }: Place): void {
  for (const entry of entries) {
    if (entry.seen === search || !text.startsWith(entry.literal, end - entry.before)) continue
    entry.seen = search
    found(entry.members)
  }
}

function file(lists: Map<number, Entry[]>, run: number, entry: Entry): void {
  const list = lists.get(run)
  if (list) list.push(entry)
  else lists.set(run, [entry])
}

// Characters by their low bytes. Others may have the same number: a literal is compared in full.
function gramAt(text: string, at: number, length: number): number {
  let gram = 0
  for (let next = 0; next < length; next++) gram = (gram << 8) | (text.charCodeAt(at + next) & 0xff)
  return gram
}

function filtered(gram: number): number {
  return Math.imul(gram, 0x9e3779b1) >>> (32 - filterBits)
}
