import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeDurably } from '../durable-file.ts'
import type { NewRecord, Spool } from '../spool/spool.ts'
import type { InputContext } from './input.ts'

const bookmarkSchema = z.object({ state: z.number() })

/** How the files of a stream's state begin. */
export const stateName = (streamId: string): string => streamId.replace(/[^\w.-]/g, '_')

/** The name of a stream's state among the spool's bookmarks. */
export const stateSource = (streamId: string): string => `state:${streamId}`

/** The number of the state whose events came into the spool last. */
export function stateNumber(spool: Spool, source: string): number {
  return bookmarkSchema.safeParse(spool.bookmark(source)).data?.state ?? 0
}

/**
 * What an input remembers between starts, one JSON file a stream. A file that is lost or broken is as if it had never been. A state that events led to
 * lies beside the file, numbered, until they are in the spool: their bookmark is the number, so that it counts from the very write that brings them.
 */
export class StateFile<T> {
  readonly #folder: string
  readonly #name: string
  readonly #source: string
  readonly #spool: Spool
  readonly #schema: z.ZodType<T>

  constructor(context: Pick<InputContext, 'stateFolder' | 'spool'>, streamId: string, schema: z.ZodType<T>) {
    this.#folder = context.stateFolder
    this.#spool = context.spool
    this.#name = stateName(streamId)
    this.#source = stateSource(streamId)
    this.#schema = schema
  }

  read(): T | undefined {
    const current = this.#next(this.#number)
    for (const name of readdirSync(this.#folder)) {
      if (!name.startsWith(`${this.#name}.next-`)) continue
      const path = join(this.#folder, name)
      if (path === current) renameSync(path, this.#path)
      // Its events never came into the spool; what they told of is found again.
      else rmSync(path)
    }
    try {
      return this.#schema.safeParse(JSON.parse(readFileSync(this.#path, 'utf8'))).data
    } catch (thrown) {
      if (thrown instanceof SyntaxError || (thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw thrown
    }
  }

  /** Adds events to the spool and remembers the state that they led to, both or neither. False when the input was ended before. */
  async append(records: readonly NewRecord[], state: T, signal: AbortSignal): Promise<boolean> {
    const last = records.at(-1)
    if (!last) {
      writeDurably(this.#path, JSON.stringify(state))
      return true
    }
    const number = this.#number + 1
    const next = this.#next(number)
    writeDurably(next, JSON.stringify(state))
    const bookmarked = { ...last, source: this.#source, bookmark: { state: number } }
    if (!(await this.#spool.append([...records.slice(0, -1), bookmarked], signal))) return false
    // A lost disk must not keep the state alone.
    this.#spool.checkpoint()
    renameSync(next, this.#path)
    return true
  }

  /** Removes the file: it is as if nothing had ever been remembered. */
  remove(): void {
    rmSync(this.#path, { force: true })
  }

  get #number(): number {
    return stateNumber(this.#spool, this.#source)
  }

  get #path(): string {
    return join(this.#folder, `${this.#name}.json`)
  }

  #next(number: number): string {
    return join(this.#folder, `${this.#name}.next-${number}.json`)
  }
}
