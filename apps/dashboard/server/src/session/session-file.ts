import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { z } from 'zod'
import type { SealedSession } from './sealed.ts'

/** Keeps sessions from one run of the dashboard to the next. */
export interface SessionKeeper {
  /** What the last run kept; nothing when it kept nothing or what it kept cannot be read. */
  load(): readonly SealedSession[]
  /** Replaces what is kept. */
  save(sessions: readonly SealedSession[]): void
}

const fileSchema = z.array(
  z.object({ hash: z.string(), sealed: z.string(), lastSeenMs: z.number(), expiresAtMs: z.number() }),
)

/** Sealed sessions in a file of the dashboard's own. A file that cannot be read or written is logged: people then log in again. */
export function sessionFile(path: string, logger: Logger): SessionKeeper {
  const warn = (what: string, thrown: unknown): void =>
    logger.warn(`sessions not ${what} ${path}: ${messageOf(thrown)}`)
  return {
    load() {
      try {
        return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') warn('read from', thrown)
        return []
      }
    },
    save(sessions) {
      try {
        writeFileSync(`${path}.new`, JSON.stringify(sessions), { mode: 0o600 })
        renameSync(`${path}.new`, path)
      } catch (thrown) {
        warn('written to', thrown)
      }
    },
  }
}
