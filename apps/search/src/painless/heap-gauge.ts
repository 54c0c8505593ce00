import { getHeapStatistics } from 'node:v8'

/** Milliseconds between two looks at the heap: in one a script can take some tens of megabytes. */
const betweenLooksMs = 10

const usedBytes = (): number => getHeapStatistics().used_heap_size

/** Tells whether the heap has grown too far while a script had the thread to itself. */
export class HeapGauge {
  readonly #limitBytes: number
  readonly #now: () => number
  readonly #used: () => number
  #lookAtMs: number
  #startBytes: number | undefined

  /** `now` and `used`: milliseconds of the wall's clock and bytes of the heap. */
  constructor(limitBytes: number, now = () => performance.now(), used = usedBytes) {
    this.#limitBytes = limitBytes
    this.#now = now
    this.#used = used
    this.#lookAtMs = now() + betweenLooksMs
  }

  /** Whether the heap has grown by more than the limit since the first look. Cheap: most calls do not look. */
  isOver(): boolean {
    const nowMs = this.#now()
    if (nowMs < this.#lookAtMs) return false
    this.#lookAtMs = nowMs + betweenLooksMs
    const bytes = this.#used()
    this.#startBytes ??= bytes
    return bytes - this.#startBytes > this.#limitBytes
  }
}
