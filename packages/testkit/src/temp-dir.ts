import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new empty directory with the given prefix, and the call that removes it with all it holds. */
export interface TempDir {
  readonly path: string
  remove(): void
}

/** Makes a temporary directory; the caller removes it (in `afterAll` or `afterEach`). */
export function tempDir(prefix = 'logstack-test', parent = tmpdir()): TempDir {
  const path = mkdtempSync(join(parent, `${prefix}-`))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
