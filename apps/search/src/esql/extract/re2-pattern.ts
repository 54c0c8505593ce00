import { anyMark, classOf, type Mark, markAt, marksMax, type OneLetter, oneLetter, partsOf } from './look-around.ts'
import { verdictsOf } from './neighbours.ts'
import { type PatternToken, tokensOf } from './pattern-tokens.ts'

/** A group that keeps what it finds. */
export interface Group {
  /** Its name; undefined for one without. */
  readonly name: string | undefined
  /** Whether it always takes part where the whole fits, so that an empty text is one that was found. */
  readonly isSure: boolean
}

/** A pattern of this runtime as the engine reads it. */
export interface Re2Pattern {
  /** Over texts that have the marks. */
  readonly source: string
  readonly marks: readonly Mark[]
  /** Over texts as they are, where look-around is left at the edges of what fits only. */
  readonly plain: PlainPattern | undefined
  readonly groups: readonly Group[]
}

/** A pattern with a group before, of the letter there, and one behind, of the rest of the text: what it finds holds where those end and begin with fitting letters, or are empty. */
export interface PlainPattern {
  readonly source: string
  /** Classes of letters; the text before must end with a letter of each. */
  readonly before: readonly string[]
  readonly after: readonly string[]
}

interface Open {
  readonly name: string | undefined
  alternates: boolean
  optional: boolean
}

interface Written {
  readonly out: string
  readonly marks: readonly Mark[]
  readonly groups: readonly Group[]
}

/** Writes a pattern of this runtime for the engine, with marks or without any look-around. */
class Writer {
  readonly #marked: boolean
  readonly #dot: string
  readonly #looks: ReadonlyMap<number, OneLetter>
  readonly #marks: Mark[] = []
  readonly #kept: { readonly group: Open; readonly above: readonly Open[] }[] = []
  readonly #open: Open[] = [{ name: undefined, alternates: false, optional: false }]
  #last: Open | undefined
  #pending: number[] = []
  #out = ''

  /** `looks` are those that become marks, by their places. */
  constructor(looks: ReadonlyMap<number, OneLetter>, flags: string) {
    this.#looks = looks
    this.#marked = looks.size > 0
    this.#dot = flags.includes('s') ? `[^${anyMark}]` : `[^\\n${anyMark}]`
  }

