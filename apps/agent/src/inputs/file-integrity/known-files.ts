import { closeSync, createReadStream, fsyncSync, ftruncateSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { isDiskFull, syncFolder } from '../../durable-file.ts'
import { pause } from '../../pause.ts'
import type { NewRecord } from '../../spool/spool.ts'
import type { InputContext } from '../input.ts'
import { StateFile, stateName, stateNumber, stateSource } from '../state-file.ts'
import { type Fingerprint, fingerprintSchema } from './fingerprint.ts'
import { packFingerprint, unpackFingerprint } from './packed-fingerprint.ts'

const readBytes = 1024 * 1024
const newline = 10
const diskRetryMs = 1_000
/** Lines between two marks where all are written anew. */
const linesAtOnce = 5_000
/** The file is written anew when so many of its lines beyond twice those needed say what no longer holds. */
const spareLines = 10_000

/** A path with what is known of it, or alone when it is forgotten. */
type Entry = readonly [path: string, packed?: string]
/** Ends what was written together: the number of the state that events lead to, 0 without any, and whether all files were looked at once. */
type Mark = readonly [state: number, isComplete: boolean]

/**
 * What a stream knows of its files, in memory and in a file to which changes are appended: one of half a million costs a line, not all of them.
 * Lines count once a mark follows them; the last ones, where events tell of them, once these are in the spool, whose bookmark is the mark's number.
 */
export class KnownFiles {
  readonly #context: Pick<InputContext, 'stateFolder' | 'spool'>
  readonly #path: string
  readonly #source: string
  readonly #packed = new Map<string, string>()
  #unwritten: string[] = []
  /** Of the file, up to the last mark that counts. */
  #bytes = 0
  #lines = 0
  #isComplete = false

  private constructor(context: Pick<InputContext, 'stateFolder' | 'spool'>, streamId: string) {
    this.#context = context
    this.#path = join(context.stateFolder, `${stateName(streamId)}.files`)
    this.#source = stateSource(streamId)
  }

  /** What was known when the agent ended; nothing where the file is lost or broken. */
  static async open(context: Pick<InputContext, 'stateFolder' | 'spool'>, streamId: string): Promise<KnownFiles> {
    const known = new KnownFiles(context, streamId)
    if (!(await known.#read())) await known.#takeOver(streamId)
    return known
  }

  /** Whether all files were looked at once: what is not known since is new. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  get size(): number {
    return this.#packed.size
  }

  /** How many changes are not in the file yet. */
  get unwritten(): number {
    return this.#unwritten.length
  }

  paths(): Iterable<string> {
    return this.#packed.keys()
  }

  get(path: string): Fingerprint | undefined {
    const packed = this.#packed.get(path)
    return packed === undefined ? undefined : unpackFingerprint(packed)
  }

  set(path: string, fingerprint: Fingerprint): void {
    const packed = packFingerprint(fingerprint)
    if (this.#packed.get(path) === packed) return
    // One piece each: what is put together of parts keeps all of them.
    this.#packed.set(String(Buffer.from(path)), String(Buffer.from(packed)))
    this.#unwritten.push(JSON.stringify([path, packed]))
  }

  delete(path: string): void {
    if (this.#packed.delete(path)) this.#unwritten.push(JSON.stringify([path]))
  }

  /**
   * Adds events to the spool and remembers what they tell of, both or neither; `isComplete` as of now. False when the input was ended before: then this
   * must not be used any more.
   */
  async keep(records: readonly NewRecord[], isComplete: boolean, signal: AbortSignal): Promise<boolean> {
    const last = records.at(-1)
    if (!last && this.#unwritten.length === 0 && isComplete === this.#isComplete) return true
    const state = last ? this.#number + 1 : 0
    this.#isComplete = isComplete
    const lines = this.#unwritten
    this.#unwritten = []
    if (!(await this.#append(lines, state, signal))) return false
    if (last) {
      const marked = [...records.slice(0, -1), { ...last, source: this.#source, bookmark: { state } }]
      if (!(await this.#context.spool.append(marked, signal))) return false
      // A lost disk must not keep the state alone.
      this.#context.spool.checkpoint()
    }
    if (this.#lines > 2 * this.#packed.size + spareLines) await this.#writeAnew()
    return true
  }

  /** The number of the state whose events came into the spool last. */
  get #number(): number {
    return stateNumber(this.#context.spool, this.#source)
  }

  async #append(lines: readonly string[], state: number, signal: AbortSignal): Promise<boolean> {
    const bytes = Buffer.from([...lines, this.#mark(state), ''].join('\n'))
    while (!signal.aborted) {
      if (this.#write(bytes)) {
        this.#lines += lines.length
        return true
      }
      await pause(diskRetryMs, signal)
    }
    return false
  }

  /** False when the disk is full: then the file is as it was. */
  #write(bytes: Buffer): boolean {
    const file = openSync(this.#path, 'a', 0o600)
    try {
      // What was written for events that never came into the spool goes.
      ftruncateSync(file, this.#bytes)
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
      fsyncSync(file)
      if (this.#bytes === 0) syncFolder(dirname(this.#path))
      this.#bytes += bytes.length
      return true
    } catch (thrown) {
      if (!isDiskFull(thrown)) throw thrown
      ftruncateSync(file, this.#bytes)
      return false
    } finally {
      closeSync(file)
    }
  }

  /** Replaces the file by one without lines that no longer hold. A full disk leaves it as it is. */
  async #writeAnew(): Promise<void> {
    const temporary = `${this.#path}.new`
    const mark = this.#mark(0)
    let written = 0
    try {
      const file = openSync(temporary, 'w', 0o600)
      try {
        let lines: string[] = []
        const flush = (): void => {
          const bytes = Buffer.from([...lines, mark, ''].join('\n'))
          for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
          written += bytes.length
          lines = []
        }
        for (const entry of this.#packed) {
          if (lines.push(JSON.stringify(entry)) < linesAtOnce) continue
          flush()
          await setImmediate()
        }
        flush()
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
    } catch (thrown) {
      rmSync(temporary, { force: true })
      if (!isDiskFull(thrown)) throw thrown
      return
    }
    renameSync(temporary, this.#path)
    syncFolder(dirname(this.#path))
    this.#bytes = written
    this.#lines = this.#packed.size
  }

  #mark(state: number): string {
    return JSON.stringify([state, this.#isComplete])
  }

  /** False when there is no file. What does not count is cut off with the next write. */
  async #read(): Promise<boolean> {
    let entries: Entry[] = []
    // Nothing is written before the events of what was written last are in the spool: only the last lines may wait for theirs.
    let unproved: (() => void) | undefined
    let at = 0
    try {
      for await (const line of linesOf(this.#path)) {
        at += line.length + 1
        const value = parse(line)
        if (isEntry(value)) entries.push(value)
        else if (isMark(value)) {
          const apply = this.#apply.bind(this, entries, value[1], at)
          entries = []
          unproved?.()
          unproved = value[0] > this.#number ? apply : undefined
          if (!unproved) apply()
        } else break
      }
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw thrown
    }
    return true
  }

  #apply(entries: readonly Entry[], isComplete: boolean, until: number): void {
    for (const [path, packed] of entries) {
      if (packed === undefined) this.#packed.delete(path)
      else this.#packed.set(path, packed)
    }
    this.#lines += entries.length
    this.#isComplete = isComplete
    this.#bytes = until
  }

  /** What agents of before wrote as one JSON text. */
  async #takeOver(streamId: string): Promise<void> {
    const before = new StateFile(this.#context, streamId, z.record(z.string(), fingerprintSchema))
    const files = before.read()
    if (!files) return
    for (const [path, fingerprint] of Object.entries(files)) this.set(path, fingerprint)
    this.#unwritten = []
    this.#isComplete = true
    await this.#writeAnew()
    before.remove()
  }
}

async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, { highWaterMark: readBytes })) {
    const bytes = Buffer.concat([rest, chunk as Buffer])
    let at = 0
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, at)) {
      yield bytes.subarray(at, end)
      at = end + 1
    }
    rest = bytes.subarray(at)
  }
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'))
  } catch {
    return undefined
  }
}

function isEntry(value: unknown): value is Entry {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return false
  return value.length === 1 || (value.length === 2 && typeof value[1] === 'string')
}

function isMark(value: unknown): value is Mark {
  return Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'boolean'
}
