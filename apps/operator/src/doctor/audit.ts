import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@logstack/errors'
import type { Paths } from '../places/paths.ts'
import type { RepairRecord } from './repair.ts'

/** The file that keeps every repair: one JSON line each, readable by root (or the embedded stack's owner) alone. */
export function auditFileOf(paths: Pick<Paths, 'logDir'>): string {
  return join(paths.logDir, 'doctor-audit.log')
}

/**
 * Writes one line: when, who, what was wrong, the commands, how it ended. Answers why it could not be written, or undefined: a disk without
 * room for it, which may be what is mended, ends no repair.
 */
export function writeAudit(
  paths: Pick<Paths, 'logDir'>,
  record: RepairRecord,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const line = { time: new Date().toISOString(), user: env['SUDO_USER'] ?? env['USER'] ?? '', ...record }
  try {
    mkdirSync(paths.logDir, { recursive: true })
    appendFileSync(auditFileOf(paths), `${JSON.stringify(line)}\n`, { mode: 0o600 })
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === undefined) throw thrown
    return messageOf(thrown)
  }
  return undefined
}
