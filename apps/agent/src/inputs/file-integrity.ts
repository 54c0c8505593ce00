import { lstat, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PolicyStream } from '@logstack/contracts'
import { AppError, agentsErrors, messageOf } from '@logstack/errors'
import { pause, pauseUntilNext } from '../pause.ts'
import { expandPaths, pathMatches } from './file/expand-paths.ts'
import { changeOf, type FileAction, fileEvent } from './file-integrity/file-event.ts'
import { type Fingerprint, fingerprintOf, hashBuffer } from './file-integrity/fingerprint.ts'
import { KnownFiles } from './file-integrity/known-files.ts'
import { nameOf, onDisk } from './file-integrity/raw-names.ts'
import { Watches } from './file-integrity/watches.ts'
import { type AuditRules, systemRules } from './file-integrity/who-data/audit-rules.ts'
import { joinMs, WhoData } from './file-integrity/who-data/who-data.ts'
import { type InputContext, type InputType, numberOf, stringList } from './input.ts'

const defaultPeriodMs = 3_600_000
const lookEveryMs = 250
const watchesMax = 8_192
// Reading all programs of a host at once would be felt: a breath is taken after so many bytes. Looking at a file, and opening it, cost as much as reading these.
const breathBytes = 8 * 1024 * 1024
const breathMs = 100
const lookBytes = 2 * 1024
const openBytes = 16 * 1024
/** What is found is kept in such portions, so that a look at hundreds of thousands is not begun anew, nor held in memory. */
const changesAtOnce = 500
const filesAtOnce = 10_000
const defaultFilesMax = 200_000
const defaultHashBytesMax = 50 * 1024 * 1024

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
      await Promise.all(
        input.streams.map(async (stream) => {
          const known = await KnownFiles.open(context, stream.id)
          await new Guard(stream, context, rules, known).run()
        }),
      )
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

/** One look at all files, or at some. */
interface Look {
  /** Milliseconds since 1970. */
  readonly began: number
  readonly found: (path: string) => void
  /** Not kept yet. */
  readonly changes: Change[]
}

