import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PolicyStream } from '@logstack/contracts'
import { AppError, agentsErrors, messageOf } from '@logstack/errors'
import { z } from 'zod'
import { pause, pauseUntilNext } from '../pause.ts'
import { expandPaths, pathMatches } from './file/expand-paths.ts'
import { changeOf, type FileAction, fileEvent } from './file-integrity/file-event.ts'
import { type Fingerprint, fingerprintOf, fingerprintSchema, hashBuffer } from './file-integrity/fingerprint.ts'
import { Watches } from './file-integrity/watches.ts'
import { type AuditRules, systemRules } from './file-integrity/who-data/audit-rules.ts'
import { joinMs, WhoData } from './file-integrity/who-data/who-data.ts'
import { type InputContext, type InputType, numberOf, stringList } from './input.ts'
import { StateFile } from './state-file.ts'

const defaultPeriodMs = 3_600_000
const lookEveryMs = 250
const watchesMax = 8_192
// Reading all programs of a host at once would be felt: a breath is taken after so many bytes.
const breathBytes = 8 * 1024 * 1024
const breathMs = 100
const defaultFilesMax = 200_000
const defaultHashBytesMax = 50 * 1024 * 1024
const stateSchema = z.record(z.string(), fingerprintSchema)

/**
 * Changes of files: `paths` (absolute patterns; folders with all below them), `exclude`, noticed at once by inotify and found by comparing everything
 * every `period_ms` and at the start, so what changed while the agent was off is reported too. The first look only remembers. With `whodata: auto`
 * the host's audit is asked who made the changes.
 */
export const fileIntegrityInput: InputType = fileIntegrity(systemRules)

/** The input with the audit of a host. */
export function fileIntegrity(rules: AuditRules): InputType {
  return {
    type: 'file_integrity',
    async run(input, context) {
      const guards = input.streams.map((stream) => new Guard(stream, context, rules))
      await Promise.all(guards.map((guard) => guard.run()))
    },
  }
}

/** A change of a path, with what was known before it and is now. */
interface Change {
  readonly path: string
  readonly action: FileAction
  readonly before: Fingerprint | undefined
  readonly after: Fingerprint | undefined
  readonly seen: number
}

