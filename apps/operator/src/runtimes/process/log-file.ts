import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** How large a part's log may grow before it is set aside as `FILE.1`, and how many of these are kept. */
export const logLimits = { bytesMax: 10 * 1024 * 1024, filesKept: 3, lastLinesMax: 40, lineCharsMax: 4_000 } as const

/** The log of one part: what it writes, in files of bounded size, and its last lines in memory. */
export class LogFile {
  readonly #path: string
  readonly #bytesMax: number
  #descriptor: number
  #bytes: number
  #lines: string[] = []
  #partial = ''

  constructor(path: string, bytesMax: number = logLimits.bytesMax) {
    this.#path = path
    this.#bytesMax = bytesMax
    mkdirSync(dirname(path), { recursive: true })
    this.#descriptor = openSync(path, 'a', 0o640)
    this.#bytes = fstatSync(this.#descriptor).size
  }

  /** Appends bytes; a line is never divided between two files unless it is itself longer than a file. */
  write(chunk: Buffer): void {
    this.#remember(chunk.toString('utf8'))
    let rest = chunk
    while (this.#bytes + rest.length > this.#bytesMax) {
      const room = Math.max(this.#bytesMax - this.#bytes, 0)
      const end = rest.subarray(0, room).lastIndexOf(0x0a) + 1
      if (end > 0) this.#append(rest.subarray(0, end))
      rest = rest.subarray(end)
      if (this.#bytes === 0) break
      this.#rotate()
    }
    this.#append(rest)
  }

  /** The last complete lines since `forget`, oldest first. */
  lastLines(): readonly string[] {
    return this.#lines
  }

  /** Forgets the lines in memory, so that `lastLines` speaks of the newest start only. */
  forget(): void {
    this.#lines = []
    this.#partial = ''
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #append(bytes: Buffer): void {
    if (bytes.length === 0) return
    try {
      this.#bytes += writeSync(this.#descriptor, bytes)
    } catch (thrown) {
      // A full disk must not take down the process that could end the parts; the lines stay in memory.
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOSPC') throw thrown
    }
  }

  #rotate(): void {
    closeSync(this.#descriptor)
    for (let number = logLimits.filesKept - 1; number >= 1; number--) moveIfThere(`${this.#path}.${number}`, number + 1)
    moveIfThere(this.#path, 1)
    this.#descriptor = openSync(this.#path, 'a', 0o640)
    this.#bytes = 0
  }

  #remember(text: string): void {
    const lines = (this.#partial + text).split('\n')
    this.#partial = (lines.pop() ?? '').slice(0, logLimits.lineCharsMax)
    const complete = lines.map((line) => line.slice(0, logLimits.lineCharsMax))
    this.#lines = [...this.#lines, ...complete].slice(-logLimits.lastLinesMax)
  }
}

function moveIfThere(path: string, number: number): void {
  try {
    renameSync(path, `${path.replace(/\.\d+$/, '')}.${number}`)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown
  }
}

/** The line of a log that says best why a process ended: the last fatal or error entry, else the message of an uncaught error, else the last line. */
export function lastWords(lines: readonly string[]): string | undefined {
  const entries = lines.map(readEntry)
  const bad =
    entries.findLast((entry) => entry.level === 'fatal') ??
    entries.findLast((entry) => entry.level === 'error') ??
    entries.findLast((entry) => /^\w*(?:Error|Exception)\b.*: /.test(entry.text)) ??
    entries.findLast((entry) => entry.level === 'warn')
  return (bad ?? entries.findLast((entry) => entry.text !== ''))?.text
}

function readEntry(line: string): { level: string; text: string } {
  if (!line.startsWith('{')) return { level: '', text: line.trim() }
  try {
    const entry = JSON.parse(line) as { level?: unknown; msg?: unknown; fix?: unknown }
    const fix = typeof entry.fix === 'string' ? ` (${entry.fix})` : ''
    return { level: String(entry.level), text: `${entry.msg ?? line}${fix}` }
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return { level: '', text: line.trim() }
    throw thrown
  }
}
