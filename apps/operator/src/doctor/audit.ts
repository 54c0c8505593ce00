import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Paths } from '../places/paths.ts'
import type { RepairRecord } from './repair.ts'

/** The file that keeps every repair: one JSON line each, readable by root (or the embedded stack's owner) alone. */
function auditFileOf(paths: Paths): string {
  return join(paths.logDir, 'doctor-audit.log')
}

/** Writes one line: when, who, what was wrong, the commands, how it ended. */
export function writeAudit(paths: Paths, record: RepairRecord, env: NodeJS.ProcessEnv): void {
  mkdirSync(paths.logDir, { recursive: true })
  const line = { time: new Date().toISOString(), user: env['SUDO_USER'] ?? env['USER'] ?? '', ...record }
  appendFileSync(auditFileOf(paths), `${JSON.stringify(line)}\n`, { mode: 0o600 })
}
