import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
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

/** What a program says that runs in the small file system. */
async function onSmallDisk({ pathname: source }: URL): Promise<Record<string, unknown>> {
  const program = join(temporary.path, `${basename(source)}.mjs`)
  const disk = join(temporary.path, 'disk')
  mkdirSync(disk, { recursive: true })
  await build({
    entryPoints: [source],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
  })
  const argv = ['-m', 'bash', '-c', script, 'bash', disk, process.execPath, program]
  const child = spawnSync('unshare', argv, { timeout: limitMs })
  expect(child.stderr.toString()).toBe('')
  return JSON.parse(child.stdout.toString()) as Record<string, unknown>
}

it.skipIf(!isPossible)('keeps order and every record through a full disk (needs root)', async () => {
  const result = await onSmallDisk(new URL('full-disk.child.ts', import.meta.url))
  expect(result).toMatchObject({ inOrder: true, seen: 400, lackedRoom: true, lacksRoom: false })
  expect(result['whileFull']).toBeLessThan(400)
})

it.skipIf(!isPossible)(
  'starts on a full disk, sends what it has, and goes on when there is room (needs root)',
  async () => {
    const result = await onSmallDisk(new URL('full-disk-start.child.ts', import.meta.url))
    expect(result).toMatchObject({
      wholeOrOld: true,
      isLocked: true,
      isReleased: true,
      isFree: true,
      atStart: { id: true, pending: 40, lacksRoom: true, segments: 5 },
      sent: { count: 40, segments: 1 },
      inOrder: true,
      seen: 41,
      lacksRoom: false,
      fresh: [false, true, true, 1],
    })
  },
)
