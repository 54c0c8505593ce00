import type { TailedLine } from './tail.ts'

/** Which lines of a file are one event. */
export interface MultilineRule {
  /** Tells lines that belong to others. */
  readonly belongs: (text: string) => boolean
  /** Whether such a line belongs to the one before it or to the one behind it. */
  readonly what: 'previous' | 'next'
  readonly linesMax: number
  readonly bytesMax: number
  /** How long the end of an event is waited for. */
  readonly waitMs: number
}

/**
 * Puts the lines of one file together to events. What is not whole yet is in no spool: after a crash it is read again. An event that reaches a limit ends there, and
 * the next line begins another.
 */
export class Multiline {
  readonly #rule: MultilineRule
  readonly #now: () => number
  #held: TailedLine[] = []
  #bytes = 0
  #since = 0
  /** Whether the event at hand waits for the line it belongs to. */
  #isOpen = false

  constructor(rule: MultilineRule, now: () => number) {
    this.#rule = rule
    this.#now = now
  }

  /** The events that these lines make whole. */
  add(lines: readonly TailedLine[]): TailedLine[] {
    const events: TailedLine[] = []
    for (const line of lines) {
      const before = this.#held.at(-1)
      // A smaller offset: the file began anew.
      const isApart = before !== undefined && (line.offset < before.offset || !this.#continues(line))
      if (isApart || this.#isFull(line)) events.push(...this.end())
      this.#held.push(line)
      this.#bytes += Buffer.byteLength(line.text)
      this.#isOpen = this.#rule.what === 'next' && this.#rule.belongs(line.text)
    }
    if (lines.length > 0) this.#since = this.#now()
    // Only with `next` a line can tell that nothing follows.
    if (this.#rule.what === 'next' && !this.#isOpen) events.push(...this.end())
    return events
  }

  /** The event at hand, when nothing came for as long as one waits. */
  overdue(): TailedLine[] {
    return this.#held.length > 0 && this.#now() - this.#since >= this.#rule.waitMs ? this.end() : []
  }

  /** The event at hand, whole or not. */
  end(): TailedLine[] {
    const [first] = this.#held
    const last = this.#held.at(-1)
    if (!first || !last) return []
    const text = this.#held.map((line) => line.text).join('\n')
    const tags = [...new Set(this.#held.flatMap((line) => line.tags ?? []))]
    this.#held = []
    this.#bytes = 0
    return [{ text, offset: first.offset, bookmark: last.bookmark, ...(tags.length > 0 ? { tags } : {}) }]
  }

  /** Nothing is held any more: it is read again. */
  forget(): void {
    this.#held = []
    this.#bytes = 0
  }

  #continues(line: TailedLine): boolean {
    return this.#rule.what === 'next' ? this.#isOpen : this.#rule.belongs(line.text)
  }

  #isFull(line: TailedLine): boolean {
    const { linesMax, bytesMax } = this.#rule
    return (
      this.#held.length > 0 && (this.#held.length >= linesMax || this.#bytes + Buffer.byteLength(line.text) > bytesMax)
    )
  }
}
