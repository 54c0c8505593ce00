import { anyMark, lettersOf, type Mark, markAt, markOf, marksMax, partsOf } from './look-around.ts'

/** A group that keeps what it finds. */
export interface Group {
  /** Its name; undefined for one without. */
  readonly name: string | undefined
  /** Whether it always takes part where the whole fits, so that an empty text is one that was found. */
  readonly isSure: boolean
}

/** A pattern of this runtime as the engine reads it, over texts that have the marks. */
export interface Re2Pattern {
  readonly source: string
  readonly marks: readonly Mark[]
  readonly groups: readonly Group[]
}

interface Open {
  name: string | undefined
  readonly keeps: boolean
  alternates: boolean
  optional: boolean
}

const token =
  /\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!]|\(\?<([A-Za-z_]\w*)>|\(\?(?:[a-z-]*):|\(|\)|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[\s\S]/suy

/** Writes a pattern of this runtime for the engine. */
class Writer {
  readonly #source: string
  readonly #marked: boolean
  readonly #marks: Mark[] = []
  readonly #kept: { readonly group: Open; readonly above: readonly Open[] }[] = []
  readonly #open: Open[] = [{ name: undefined, keeps: false, alternates: false, optional: false }]
  #last: Open | undefined
  #pending: number[] = []
  #out = ''

  constructor(source: string, marked: boolean) {
    this.#source = source
    this.#marked = marked
  }

  /** The whole pattern; a text that says why it cannot be written. */
  write(flags: string): Re2Pattern | string {
    for (let at = 0; at < this.#source.length; ) {
      token.lastIndex = at
      const [text = '', name] = token.exec(this.#source) ?? []
      at += Math.max(1, text.length)
      if (text !== '\\b' && !/^\(\?<?[=!]$/u.test(text)) this.#flush()
      if (/^\(\?<?[=!]$/u.test(text)) {
        const end = closing(this.#source, at)
        const wrong = this.#lookAround(text.slice(2), this.#source.slice(at, end))
        if (wrong !== undefined) return wrong
        at = end + 1
        continue
      }
      const wrong = this.#take(text, name)
      if (wrong !== undefined) return wrong
    }
    const groups = this.#kept.map(({ group, above }) => ({
      name: group.name,
      isSure: !group.optional && above.every(({ alternates, optional }) => !alternates && !optional),
    }))
    this.#flush()
    const letters = ['i', 'm', 's'].filter((flag) => flags.includes(flag)).join('')
    return { source: `(?${letters}${letters.includes('s') ? '' : '-s'})${this.#out}`, marks: this.#marks, groups }
  }

  #take(text: string, name: string | undefined): string | undefined {
    const open = this.#open.at(-1)
    const isQuantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??$/u.test(text)
    if (isQuantifier && this.#last && /^(?:[*?]|\{0)/u.test(text)) this.#last.optional = true
    this.#last = undefined
    if (isQuantifier) this.#out += text
    else if (text.startsWith('(')) this.#group(text, name)
    else if (text === ')') this.#last = this.#close()
    else if (text === '|') {
      if (open) open.alternates = true
      this.#out += text
    } else return this.#piece(text)
    return undefined
  }

  #group(text: string, name: string | undefined): void {
    const keeps = text === '(' || name !== undefined
    const group: Open = { name, keeps, alternates: false, optional: false }
    if (keeps) this.#kept.push({ group, above: [...this.#open] })
    this.#open.push(group)
    this.#out += keeps ? '(' : text
  }

  #close(): Open | undefined {
    this.#out += ')'
    return this.#open.length > 1 ? this.#open.pop() : undefined
  }

  /** A letter, a class or a place. */
  #piece(text: string): string | undefined {
    if (/^\\(?:[1-9]|k)/u.test(text)) return `back references such as [${text}]`
    if (text === '\\b') return this.#mark({ side: 'word', letters: '', orNone: false })
    if (text === '\\B' && this.#marked) return 'no end of a word [\\B] beside look-around'
    if (text === '^' || text === '\\B') this.#out += text
    else if (text === '$') this.#out += this.#marked ? `[${anyMark}]*$` : '$'
    else this.#out += this.#marked ? `(?:[${anyMark}]*${this.#letters(text)})` : this.#letters(text)
    return undefined
  }

  #letters(text: string): string {
    if (text === '.') return this.#marked ? `[^\\n${anyMark}]` : '.'
    if (/^\\u/u.test(text)) return `\\x{${text.slice(2)}}`
    if (/^(?:\\[dDwWsS]|\[)/u.test(text)) {
      const { inner, negated } = partsOf(text)
      if (inner === '') return negated ? '[\\s\\S]' : '[^\\s\\S]'
      const written = inner.replace(/\\u([\dA-Fa-f]{4})/gu, '\\x{$1}')
      return this.#marked ? lettersOf(written, negated) : `[${negated ? '^' : ''}${written}]`
    }
    return text
  }

  #lookAround(kind: string, content: string): string | undefined {
    if (content === '[\\s\\S]' && kind.endsWith('!')) {
      this.#out += kind === '<!' ? '\\A' : `[${anyMark}]*\\z`
      return undefined
    }
    const mark = markOf(kind as '=' | '!' | '<=' | '<!', content)
    return mark ? this.#mark(mark) : `look-around such as [(?${kind}${content.slice(0, 50)})]`
  }

  #mark(mark: Mark): string | undefined {
    if (!this.#marked && mark.side === 'word') {
      this.#out += '\\b'
      return undefined
    }
    const same = this.#marks.findIndex((each) => JSON.stringify(each) === JSON.stringify(mark))
    const at = same < 0 ? this.#marks.push(mark) - 1 : same
    if (at >= marksMax) return `more than [${marksMax}] kinds of look-around`
    this.#pending.push(at)
    return undefined
  }

  /** Writes the marks of one place in the order that texts have them. */
  #flush(): void {
    const key = (at: number) => ({ before: -at - 1, word: 0, after: at + 1 })[this.#marks[at]?.side ?? 'word']
    for (const at of this.#pending.sort((a, b) => key(a) - key(b))) this.#out += `[${anyMark}]*${markAt(at)}`
    this.#pending = []
  }
}

/** Where the parenthesis ends whose content begins at a place. */
function closing(source: string, from: number): number {
  let depth = 1
  for (let at = from; at < source.length; ) {
    token.lastIndex = at
    const [text = ''] = token.exec(source) ?? []
    if (text === ')') depth -= 1
    else if (text.startsWith('(')) depth += 1
    if (depth === 0) return at
    at += Math.max(1, text.length)
  }
  return source.length
}

/** Writes a pattern of this runtime for the engine; a text that names what the engine cannot find. */
export function re2Pattern({
  source,
  flags,
}: {
  readonly source: string
  readonly flags: string
}): Re2Pattern | string {
  const plain = source.replaceAll('(?<![\\s\\S])', '').replaceAll('(?![\\s\\S])', '')
  const needsMarks = /\(\?<?[=!]/u.test(plain.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gsu, ''))
  return new Writer(source, needsMarks).write(flags)
}
