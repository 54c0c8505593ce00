import { mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@logstack/logging'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeSegment } from './segment.ts'
import { SegmentFiles } from './segment-files.ts'
import { defaultLimits } from './write-limits.ts'

const mebibyte = 1024 ** 2
let directory: string
let files: SegmentFiles
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'logstack-segments-'))
  files = new SegmentFiles(directory, createLogger('search', 'silent'), defaultLimits)
})
afterEach(async () => {
  await files.close()
  await rm(directory, { recursive: true })
})

const write = (file: string, mebibytes: number, filling: string) =>
  writeSegment(directory, file, [Buffer.alloc(mebibytes * mebibyte, filling), Buffer.from(filling)], files)
const inode = async (file: string) => (await stat(join(directory, file))).ino
const segment = (file: string, mebibytes: number) => ({ file, bytes: mebibytes * mebibyte + 1 })

it('writes the next segment over a file that was inserted: longer or shorter, all of it is new', async () => {
  await write('1-one', 2, 'a')
  const first = await inode('1-one')
  for (const mebibytes of [4, 1]) {
    await files.spare([segment('1-one', 2)])
    await write('1-one', mebibytes, 'b')
    expect(await readdir(directory)).toEqual(['1-one'])
    expect(await inode('1-one')).toBe(first)
    expect((await readFile(join(directory, '1-one'))).equals(Buffer.alloc(mebibytes * mebibyte + 1, 'b'))).toBe(true)
  }
})

it('keeps neither small files nor more than it may, and makes small segments anew', async () => {
  await writeSegment(directory, 'small', [Buffer.from('rows')])
  await files.spare([{ file: 'small', bytes: 4 }])
  expect(await readdir(directory)).toEqual([])
  for (const file of ['1', '2', '3']) await write(file, 30, file)
  await files.spare(['1', '2', '3'].map((file) => segment(file, 30)))
  expect(await readdir(directory)).toEqual(['1', '2'])
  await writeSegment(directory, 'few', [Buffer.from('rows')], files)
  expect(await readdir(directory)).toEqual(['1', '2', 'few'])
})

it('goes on with the next where a file was put aside', async () => {
  for (const file of ['1', '2']) await write(file, 2, 'a')
  const first = await inode('1')
  await files.spare([segment('1', 2), segment('2', 2)])
  await rename(join(directory, '2'), join(directory, '2.refused'))
  await write('3', 2, 'b')
  expect(await readdir(directory)).toEqual(['2.refused', '3'])
  expect(await inode('3')).toBe(first)
  await write('4', 2, 'c')
  expect(await readdir(directory)).toEqual(['2.refused', '3', '4'])
})

it('removes what nobody asked for in a while', async () => {
  const impatient = new SegmentFiles(directory, createLogger('search', 'silent'), { ...defaultLimits, spareIdleMs: 20 })
  await write('1', 1, 'a')
  await impatient.spare([segment('1', 1)])
  await expect.poll(() => readdir(directory)).toEqual([])
})

it('leaves nothing of a spare file that could not be written', async () => {
  await write('1', 2, 'a')
  await files.spare([segment('1', 2)])
  const refusedByTheDisk = [Buffer.alloc(mebibyte), 1 as unknown as Buffer]
  await expect(writeSegment(directory, '2', refusedByTheDisk, files)).rejects.toThrow()
  expect(await readdir(directory)).toEqual([])
})