class Guard {
  readonly #stream: PolicyStream
  readonly #context: InputContext
  readonly #file: StateFile<Record<string, Fingerprint>>
  readonly #who: WhoData | undefined
  /** Paths that may have changed, and since when that is known. */
  readonly #touched = new Map<string, number>()
  readonly #watches = new Watches(watchesMax, (path) => {
    if (!this.#touched.has(path)) this.#touched.set(path, Date.now())
  })
  readonly #known = new Map<string, Fingerprint>()
  readonly #buffer = hashBuffer()
  #isFirst: boolean
  #unreadable: string | undefined
  #readBytes = 0
  #lookedAtAll = Date.now()

  constructor(stream: PolicyStream, context: InputContext, rules: AuditRules) {
    this.#stream = stream
    this.#context = context
    this.#who = asksWho(stream) ? new WhoData(rules, context.logger) : undefined
    this.#file = new StateFile(context, stream.id, stateSchema)
    const known = this.#file.read()
    this.#isFirst = known === undefined
    for (const [path, fingerprint] of Object.entries(known ?? {})) this.#known.set(path, fingerprint)
  }

  async run(): Promise<void> {
    const { signal } = this.#context
    const periodMs = numberOf(this.#stream, 'period_ms', defaultPeriodMs)
    try {
      await this.#who?.watch(() => this.#roots())
      while (!signal.aborted) {
        await this.#lookAtAll()
        for (const next = performance.now() + periodMs; performance.now() < next && !signal.aborted; ) {
          await pauseUntilNext(lookEveryMs, signal)
          await this.#who?.watch(() => this.#roots())
          await this.#who?.listen()
          if (this.#touched.size > 0) await this.#lookAtTouched()
        }
      }
    } finally {
      this.#watches.close()
      await this.#who?.close()
    }
  }

  #roots(): string[] {
    return stringList(this.#stream, 'paths')
      .filter((path) => path.startsWith('/'))
      .flatMap(expandPaths)
  }

  async #lookAtAll(): Promise<void> {
    this.#unreadable = undefined
    const began = Date.now()
    const found = new Set<string>()
    const changes: Change[] = []
    for (const root of this.#roots()) await this.#lookAt(root, found, changes)
    for (const path of [...this.#known.keys()]) if (!found.has(path)) changes.push(...this.#forget(path))
    await this.#report(changes, began)
    this.#lookedAtAll = began
    this.#isFirst = false
  }

  async #lookAtTouched(): Promise<void> {
    const touched = [...this.#touched.keys()]
    const began = Math.min(...this.#touched.values())
    this.#touched.clear()
    const changes: Change[] = []
    const found = new Set<string>()
    for (const path of touched) if (!found.has(path)) await this.#lookAt(path, found, changes)
    // What a folder that went held went with it.
    const gone = touched.filter((path) => !found.has(path))
    for (const path of this.#known.keys()) {
      if (gone.some((root) => path === root || path.startsWith(`${root}/`))) changes.push(...this.#forget(path))
    }
    await this.#report(changes, began)
  }

  /** Compares a path and all below it with what is known, and watches folders. */
  async #lookAt(path: string, found: Set<string>, changes: Change[]): Promise<void> {
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
    const action = changeOf(before, after)
    if (action && !this.#isFirst) changes.push({ path, action, before, after, seen: Date.now() })
    if (after.type !== 'dir') return
    this.#watches.add(path)
    for (const name of await this.#list(path)) await this.#lookAt(join(path, name), found, changes)
  }

  async #read(path: string, before: Fingerprint | undefined): Promise<Fingerprint | undefined> {
    try {
      const hashBytesMax = numberOf(this.#stream, 'hash_bytes_max', defaultHashBytesMax)
      const found = await fingerprintOf(path, before, { hashBytesMax, buffer: this.#buffer })
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

  #forget(path: string): Change[] {
    const before = this.#known.get(path)
    this.#known.delete(path)
    this.#watches.remove(path)
    return before ? [{ path, action: 'deleted', before, after: undefined, seen: Date.now() }] : []
  }

  /** Who made each change, where that is asked and can be told; waits for it a moment behind `began`. */
  async #whoMade(changes: readonly Change[], began: number): Promise<Record<string, unknown>[]> {
    const asked = changes.map(({ path, action, before, after, seen }) => ({
      path,
      action,
      inodes: [before, after].flatMap((fingerprint) => fingerprint?.inode ?? []),
      // Of what went, and of folders, no time is kept.
      happened: after?.ctime || undefined,
      since: this.#lookedAtAll,
      seen,
    }))
    return (await this.#who?.whoMade(asked, began + joinMs, this.#context.signal)) ?? []
  }

  async #report(changes: readonly Change[], began: number): Promise<void> {
    const { signal, report } = this.#context
    const timestamp = new Date().toISOString()
    const who = await this.#whoMade(changes, began)
    const records = changes.map(({ path, action, before, after }, at) => ({
      data_stream: this.#stream.data_stream,
      event: { '@timestamp': timestamp, ...fileEvent(path, action, before, after, who[at]) },
    }))
    // What could not be kept is found again at the next start, as it is still unknown there.
    if (records.length > 0 || this.#isFirst) {
      if (!(await this.#file.append(records, Object.fromEntries(this.#known), signal))) return
    }
    const trouble = this.#unreadable ?? this.#watches.refused
    const without = this.#who?.missing
    if (trouble) report(this.#stream.id, 'DEGRADED', trouble)
    else
      report(
        this.#stream.id,
        'HEALTHY',
        `watching ${this.#known.size} files${without === undefined ? '' : `; who changes them is not told: ${without}`}`,
      )
  }
}

/** Whether a stream wants to know who made a change; throws `agent_policy_invalid`. */
function asksWho(stream: PolicyStream): boolean {
  const value = stream['whodata'] ?? 'off'
  if (value === 'off' || value === 'auto') return value === 'auto'
  throw new AppError(agentsErrors.agent_policy_invalid, 'whodata: it is `auto` or `off`', {
    fix: 'correct the policy: PUT /api/fleet/agent_policies/ID',
  })
}
