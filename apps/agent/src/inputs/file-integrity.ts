import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PolicyStream } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import { z } from 'zod'
import { pause } from '../pause.ts'
import { expandPaths, pathMatches } from './file/expand-paths.ts'
import { changeOf, fileEvent } from './file-integrity/file-event.ts'
import { type Fingerprint, fingerprintOf, fingerprintSchema } from './file-integrity/fingerprint.ts'
import { Watches } from './file-integrity/watches.ts'
import { type InputContext, type InputType, numberOf, stringList } from './input.ts'
import { StateFile } from './state-file.ts'

const defaultPeriodMs = 3_600_000
const settleMs = 250
const idleMs = 250
const watchesMax = 8_192
// Reading all programs of a host at once would be felt: a breath is taken after so many bytes.
const breathBytes = 8 * 1024 * 1024
const breathMs = 100
const defaultFilesMax = 200_000
const defaultHashBytesMax = 50 * 1024 * 1024
const stateSchema = z.record(z.string(), fingerprintSchema)

/**
 * Changes of files: `paths` (absolute patterns; folders with all below them), `exclude`, noticed at once by inotify and found by comparing everything
 * every `period_ms` and at the start, so what changed while the agent was off is reported too. The first look only remembers.
 */
export const fileIntegrityInput: InputType = {
  type: 'file_integrity',
  async run(input, context) {
    await Promise.all(input.streams.map((stream) => new Guard(stream, context).run()))
  },
}

class Guard {
  readonly #stream: PolicyStream
  readonly #context: InputContext
  readonly #file: StateFile<Record<string, Fingerprint>>
  readonly #touched = new Set<string>()
  readonly #watches = new Watches(watchesMax, (path) => this.#touched.add(path))
  readonly #known = new Map<string, Fingerprint>()
  #isFirst: boolean
  #unreadable: string | undefined
  #readBytes = 0

  constructor(stream: PolicyStream, context: InputContext) {
    this.#stream = stream
    this.#context = context
    this.#file = new StateFile(context, stream.id, stateSchema)
    const known = this.#file.read()
    this.#isFirst = known === undefined
    for (const [path, fingerprint] of Object.entries(known ?? {})) this.#known.set(path, fingerprint)
  }

  async run(): Promise<void> {
    const { signal } = this.#context
    const periodMs = numberOf(this.#stream, 'period_ms', defaultPeriodMs)
    try {
      while (!signal.aborted) {
        await this.#lookAtAll()
        for (const next = Date.now() + periodMs; Date.now() < next && !signal.aborted; ) {
          await pause(this.#touched.size > 0 ? settleMs : idleMs, signal)
          if (this.#touched.size > 0) await this.#lookAtTouched()
        }
      }
    } finally {
      this.#watches.close()
    }
  }

  async #lookAtAll(): Promise<void> {
    this.#unreadable = undefined
    const found = new Set<string>()
    const roots = stringList(this.#stream, 'paths')
      .filter((path) => path.startsWith('/'))
      .flatMap(expandPaths)
    const events: Record<string, unknown>[] = []
    for (const root of roots) await this.#lookAt(root, found, events)
    for (const path of [...this.#known.keys()]) if (!found.has(path)) events.push(...this.#forget(path))
    await this.#report(events)
    this.#isFirst = false
  }

  async #lookAtTouched(): Promise<void> {
    const touched = [...this.#touched]
    this.#touched.clear()
    const events: Record<string, unknown>[] = []
    const found = new Set<string>()
    for (const path of touched) if (!found.has(path)) await this.#lookAt(path, found, events)
    // What a folder that went held went with it.
    const gone = touched.filter((path) => !found.has(path))
    for (const path of this.#known.keys()) {
      if (gone.some((root) => path === root || path.startsWith(`${root}/`))) events.push(...this.#forget(path))
    }
    await this.#report(events)
  }

  /** Compares a path and all below it with what is known, and watches folders. */
  async #lookAt(path: string, found: Set<string>, events: Record<string, unknown>[]): Promise<void> {
    if (this.#context.signal.aborted || this.#isExcluded(path)) return
    if (found.size >= numberOf(this.#stream, 'files_max', defaultFilesMax)) {
      this.#unreadable = `more than ${found.size} files: the rest is not looked at`
      return
    }
    const before = this.#known.get(path)
    const after = await this.#read(path, before)
    if (!after) return
    found.add(path)
    this.#known.set(path, after)
    const change = changeOf(before, after)
    if (change && !this.#isFirst) events.push(fileEvent(path, change, before, after))
    if (after.type !== 'dir') return
    this.#watches.add(path)
    for (const name of await this.#list(path)) await this.#lookAt(join(path, name), found, events)
  }

  async #read(path: string, before: Fingerprint | undefined): Promise<Fingerprint | undefined> {
    try {
      const found = await fingerprintOf(path, before, numberOf(this.#stream, 'hash_bytes_max', defaultHashBytesMax))
      if (found?.sha256 !== undefined && found.ctime !== before?.ctime) this.#readBytes += found.size
      if (this.#readBytes > breathBytes) await pause(breathMs, this.#context.signal)
      if (this.#readBytes > breathBytes) this.#readBytes = 0
      return found
    } catch (thrown) {
      this.#unreadable = messageOf(thrown)
      return before
    }
  }

  async #list(folder: string): Promise<string[]> {
    try {
      return await readdir(folder)
    } catch (thrown) {
      this.#unreadable = messageOf(thrown)
      return []
    }
  }

  #isExcluded(path: string): boolean {
    return stringList(this.#stream, 'exclude').some((pattern) => pathMatches(path, pattern))
  }

  #forget(path: string): Record<string, unknown>[] {
    const before = this.#known.get(path)
    this.#known.delete(path)
    this.#watches.remove(path)
    return before ? [fileEvent(path, 'deleted', before, undefined)] : []
  }

  async #report(events: readonly Record<string, unknown>[]): Promise<void> {
    const { signal, report } = this.#context
    const timestamp = new Date().toISOString()
    const records = events.map((event) => ({
      data_stream: this.#stream.data_stream,
      event: { '@timestamp': timestamp, ...event },
    }))
    // What could not be kept is found again at the next start, as it is still unknown there.
    if (records.length > 0 || this.#isFirst) {
      if (!(await this.#file.append(records, Object.fromEntries(this.#known), signal))) return
    }
    const trouble = this.#unreadable ?? this.#watches.refused
    if (trouble) report(this.#stream.id, 'DEGRADED', trouble)
    else report(this.#stream.id, 'HEALTHY', `watching ${this.#known.size} files`)
  }
}
