/** How far each index may be read without a hole, and who waits for it to go on. */
export class Checkpoints {
  readonly #reached = new Map<number, number>()
  readonly #waiting = new Map<number, Set<() => void>>()

  /** The highest `_seq_no` that is visible with all before it; `start` where nothing is known yet. */
  of(index: number, start: () => number): number {
    const known = this.#reached.get(index)
    if (known !== undefined) return known
    const first = start()
    this.#reached.set(index, first)
    return first
  }

  /** Moves an index's checkpoint on and wakes who waits for it. */
  reach(index: number, seqNo: number): void {
    this.#reached.set(index, seqNo)
    for (const wake of [...(this.#waiting.get(index) ?? [])]) wake()
  }

  forget(index: number): void {
    this.#reached.delete(index)
  }

  /** Resolves at the move of the index's checkpoint that makes `isOver` true, after `timeoutMs`, or when the signal aborts. */
  async movedUntil(isOver: () => boolean, index: number, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    const end = performance.now() + timeoutMs
    for (let left = timeoutMs; left > 0 && !signal?.aborted; left = end - performance.now()) {
      await this.#moved(index, left, signal)
      if (isOver()) return
    }
  }

  /** Resolves at the next move. */
  #moved(index: number, timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(index) ?? new Set()
      const wake = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
        waiting.delete(wake)
        if (waiting.size === 0) this.#waiting.delete(index)
        resolve()
      }
      const timer = setTimeout(wake, timeoutMs)
      signal?.addEventListener('abort', wake)
      this.#waiting.set(index, waiting.add(wake))
      if (signal?.aborted) wake()
    })
  }

  /** Wakes everybody, for the end. */
  close(): void {
    for (const waiting of [...this.#waiting.values()]) for (const wake of [...waiting]) wake()
  }
}
