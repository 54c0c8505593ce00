import { setImmediate } from 'node:timers/promises'
import type { PolicyStream } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import { pauseUntilNext } from '../pause.ts'
import { type BacklogFile, findBacklog, openFound } from './file/backlog.ts'
import { type FileBookmark, inodeIn, inodeOf, type KeptBookmark, newSource, readBookmark } from './file/bookmark.ts'
import { pathMatches } from './file/expand-paths.ts'
import { type FileOptions, readFileOptions } from './file/file-options.ts'
import { type FoundFile, findFiles, newestFiles } from './file/find-files.ts'
import { Multiline } from './file/multiline.ts'
import { PackedFile } from './file/packed-file.ts'
import { PackedHeads } from './file/packed-heads.ts'
import { packingOf } from './file/rotated-files.ts'
import { streamState } from './file/stream-state.ts'
import { Tail, type TailedLine } from './file/tail.ts'
import { type InputContext, type InputType, stringList } from './input.ts'

const pollMs = 250
/** Open files are read at each poll; what is at the paths costs more to find out and is looked at less often. */
const discoverEveryMs = 1_000
const filesMax = 4_096
/** What did not grow for so long is read when it is discovered that it did. */
const quietMs = 10_000
/** Others have their turn after so long: opening and reading thousands of files takes seconds. */
const turnMs = 50
/** Programs go on writing to a file that was moved away until they are told to open it anew. */
const goneQuietMs = 30_000
/** So many files that are gone are remembered, to find what was rotated away after them. */
const goneFilesMax = 256

/**
 * Follows text files: `paths` and `exclude` (absolute patterns), `line_bytes_max`, `extra: true` for the stream that also reads this host's own
 * extra paths. `encoding`, `multiline`, `include_lines` and `exclude_lines` are explained in docs/endpoints.md. Files are followed by inode through rotation, read from their beginning when first seen;
 * what was rotated away in the meantime, compressed or not, is read before what is at the path now.
 */
export const fileInput: InputType = {
  type: 'file',
  async run(input, context) {
    await Promise.all(input.streams.map((stream) => new FileStream(stream, context).run()))
  },
}

/** Makes an event of a line of a file. */
export type DescribeLine = (line: TailedLine, path: string) => Record<string, unknown>

const plainLine: DescribeLine = ({ text, offset, tags }, path) => ({
  message: text,
  log: { file: { path }, offset },
  ...(tags ? { tags } : {}),
})

/** Files of one stream being followed; `describe` makes the events. */
export class FileStream {
  readonly #stream: PolicyStream
  readonly #context: InputContext
  readonly #describe: DescribeLine
  readonly #options: FileOptions
  /** By inode; of the files of one home, older ones come first and are read first. */
  readonly #files = new Map<string, Tail | PackedFile>()
  /** By source, as are those that are settled. */
  readonly #groups = new Map<string, Multiline>()
  readonly #unreadable = new Map<string, string>()
  /** Rotated files that could not be read; they are not tried again. */
  readonly #broken = new Map<string, string>()
  readonly #heads = new PackedHeads()
  /** Files whose predecessors are forgotten. */
  readonly #settled = new Set<string>()
  /** Files that are left to the journal. */
  #copies: string[] = []
  /** Files that fit beyond those that are followed, by inode: the ones that were written to longest ago. */
  readonly #left = new Set<string>()
  #turnSince = 0

  constructor(stream: PolicyStream, context: InputContext, describe: DescribeLine = plainLine) {
    this.#stream = stream
    this.#context = context
    this.#describe = describe
    this.#options = readFileOptions(stream)
  }

