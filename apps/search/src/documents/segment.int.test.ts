import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { writeSegment } from './segment.ts'

it('leaves no file of a write that failed, so that its name can be used again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'logstack-segment-'))
  try {
    const refusedByTheDisk = [1 as unknown as Buffer]
    await expect(writeSegment(directory, '1-1-events', refusedByTheDisk)).rejects.toThrow()
    expect(await readdir(directory)).toEqual([])
    const pieces = ['of many', '', 'rows'].map((text) => Buffer.from(text))
    expect(await writeSegment(directory, '1-1-events', pieces)).toBe(crc32('of manyrows'))
    expect(await readFile(join(directory, '1-1-events'), 'utf8')).toBe('of manyrows')
  } finally {
    await rm(directory, { recursive: true })
  }
})