class Guard {
  readonly #stream: PolicyStream
  readonly #context: InputContext
  readonly #known: KnownFiles
  readonly #who: WhoData | undefined
  /** Paths that may have changed, and since when that is known. */
  readonly #touched = new Map<string, number>()
  readonly #watches = new Watches(watchesMax, (path) => {
    if (!this.#touched.has(path)) this.#touched.set(path, Date.now())
  })
  readonly #buffer = hashBuffer()
  #unreadable: string | undefined
  #readBytes = 0
  #lookedAtAll = Date.now()

  constructor(stream: PolicyStream, context: InputContext, rules: AuditRules, known: KnownFiles) {
    this.#stream = stream
    this.#context = context
    this.#known = known
    this.#who = asksWho(stream) ? new WhoData(rules, context.logger) : undefined
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
    const { signal } = this.#context
    this.#unreadable = undefined
    const missing = new Set(this.#known.paths())
    const look: Look = { began: Date.now(), found: (path) => missing.delete(path), changes: [] }
    for (const root of this.#roots()) await this.#lookAt(root, look)
    for (const path of missing) {
      if (signal.aborted) return
      await this.#miss(path, look)
    }
    if (signal.aborted || !(await this.#keep(look, true))) return
    this.#lookedAtAll = look.began
    this.#tell()
  }

  async #lookAtTouched(): Promise<void> {
    const touched = [...this.#touched.keys()]
    const found = new Set<string>()
    const began = Math.min(...this.#touched.values())
    const look: Look = { began, found: (path) => found.add(path), changes: [] }
    this.#touched.clear()
    for (const path of touched) if (!found.has(path)) await this.#lookAt(path, look)
    const gone = new Set(touched.filter((path) => !found.has(path)))
    for (const path of this.#knownBelow(gone)) await this.#miss(path, look)
    if (await this.#keep(look, true)) this.#tell()
  }

  /** What is known of some paths, and below those that were folders: it went with them. */
  #knownBelow(gone: ReadonlySet<string>): string[] {
    const known = [...gone].filter((path) => this.#known.get(path) !== undefined)
    const folders = new Set(known.filter((path) => this.#known.get(path)?.type === 'dir'))
    if (folders.size === 0) return known
    const isBelow = (path: string): boolean => {
      for (let above = dirname(path); above.length > 1; above = dirname(above)) if (folders.has(above)) return true
      return false
    }
    return [...new Set([...known, ...[...this.#known.paths()].filter(isBelow)])]
  }

  /** Compares a path and all below it with what is known, and watches folders. */
  async #lookAt(path: string, look: Look): Promise<void> {
    if (this.#context.signal.aborted || this.#isExcluded(path)) return
    const before = this.#known.get(path)
    if (!before && this.#known.size >= numberOf(this.#stream, 'files_max', defaultFilesMax)) {
      this.#unreadable = `more than ${this.#known.size} files: the rest is not looked at`
      return
    }
    const after = await this.#read(path, before)
    if (!after) return
    look.found(path)
    this.#known.set(path, after)
    const action = changeOf(before, after)
    // The first look only remembers what it finds for the first time.
    if (action && (before || this.#known.isComplete)) {
      look.changes.push({ path, action, before, after, seen: Date.now() })
    }
    await this.#keepPortion(look)
    if (after.type !== 'dir') return
    this.#watches.add(path, after.inode)
    for (const name of await this.#list(path)) await this.#lookAt(join(path, name), look)
  }

  /** A known path that a look did not come to: it is gone, or it lies where nothing is looked at any more or nothing can be told. */
  async #miss(path: string, look: Look): Promise<void> {
    const before = this.#known.get(path)
    if (this.#isExcluded(path) || !(await isThere(path))) {
      this.#known.delete(path)
      this.#watches.remove(path)
      if (before && !this.#isExcluded(path))
        look.changes.push({ path, action: 'deleted', before, after: undefined, seen: Date.now() })
    } else if (!this.#isBelowRoots(path)) {
      this.#known.delete(path)
      this.#watches.remove(path)
    }
    await this.#keepPortion(look)
  }

  #isBelowRoots(path: string): boolean {
    return this.#roots().some((root) => path === root || path.startsWith(root === '/' ? root : `${root}/`))
  }

  async #read(path: string, before: Fingerprint | undefined): Promise<Fingerprint | undefined> {
    try {
      const hashBytesMax = numberOf(this.#stream, 'hash_bytes_max', defaultHashBytesMax)
      const found = await fingerprintOf(path, before, { hashBytesMax, buffer: this.#buffer })
      const isHashed = found?.sha256 !== undefined && found.ctime !== before?.ctime
      this.#readBytes += isHashed ? openBytes + found.size : lookBytes
      if (this.#readBytes > breathBytes) {
        this.#readBytes = 0
        await pause(breathMs, this.#context.signal)
      }
      return found
    } catch (thrown) {
      this.#unreadable = messageOf(thrown)
      return before
    }
  }

  async #list(folder: string): Promise<string[]> {
    try {
      return (await readdir(onDisk(folder), { encoding: 'buffer' })).map(nameOf)
    } catch (thrown) {
      this.#unreadable = messageOf(thrown)
      return []
    }
  }

  #isExcluded(path: string): boolean {
    return stringList(this.#stream, 'exclude').some((pattern) => pathMatches(path, pattern))
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

  async #keepPortion(look: Look): Promise<void> {
    if (look.changes.length < changesAtOnce && this.#known.unwritten < filesAtOnce) return
    if (!(await this.#keep(look, this.#known.isComplete)) || this.#known.isComplete) return
    this.#context.report(this.#stream.id, 'STARTING', `the first look: ${this.#known.size} files so far`)
  }

  /** Tells of the changes so far, and remembers what was found. False when the input was ended before. */
  async #keep(look: Look, isComplete: boolean): Promise<boolean> {
    const { signal } = this.#context
    const changes = look.changes.splice(0)
    const timestamp = new Date().toISOString()
    const who = await this.#whoMade(changes, look.began)
    const records = changes.map(({ path, action, before, after }, at) => ({
      data_stream: this.#stream.data_stream,
      event: { '@timestamp': timestamp, ...fileEvent(path, action, before, after, who[at]) },
    }))
    // What could not be kept is found again at the next start, as it is still unknown there.
    return this.#known.keep(records, isComplete, signal)
  }

  #tell(): void {
    const { report } = this.#context
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

/** False when nothing is at the path; true also where that cannot be told. */
async function isThere(path: string): Promise<boolean> {
  return lstat(onDisk(path)).then(
    () => true,
    (thrown: NodeJS.ErrnoException) => thrown.code !== 'ENOENT' && thrown.code !== 'ENOTDIR',
  )
}

/** Whether a stream wants to know who made a change; throws `agent_policy_invalid`. */
function asksWho(stream: PolicyStream): boolean {
  const value = stream['whodata'] ?? 'off'
  if (value === 'off' || value === 'auto') return value === 'auto'
  throw new AppError(agentsErrors.agent_policy_invalid, 'whodata: it is `auto` or `off`', {
    fix: 'correct the policy: PUT /api/fleet/agent_policies/ID',
  })
}
