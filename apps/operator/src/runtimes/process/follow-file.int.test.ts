import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { followFile } from './follow-file.ts'

let temporary: TempDir
beforeEach(() => {
  temporary = tempDir('logstack-follow')
})
afterEach(() => temporary.remove())

async function linesOf(text: string, lines: number): Promise<string[]> {
  const path = join(temporary.path, 'part.log')
  writeFileSync(path, text)
  const found: string[] = []
  for await (const line of followFile(path, { lines, follow: false })) found.push(line)
  return found
}

it('gives as many of the last lines as are asked for, or none', async () => {
  expect(await linesOf('one\ntwo\nthree\n', 2)).toEqual(['two', 'three'])
  expect(await linesOf('one\ntwo\nthree\n', 9)).toEqual(['one', 'two', 'three'])
  expect(await linesOf('one\ntwo\n', 0)).toEqual([])
})

it('gives whole lines of a file that is longer than what is read of it', async () => {
  const line = 'a line of forty letters, as all of them:'
  const lines = await linesOf(`${line}\n`.repeat(250_000), 1_000_000)
  expect(lines.length).toBeGreaterThan(200_000)
  expect(new Set(lines)).toEqual(new Set([line]))
})
