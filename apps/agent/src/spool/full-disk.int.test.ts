import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@logstack/testkit'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'

const isPossible = process.getuid?.() === 0 && existsSync('/usr/bin/unshare')
// A file system of 3 MB that only the child sees.
const script = 'mount -t tmpfs -o size=3m tmpfs "$1" && exec "$2" "$3" "$1"'
const limitMs = 40_000

let temporary: TempDir
beforeAll(() => {
  temporary = tempDir('logstack-full-disk')
})
afterAll(() => temporary.remove())

it.skipIf(!isPossible)('keeps order and every record through a full disk (needs root)', async () => {
  const program = join(temporary.path, 'child.mjs')
  const disk = join(temporary.path, 'disk')
  mkdirSync(disk)
  await build({
    entryPoints: [new URL('full-disk.child.ts', import.meta.url).pathname],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
  })
  const argv = ['-m', 'bash', '-c', script, 'bash', disk, process.execPath, program]
  const child = spawnSync('unshare', argv, { timeout: limitMs })
  expect(child.stderr.toString()).toBe('')
  const result = JSON.parse(child.stdout.toString()) as { whileFull: number }
  expect(result).toMatchObject({ inOrder: true, seen: 400, lackedRoom: true, lacksRoom: false })
  expect(result.whileFull).toBeLessThan(400)
})