  async run(): Promise<void> {
    const { signal } = this.#context
    try {
      for (let discoverAt = 0; !signal.aborted; ) {
        const now = performance.now()
        this.#turnSince = now
        const discovers = now >= discoverAt
        if (discovers) {
          await this.#discover()
          discoverAt = now + discoverEveryMs
        }
        const isBusy = await this.#readAll(discovers)
        this.#report()
        // Between portions, too: without, a long file would fill the spool before anything of it was sent.
        if (isBusy) await setImmediate()
        else await pauseUntilNext(pollMs, signal)
      }
    } finally {
      for (const file of this.#files.values()) await file.close()
    }
  }

  async #giveTurn(): Promise<void> {
    if (performance.now() - this.#turnSince < turnMs) return
    await setImmediate()
    this.#turnSince = performance.now()
  }

  /** One portion of each file whose predecessors are at their end; of quiet ones, too, or not. True when more waits. */
  async #readAll(quietToo: boolean): Promise<boolean> {
    const busy = new Set<string>()
    let isMore = false
    for (const file of [...this.#files.values()]) {
      if (busy.has(file.home)) continue
      if (!quietToo && this.#isQuiet(file)) continue
      await this.#giveTurn()
      const before = file.position
      const lines = await this.#read(file)
      if (file.position !== before) {
        busy.add(file.home)
        isMore ||= !(file instanceof Tail && file.isDrained) || this.#youngest(file.home) !== file
        if (file instanceof Tail && file.goneSince !== undefined) file.goneSince = performance.now()
      }
      const grouped = this.#group(file)
      const events = grouped ? [...grouped.add(lines), ...grouped.overdue()] : lines
      if (!(await this.#append(file, events))) return false
      if (isOver(file, file.position !== before)) await this.#finish(file)
    }
    return isMore
  }

  #isQuiet(file: Tail | PackedFile): boolean {
    return file instanceof Tail && file.quietForMs > quietMs && !this.#groups.has(file.source)
  }

  async #read(file: Tail | PackedFile): Promise<readonly TailedLine[]> {
    // What was cut is begun anew only after what it held before was looked for.
    if (file instanceof Tail) return file.read({ restarts: file.goneSince !== undefined })
    try {
      return await file.read()
    } catch (thrown) {
      this.#fail(file.path, thrown)
      this.#files.delete(file.inode)
      return []
    }
  }

  /** Opens files that are new, and what was rotated away before them; follows renames. */
  async #discover(): Promise<void> {
    const present = new Set<string>()
    this.#unreadable.clear()
    for (const { path, home, inode } of this.#wanted()) {
      await this.#giveTurn()
      present.add(inode)
      const known = this.#files.get(inode)
      if (!(known instanceof Tail)) await this.#open(path, home)
      else {
        known.path = path
        await this.#restartIfReplaced(known)
      }
    }
    for (const file of this.#files.values()) {
      if (file instanceof Tail)
        file.goneSince = present.has(file.inode) ? undefined : (file.goneSince ?? performance.now())
    }
  }

  #patterns(): string[] {
    const extra = this.#stream['extra'] === true ? this.#context.extraLogPaths : []
    return [...stringList(this.#stream, 'paths'), ...extra].filter((pattern) => pattern.startsWith('/'))
  }

  readonly #isExcluded = (path: string): boolean =>
    stringList(this.#stream, 'exclude').some((pattern) => pathMatches(path, pattern))

  /** What is to be followed of what is there. */
  #wanted(): readonly FoundFile[] {
    const patterns = this.#patterns()
    this.#left.clear()
    this.#copies = []
    const isWanted = (path: string, home: string): boolean =>
      !this.#isExcluded(path) && !this.#isLeftToJournal(path, home, patterns)
    const found = findFiles(patterns, isWanted, (path, thrown) => this.#unreadable.set(path, messageOf(thrown)))
    const { newest, older } = newestFiles(found, filesMax)
    for (const { inode } of older) this.#left.add(inode)
    return newest
  }

  #isLeftToJournal(path: string, home: string, patterns: readonly string[]): boolean {
    const { journalCopies } = this.#options
    if (journalCopies === 'read' || !this.#context.isJournalCopy(home)) return false
    if (journalCopies === undefined && patterns.includes(path)) return false
    this.#copies.push(path)
    return true
  }

  async #open(path: string, home: string): Promise<void> {
    try {
      const tail = Tail.open(path, (inode) => this.#bookmarks(inode), this.#options, home)
      if (this.#files.has(tail.inode)) return tail.close()
      this.#files.set(tail.inode, tail)
      if (path === tail.home) await this.#catchUpOrLeave(tail)
    } catch (thrown) {
      this.#unreadable.set(path, messageOf(thrown))
    }
  }

  async #restartIfReplaced(tail: Tail): Promise<void> {
    const before = tail.source
    if (!tail.restartIfReplaced()) return
    await this.#catchUpOrLeave(tail)
    // What a copy goes on with from its bookmark must not be here too; where there is none, it is all that is left.
    const begun = this.#groups.get(before)
    this.#groups.delete(before)
    const isCopied = [...this.#files.values()].some(({ source }) => source === before)
    if (begun && !isCopied) this.#groups.set(tail.source, begun)
  }

  /** A file whose predecessors cannot be found yet is left for the next look: once it was read itself, they would count as read. */
  async #catchUpOrLeave(tail: Tail): Promise<void> {
    try {
      await this.#catchUp(tail)
    } catch (thrown) {
      this.#files.delete(tail.inode)
      tail.close()
      this.#unreadable.set(tail.path, messageOf(thrown))
    }
  }

  /** Opens what was rotated away from a file's path before the file began, to be read before it. */
  async #catchUp(tail: Tail): Promise<void> {
    const isKnown = tail.position > 0
    const bookmarks = this.#bookmarksAt(tail.home)
    if (isKnown) bookmarks.delete(tail.source)
    if (bookmarks.size === 0) return
    const backlog = await findBacklog({
      home: tail.home,
      before: tail,
      bookmarks,
      isKnown,
      isFollowed: (inode) => this.#files.has(inode),
      open: [...this.#files.values()].filter(
        (file): file is Tail => file instanceof Tail && file !== tail && file.home === tail.home,
      ),
      heads: this.#heads,
      isExcluded: this.#isExcluded,
      failed: (path, thrown) => this.#fail(path, thrown),
    })
    for (const file of await this.#openRotated(backlog, tail.home)) this.#files.set(file.inode, file)
    this.#files.delete(tail.inode)
    this.#files.set(tail.inode, tail)
  }

  /** All of them or none: were the younger ones left out, the bookmarks of those would be given up once the older ones are read. */
  async #openRotated(backlog: readonly BacklogFile[], home: string): Promise<(Tail | PackedFile)[]> {
    const opened: (Tail | PackedFile)[] = []
    try {
      for (const { path, inode, kept } of backlog) {
        // What goes on elsewhere, copied or compressed, keeps its name.
        const [source, bookmark] = kept ?? [newSource(inode), undefined]
        const position = bookmark?.position ?? 0
        const file = { path, number: openFound(path, inode), inode, source, home }
        const isPacked = packingOf(path) !== undefined
        const rotated = isPacked
          ? new PackedFile(file, this.#options, { position, pieces: bookmark?.pieces })
          : Tail.take(file, kept ? [kept] : [], this.#options)
        opened.push(rotated)
        if (rotated.position !== position) throw new Error(`${path} was rotated again`)
      }
    } catch (thrown) {
      for (const file of opened) await file.close()
      throw thrown
    }
    return opened
  }

  /** What the spool knows of files that were written at a path. */
  #bookmarksAt(home: string): Map<string, FileBookmark> {
    return new Map(this.#bookmarks(undefined, home).filter(([, { path }]) => path === home))
  }

  /** What the spool knows of all files, or of those that had an inode, or were written at a path. */
  #bookmarks(inode?: string, home?: string): KeptBookmark[] {
    return this.#context.spool.bookmarks(inode ?? inodeOf()).flatMap(([source, kept]) => {
      if (inode !== undefined && inodeIn(source) !== inode) return []
      // Checking thousands for each of thousands would take seconds.
      if (home !== undefined && (kept as { path?: unknown } | undefined)?.path !== home) return []
      const bookmark = readBookmark(kept)
      return bookmark ? [[source, bookmark]] : []
    })
  }

  /** What puts the lines of a file together; undefined where each line is an event. */
  #group(file: Tail | PackedFile): Multiline | undefined {
    const { multiline } = this.#options
    if (!multiline) return undefined
    const known = this.#groups.get(file.source) ?? new Multiline(multiline, () => performance.now())
    this.#groups.set(file.source, known)
    return known
  }

