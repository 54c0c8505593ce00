import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, searchErrors } from '@logstack/errors'

const killAttemptsMax = 5
const killPauseMs = 20

/** What all statements of readers begin with: the name of their class and a number, which tell them apart. */
const tagPattern = String.raw`^/\\* [a-z_]+ [0-9]+ \\*/ `

/** Begins a statement, by which it can be ended. */
export function tagOf(className: string, count: number): string {
  return `/* ${className} ${count} */ `
}

/** Ends statements that run in other sessions. */
export class Killer {
  readonly #run: (statement: string) => Promise<string>
  readonly #folder: string
  readonly #spilling = new Set<string>()

  /** `run` gives a statement to a session of its own and answers lines of values; `folder` is where statements keep what does not fit into memory. */
  constructor(run: (statement: string) => Promise<string>, folder: string) {
    this.#run = run
    this.#folder = folder
  }

  /** A statement may not have reached the engine yet, therefore several attempts; its session's limits end it in any case. */
  async kill(tag: string, hasEnded: () => boolean): Promise<void> {
    for (let attempt = 0; attempt < killAttemptsMax && !hasEnded(); attempt += 1) {
      if (attempt > 0) await sleep(killPauseMs * 2 ** attempt)
      await this.#run(`KILL QUERY WHERE startsWith(query, '${tag}') ASYNC`)
    }
  }

  /** Ends reads that have written what does not fit into memory to files; answers, once they have ended, whether there were any. */
  async endSpilling(): Promise<boolean> {
    // Asked with every batch while the disk is short of space, so without a statement as long as there are no files.
    if (!existsSync(this.#folder) || (await readdir(this.#folder)).length === 0) return false
    const found = await this.#run(
      `SELECT extract(query, '${tagPattern}') AS tag FROM system.processes WHERE tag != '' AND ProfileEvents['ExternalProcessingFilesTotal'] > 0`,
    )
    const tags = found.split('\n').filter((tag) => tag !== '')
    for (const tag of tags) {
      this.#spilling.add(tag)
      await this.#run(`KILL QUERY WHERE startsWith(query, '${tag}') SYNC`)
    }
    return tags.length > 0
  }

  /** Says that a statement has ended; the error to tell where it was ended because of its files. */
  ended(tag: string): AppError | undefined {
    if (!this.#spilling.delete(tag)) return undefined
    const reason =
      'what this search groups does not fit into memory, and the disk of the data directory has no room left for it'
    return new AppError(searchErrors.engine_disk_full, reason, {
      fix: 'free space on the disk of the data directory, or ask about fewer documents',
    })
  }
}