  write(tokens: readonly PatternToken[]): Written {
    for (const each of tokens) {
      if (each.kind !== 'look' && each.text !== '\\b') this.#flush()
      this.#take(each)
    }
    this.#flush()
    const groups = this.#kept.map(({ group, above }) => ({
      name: group.name,
      isSure: !group.optional && above.every(({ alternates, optional }) => !alternates && !optional),
    }))
    return { out: this.#out, marks: this.#marks, groups }
  }

  #take({ kind, text, at, name }: PatternToken): void {
    const last = this.#last
    this.#last = undefined
    if (kind === 'open') this.#group(text, name)
    else if (kind === 'close') {
      this.#last = this.#open.length > 1 ? this.#open.pop() : undefined
      this.#out += text
    } else if (kind === 'letters')
      this.#out += this.#marked ? `(?:[${anyMark}]*${this.#letters(text)})` : this.#letters(text)
    else if (kind === 'look') this.#look(text, at)
    else if (kind === 'place') this.#place(text)
    else {
      const open = this.#open.at(-1)
      if (kind === 'or' && open) open.alternates = true
      if (kind === 'times' && last && /^(?:[*?]|\{0)/u.test(text)) last.optional = true
      this.#out += text
    }
  }

  #group(text: string, name: string | undefined): void {
    const keeps = text === '(' || name !== undefined
    const group: Open = { name, alternates: false, optional: false }
    if (keeps) this.#kept.push({ group, above: [...this.#open] })
    this.#open.push(group)
    this.#out += keeps ? '(' : text
  }

  #place(text: string): void {
    if (text === '\\b' && this.#marked) this.#mark({ side: 'word', letters: '', orNone: false })
    else this.#out += text === '$' && this.#marked ? `[${anyMark}]*$` : text
  }

  #letters(text: string): string {
    if (text === '.') return this.#marked ? this.#dot : '.'
    if (/^\\u/u.test(text)) return `\\x{${text.slice(2)}}`
    if (!/^(?:\\[dDwWsS]|\[)/u.test(text)) return text
    const { inner, negated } = partsOf(text)
    if (inner === '') return negated ? '[\\s\\S]' : '[^\\s\\S]'
    const written = inner.replace(/\\u([\dA-Fa-f]{4})/gu, '\\x{$1}')
    return this.#marked ? classOf(written, negated) : `[${negated ? '^' : ''}${written}]`
  }

  #look(text: string, at: number): void {
    const edge = edges[text]
    if (edge !== undefined) this.#out += this.#marked && edge === '\\z' ? `[${anyMark}]*\\z` : edge
    const look = this.#looks.get(at)
    if (look) this.#mark(look.mark)
  }

  #mark(mark: Mark): void {
    const same = this.#marks.findIndex((each) => JSON.stringify(each) === JSON.stringify(mark))
    this.#pending.push(same < 0 ? this.#marks.push(mark) - 1 : same)
  }

  /** Writes the marks of one place in the order that texts have them, each the first there is, so that all others are left for what follows. */
  #flush(): void {
    const key = (at: number) => ({ before: -at - 1, word: 0, after: at + 1 })[this.#marks[at]?.side ?? 'word']
    for (const at of this.#pending.sort((a, b) => key(a) - key(b))) this.#out += `[${anyMark}]*?${markAt(at)}`
    this.#pending = []
  }
}

/** What stands for the edges of a text. */
const edges: Readonly<Record<string, string>> = { '(?<![\\s\\S])': '\\A', '(?![\\s\\S])': '\\z' }

/** Writes a pattern of this runtime for the engine; a text that names what the engine cannot find. */
export function re2Pattern({
  source,
  flags,
}: {
  readonly source: string
  readonly flags: string
}): Re2Pattern | string {
  const tokens = tokensOf(source)
  const looks = new Map<number, OneLetter>()
  for (const { kind, text, at } of tokens) {
    if (kind === 'reference') return `back references such as [${text}]`
    if (kind !== 'look' || edges[text] !== undefined) continue
    const look = oneLetter(text, flags.includes('i'))
    if (!look) return `look-around such as [${text.slice(0, 50)}]`
    looks.set(at, look)
  }
  const verdicts = verdictsOf(source, flags, new Map([...looks].map(([at, { look }]) => [at, look])))
  const marked = new Map([...looks].filter(([at]) => verdicts.get(at) !== 'always'))
  if (marked.size > 0 && tokens.some(({ text }) => text === '\\B')) return 'no end of a word [\\B] beside look-around'
  const written = new Writer(marked, flags).write(tokens)
  if (written.marks.length > marksMax) return `more than [${marksMax}] kinds of look-around`
  const letters = ['i', 'm', 's'].filter((flag) => flags.includes(flag)).join('')
  const prefix = `(?${letters}${letters.includes('s') ? '' : '-s'})`
  const isPlain = [...marked].every(([at, { mark }]) => verdicts.get(at) === 'at-edge' && mark.orNone)
  const { out } = isPlain ? new Writer(new Map(), flags).write(tokens) : written
  const classes = (side: Mark['side']) => [
    ...new Set([...marked.values()].filter(({ mark }) => mark.side === side).map(({ mark }) => mark.letters)),
  ]
  return {
    source: `${prefix}${written.out}`,
    marks: written.marks,
    groups: written.groups,
    plain:
      marked.size > 0 && isPlain
        ? {
            source: `${prefix}([\\s\\S]??)(?:${out})([\\s\\S]*)\\z`,
            before: classes('before'),
            after: classes('after'),
          }
        : undefined,
  }
}
