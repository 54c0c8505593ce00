import { closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'

/**
 * Which alerts went out through which channel and are not yet known to search: a file that is on disk before anything else happens after a
 * receiver's answer. So a message is sent twice only when the process dies between that answer and the write of one line.
 */
export class SentJournal {
  readonly #file: number
  readonly #sent = new Set<string>()

  /** Opens the journal at `path`, made when absent. A last line that a crash cut short is left out. */
  constructor(path: string) {
    this.#file = openSync(path, 'a+', 0o600)
    const lines = readFileSync(this.#file, 'utf8').split('\n').slice(0, -1)
    for (const line of lines) this.#sent.add(line)
  }

  /** Writes down that alerts were sent; on disk when it returns. */
  record(alertIds: readonly string[], channel: string): void {
    const lines = alertIds.map((id) => lineOf(id, channel))
    writeSync(this.#file, lines.map((line) => `${line}\n`).join(''))
    fdatasyncSync(this.#file)
    for (const line of lines) this.#sent.add(line)
  }

  has(alertId: string, channel: string): boolean {
    return this.#sent.has(lineOf(alertId, channel))
  }

  /** Search knows of these alerts. The file is emptied when nothing else is in it. */
  forget(alertIds: readonly string[], channels: readonly string[]): void {
    let forgot = false
    for (const id of alertIds) for (const channel of channels) if (this.#sent.delete(lineOf(id, channel))) forgot = true
    if (forgot && this.#sent.size === 0) ftruncateSync(this.#file, 0)
  }

  close(): void {
    closeSync(this.#file)
  }
}

function lineOf(alertId: string, channel: string): string {
  return JSON.stringify([alertId, channel])
}
