import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import type { DiskFullReport } from './disk-full.child.ts'

const isPossible = process.getuid?.() === 0 && existsSync('/usr/bin/unshare')
const directory = mkdtempSync(join(tmpdir(), 'logstack-disk-full-'))
const root = fileURLToPath(new URL('../../../..', import.meta.url))
// A file system that only the child sees; it goes with it.
const script = 'mount -t tmpfs -o size=256m tmpfs "$1" && exec "$2" "$3" "$4" "$1"'
const limitMs = 240_000
afterAll(() => rmSync(directory, { recursive: true, force: true }))

it.skipIf(!isPossible)(
  'refuses documents on a full disk, reads, deletes and changes the catalogue, and goes on when there is space (needs root)',
  () => {
    const child = fileURLToPath(new URL('./disk-full.child.ts', import.meta.url))
    const argv = [
      '-m',
      'bash',
      '-c',
      script,
      'bash',
      directory,
      process.execPath,
      join(root, 'tools/run-ts.mjs'),
      child,
    ]
    const { stdout, stderr } = spawnSync('unshare', argv, { timeout: limitMs })
    const line = stdout.toString()
    expect(line, stderr.toString()).toMatch(/^\{.*\}\n$/)
    expect(JSON.parse(line) as DiskFullReport).toEqual({
      before: 'ok',
      whileNearlyFull: 'cluster_block_exception too-many',
      readWhileNearlyFull: 1,
      catalogueWhileFull: 'ok',
      deletedWhileFull: 'ok',
      after: 'ok',
      kept: 2,
    })
  },
  limitMs + 20_000,
)
