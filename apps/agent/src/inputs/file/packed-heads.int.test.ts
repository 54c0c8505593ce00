import { renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findBacklog } from './backlog.ts'
import { PackedHeads } from './packed-heads.ts'
import { Tail } from './tail.ts'

const longAgo = 1_000_000_000
const limits = { lineBytesMax: 1_000 }
const open: Tail[] = []
let temporary: TempDir
let path: string

beforeEach(() => {
  temporary = tempDir('logstack-packed-heads')
  path = join(temporary.path, 'app.log')
})
afterEach(() => {
  for (const tail of open.splice(0)) tail.close()
  temporary.remove()
})

const follow = (): Tail => {
  const tail = Tail.open(path, () => [], limits)
  open.push(tail)
  return tail
}

it('unpacks a compressed file once, and again only when it is written anew', async () => {
  const packed = `${path}.3.gz`
  writeFileSync(packed, gzipSync('of long ago\n'))
  utimesSync(packed, longAgo, longAgo)
  writeFileSync(path, 'what was read last\n')
  const rotated = follow()
  const [line] = rotated.read()
  if (!line) throw new Error('nothing was read')
  renameSync(path, `${path}.1`)
  writeFileSync(path, 'what came then\n')
  const broken: string[] = []
  const question = {
    home: path,
    before: follow(),
    bookmarks: new Map([[rotated.source, line.bookmark]]),
    isKnown: false,
    isFollowed: () => false,
    open: [],
    heads: new PackedHeads(),
    isExcluded: () => false,
    failed: (file: string) => broken.push(file),
  }
  const found = async (): Promise<string[]> => (await findBacklog(question)).map((file) => file.path)
  expect(await found()).toEqual([`${path}.1`])
  // Reading it would fail now.
  writeFileSync(packed, 'x'.repeat(statSync(packed).size))
  utimesSync(packed, longAgo, longAgo)
  expect(await found()).toEqual([`${path}.1`])
  expect(broken).toEqual([])
  utimesSync(packed, longAgo, longAgo + 1)
  expect(await found()).toEqual([`${path}.1`])
  expect(broken).toEqual([packed])
})
