import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const variable = 'LOGSTACK_TEST_RUN_FOLDER'

/** Where processes of one run of tests leave what they need to their end: they are killed, and remove nothing themselves. */
export function runFolder(): string {
  return process.env[variable] ?? tmpdir()
}

/** Makes the folder before the first test of a run, and removes it after the last. */
export function setup(): (() => void) | undefined {
  if (process.env[variable] !== undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'logstack-run-'))
  process.env[variable] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
