import type { PartName } from '@logstack/contracts'
import { lastWords } from './process/log-file.ts'
import type { PartStatus, Runtime } from './runtime.ts'

/** How many times in `limitMs` a log is read. */
const looksPerLimit = 6

/** Parts that run and say all the while that they wait for the same: for what only another repair brings, waiting longer does not help. */
export class VainWaits {
  readonly #said = new Map<PartName, { readonly words: string; readonly sinceMs: number }>()
  readonly #runtime: Runtime
  readonly #limitMs: number
  #lookedAtMs = Number.NEGATIVE_INFINITY

  constructor(runtime: Runtime, limitMs: number) {
    this.#runtime = runtime
    this.#limitMs = limitMs
  }

  /** The first of the parts whose newest words have been the same for the limit, with these words. */
  async find(waiting: readonly PartStatus[]): Promise<PartStatus | undefined> {
    const now = performance.now()
    if (now - this.#lookedAtMs < this.#limitMs / looksPerLimit) return undefined
    this.#lookedAtMs = now
    for (const status of waiting.filter(({ state }) => state === 'running')) {
      const words = lastWords(await newestLines(this.#runtime, status.part, 1))
      const before = this.#said.get(status.part)
      // A part that says nothing of a wait is at work.
      if (!words?.startsWith('waiting for ')) this.#said.delete(status.part)
      else if (before?.words !== words) this.#said.set(status.part, { words, sinceMs: now })
      else if (now - before.sinceMs >= this.#limitMs) return { ...status, lastWords: words }
    }
    return undefined
  }
}

/** The newest lines of a part's log, oldest first. */
export async function newestLines(runtime: Runtime, part: PartName, count: number): Promise<string[]> {
  const lines: string[] = []
  for await (const line of runtime.logs(part, { lines: count, follow: false })) lines.push(line)
  return lines
}