  async #append(file: Tail | PackedFile, events: readonly TailedLine[]): Promise<boolean> {
    const lines = events.filter(({ text }) => this.#options.isWanted(text))
    const first = lines[0]
    if (!first) return true
    const added = await this.#context.spool.append(
      lines.map((line) => ({
        data_stream: this.#stream.data_stream,
        event: this.#describe(line, file.path),
        source: file.source,
        bookmark: line.bookmark,
      })),
      this.#context.signal,
    )
    if (added) this.#settle(file)
    else {
      this.#groups.get(file.source)?.forget()
      // What is compressed is opened anew at its bookmark.
      if (file instanceof Tail) file.rewind(first)
    }
    return added
  }

  /** Once the youngest file of a path has a bookmark of its own, those of files that are gone are not needed to find what follows them. */
  #settle(file: Tail | PackedFile): void {
    if (this.#settled.has(file.source) || this.#youngest(file.home) !== file) return
    this.#settled.add(file.source)
    const open = this.#sources()
    for (const source of this.#bookmarksAt(file.home).keys()) {
      if (!open.has(source)) this.#context.spool.forget(source)
    }
  }

  #sources(): Set<string> {
    return new Set([...this.#files.values()].map(({ source }) => source))
  }

  #youngest(home: string): Tail | PackedFile | undefined {
    return [...this.#files.values()].filter((file) => file.home === home).at(-1)
  }

  /** A rotated file that was removed or moved out of sight is read to its end. */
  async #finish(file: Tail | PackedFile): Promise<void> {
    const isLeft = this.#left.has(file.inode)
    const rest = file instanceof Tail ? file.read({ isLast: !isLeft }) : []
    const grouped = this.#group(file)
    if (!(await this.#append(file, grouped ? [...grouped.add(rest), ...grouped.end()] : rest))) return
    this.#groups.delete(file.source)
    await file.close()
    this.#files.delete(file.inode)
    this.#settled.delete(file.source)
    // It may be followed again.
    if (isLeft) return
    const youngest = this.#youngest(file.home)
    if (youngest && this.#settled.has(youngest.source)) this.#context.spool.forget(file.source)
    else this.#forgetOldest()
  }

  /** Of paths where nothing came after the file that is gone, only the newest bookmarks are kept. */
  #forgetOldest(): void {
    const patterns = this.#patterns()
    const open = this.#sources()
    const gone = this.#bookmarks()
      .filter(([source, { path }]) => {
        if (this.#left.has(inodeIn(source))) return false
        return !open.has(source) && path !== undefined && patterns.some((pattern) => pathMatches(path, pattern))
      })
      .sort(([, a], [, b]) => (b.read ?? 0) - (a.read ?? 0))
    for (const [source] of gone.slice(goneFilesMax)) this.#context.spool.forget(source)
  }

  #fail(path: string, thrown: unknown): void {
    this.#broken.set(path, messageOf(thrown))
    this.#context.logger.warn({ path }, `a rotated file cannot be read: ${messageOf(thrown)}`)
  }

  #report(): void {
    const { status, message } = streamState({
      followed: this.#files.size,
      unreadable: [...this.#unreadable, ...this.#broken],
      left: this.#left.size,
      copies: this.#copies,
    })
    this.#context.report(this.#stream.id, status, message)
  }
}

/** Whether nothing more is to come from a file. */
function isOver(file: Tail | PackedFile, hasMoved: boolean): boolean {
  if (hasMoved) return false
  if (file instanceof PackedFile) return file.isAtEnd
  if (file.goneSince === undefined) return false
  return file.isUnlinked || performance.now() - file.goneSince >= goneQuietMs
}
