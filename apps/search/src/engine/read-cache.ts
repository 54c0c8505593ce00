import { AppError, searchErrors } from '@logstack/errors'
import type { Sql } from '../sql/sql.ts'
import type { Engine, ReadOptions } from './engine.ts'
import { parseRows } from './parse-rows.ts'

/** Bounds of what is kept, in bytes of statements and answers. */
export interface ReadCacheLimits {
  readonly bytesMax: number
  /** Larger answers are not kept. */
  readonly answerBytesMax: number
}

/** What every statement over the rows of a snapshot has. */
const snapshotMark = '_seq <= '

const defaultLimits: ReadCacheLimits = { bytesMax: 32 * 1024 ** 2, answerBytesMax: 256 * 1024 }

/** A statement that runs, and who waits for it. */
interface Running {
  readonly answer: Promise<Buffer>
  readonly controller: AbortController
  waiting: number
}

const cancelled = (): AppError => new AppError(searchErrors.task_cancelled_exception, 'task cancelled')

/**
 * Answers of statements by their text. A statement of a search names the snapshot it reads (its highest sequence number and the rows that are
 * gone), so the same text has the same answer for as long as it is asked for, whatever is written meanwhile: nothing is ever invalidated, what is
 * old is asked for no more and makes room. Equal statements that are asked at once, as the panels of a dashboard do, run once.
 */
export class ReadCache {
  readonly #engine: Pick<Engine, 'bytes'>
  readonly #limits: ReadCacheLimits
  readonly #kept = new Map<string, Buffer>()
  readonly #running = new Map<string, Running>()
  #bytes = 0

  constructor(engine: Pick<Engine, 'bytes'>, limits: ReadCacheLimits = defaultLimits) {
    this.#engine = engine
    this.#limits = limits
  }

  /** As `Engine.rows`. */
  async rows(query: Sql, options: ReadOptions = {}): Promise<unknown[][]> {
    return parseRows((await this.bytes(query, 'JSONCompactEachRow', options)).toString('utf8'))
  }

  /** As `Engine.bytes`; the answer must not be changed. */
  async bytes(query: Sql, format: string, options: ReadOptions = {}): Promise<Buffer> {
    // A search with limits of its own must not be answered by one that has others; what names no snapshot changes.
    if (options.limits !== undefined || !query.text.includes(snapshotMark))
      return this.#engine.bytes(query, format, options)
    if (options.signal?.aborted) throw cancelled()
    const key = `${format} ${query.text}`
    const kept = this.#kept.get(key)
    if (kept !== undefined) {
      this.#kept.delete(key)
      this.#kept.set(key, kept)
      return kept
    }
    const running = this.#running.get(key) ?? this.#start(key, query, format, options)
    return this.#wait(key, running, options.signal)
  }

  #start(key: string, query: Sql, format: string, { weight, signal, owner = signal }: ReadOptions): Running {
    const controller = new AbortController()
    const answer = this.#engine.bytes(query, format, {
      signal: controller.signal,
      ...(owner === undefined ? {} : { owner }),
      ...(weight === undefined ? {} : { weight }),
    })
    const running: Running = { answer, controller, waiting: 0 }
    this.#running.set(key, running)
    const end = () => {
      if (this.#running.get(key) === running) this.#running.delete(key)
    }
    answer.then(
      (bytes) => {
        end()
        this.#keep(key, bytes)
      },
      () => end(),
    )
    return running
  }

  /** The statement is ended when nobody waits for it any more. */
  async #wait(key: string, running: Running, signal: AbortSignal | undefined): Promise<Buffer> {
    running.waiting += 1
    let onAbort: () => void = () => undefined
    const gone = new Promise<never>((_, reject) => {
      onAbort = () => reject(cancelled())
      signal?.addEventListener('abort', onAbort)
    })
    try {
      return await Promise.race([running.answer, gone])
    } finally {
      signal?.removeEventListener('abort', onAbort)
      running.waiting -= 1
      if (running.waiting === 0 && this.#running.get(key) === running) {
        this.#running.delete(key)
        running.controller.abort()
      }
    }
  }

  #keep(key: string, bytes: Buffer): void {
    if (bytes.length > this.#limits.answerBytesMax || this.#kept.has(key)) return
    this.#kept.set(key, bytes)
    this.#bytes += costOf(key, bytes)
    for (const [oldest, answer] of this.#kept) {
      if (this.#bytes <= this.#limits.bytesMax) break
      this.#kept.delete(oldest)
      this.#bytes -= costOf(oldest, answer)
    }
  }
}

/** Texts are kept with a byte or two a character. */
function costOf(key: string, bytes: Buffer): number {
  return 2 * key.length + bytes.length
}

const cacheOf = new WeakMap<object, ReadCache>()

/** The same engine, whose reads are answered from the engine's cache where they can be. */
export function cachedEngine(engine: Engine): Engine {
  const cache = cacheOf.get(engine) ?? new ReadCache(engine)
  cacheOf.set(engine, cache)
  return {
    ...engine,
    rows: (query, options) => cache.rows(query, options),
    bytes: (query, format, options) => cache.bytes(query, format, options),
  }
}
