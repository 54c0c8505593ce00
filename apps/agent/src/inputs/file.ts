import { statSync } from 'node:fs'
import type { PolicyStream } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import { pause } from '../pause.ts'
import { expandPaths, pathMatches } from './file/expand-paths.ts'
import { type FileOptions, readFileOptions } from './file/file-options.ts'
import { Multiline } from './file/multiline.ts'
import { sourceOf, Tail, type TailedLine } from './file/tail.ts'
import { type InputContext, type InputType, stringList } from './input.ts'

const pollMs = 250
const filesMax = 1024

/**
 * Follows text files: `paths` and `exclude` (absolute patterns), `line_bytes_max`, `extra: true` for the stream that also reads this host's own
 * extra paths. `encoding`, `multiline`, `include_lines` and `exclude_lines` are explained in docs/endpoints.md. Files are followed by inode through rotation, read from their beginning when first seen.
 */
export const fileInput: InputType = {
  type: 'file',
  async run(input, context) {
    await Promise.all(input.streams.map((stream) => new FileStream(stream, context).run()))
  },
}

/** Makes an event of a line of a file. */
export type DescribeLine = (line: TailedLine, path: string) => Record<string, unknown>

const plainLine: DescribeLine = ({ text, offset }, path) => ({ message: text, log: { file: { path }, offset } })

/** Files of one stream being followed; `describe` makes the events. */
export class FileStream {
  readonly #stream: PolicyStream
  readonly #context: InputContext
  readonly #describe: DescribeLine
  readonly #options: FileOptions
  readonly #tails = new Map<string, Tail>()
  readonly #groups = new Map<string, Multiline>()
  readonly #unreadable = new Map<string, string>()
  /** How many files fit beyond those that are followed. */
  #tooMany = 0

  constructor(stream: PolicyStream, context: InputContext, describe: DescribeLine = plainLine) {
    this.#stream = stream
    this.#context = context
    this.#describe = describe
    this.#options = readFileOptions(stream)
  }

  async run(): Promise<void> {
    const { signal } = this.#context
    while (!signal.aborted) {
      const gone = this.#discover()
      let busy = false
      for (const tail of this.#tails.values()) {
        const lines = tail.read()
        if (lines.length > 0) busy = true
        const grouped = this.#group(tail)
        const events = grouped ? [...grouped.add(lines), ...grouped.overdue()] : lines
        if (!(await this.#append(tail, events))) break
      }
      for (const tail of gone) await this.#finish(tail)
      this.#report()
      if (!busy) await pause(pollMs, signal)
    }
    for (const tail of this.#tails.values()) tail.close()
  }

  /** Opens files that are new, follows renames, and returns the tails whose file is no longer at any path. */
  #discover(): Tail[] {
    const paths = this.#paths()
    const present = new Set<string>()
    this.#unreadable.clear()
    for (const path of paths) {
      const source = this.#sourceAt(path)
      if (source === undefined) continue
      present.add(source)
      const known = this.#tails.get(source)
      if (known) known.path = path
      else this.#open(path)
    }
    return [...this.#tails.values()].filter((tail) => !present.has(tail.source))
  }

  #paths(): string[] {
    const extra = this.#stream['extra'] === true ? this.#context.extraLogPaths : []
    const exclude = stringList(this.#stream, 'exclude')
    const patterns = [...stringList(this.#stream, 'paths'), ...extra].filter((pattern) => pattern.startsWith('/'))
    const paths = new Set(patterns.flatMap(expandPaths))
    const wanted = [...paths].filter((path) => !exclude.some((pattern) => pathMatches(path, pattern)))
    this.#tooMany = Math.max(0, wanted.length - filesMax)
    return wanted.slice(0, filesMax)
  }

  #sourceAt(path: string): string | undefined {
    try {
      const stats = statSync(path, { throwIfNoEntry: false })
      return stats?.isFile() ? sourceOf(stats.dev, stats.ino) : undefined
    } catch (thrown) {
      this.#unreadable.set(path, messageOf(thrown))
      return undefined
    }
  }

  #open(path: string): void {
    const { lineBytesMax, encoding } = this.#options
    try {
      const tail = Tail.open(path, (source) => this.#context.spool.bookmark(source), { lineBytesMax, encoding })
      if (this.#tails.has(tail.source)) tail.close()
      else this.#tails.set(tail.source, tail)
    } catch (thrown) {
      this.#unreadable.set(path, messageOf(thrown))
    }
  }

  /** What puts the lines of a file together; undefined where each line is an event. */
  #group(tail: Tail): Multiline | undefined {
    const { multiline } = this.#options
    if (!multiline) return undefined
    const known = this.#groups.get(tail.source) ?? new Multiline(multiline, () => Date.now())
    this.#groups.set(tail.source, known)
    return known
  }

  async #append(tail: Tail, events: readonly TailedLine[]): Promise<boolean> {
    const lines = events.filter(({ text }) => this.#options.isWanted(text))
    const first = lines[0]
    if (!first) return true
    const added = await this.#context.spool.append(
      lines.map((line) => ({
        data_stream: this.#stream.data_stream,
        event: this.#describe(line, tail.path),
        source: tail.source,
        bookmark: line.bookmark,
      })),
      this.#context.signal,
    )
    if (!added) {
      this.#groups.get(tail.source)?.forget()
      tail.rewind(first)
    }
    return added
  }

  /** A rotated file that was removed or moved out of sight is read to its end, then forgotten. */
  async #finish(tail: Tail): Promise<void> {
    for (let before = -1; tail.position !== before; ) {
      before = tail.position
      const lines = tail.read()
      if (!(await this.#append(tail, this.#group(tail)?.add(lines) ?? lines))) return
    }
    const rest = tail.read(true)
    const grouped = this.#group(tail)
    if (!(await this.#append(tail, grouped ? [...grouped.add(rest), ...grouped.end()] : rest))) return
    this.#groups.delete(tail.source)
    tail.close()
    this.#tails.delete(tail.source)
    this.#context.spool.forget(tail.source)
  }

  #report(): void {
    const [unreadable] = this.#unreadable
    if (unreadable) {
      const [path, reason] = unreadable
      this.#context.report(this.#stream.id, 'DEGRADED', `cannot read ${path}: ${reason}`)
    } else if (this.#tooMany > 0) {
      const message = `following ${filesMax} files; ${this.#tooMany} more fit and are left: narrow paths, or exclude some`
      this.#context.report(this.#stream.id, 'DEGRADED', message)
    } else this.#context.report(this.#stream.id, 'HEALTHY', `following ${this.#tails.size} files`)
  }
}
