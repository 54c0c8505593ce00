import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '@logstack/process'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isNoneThere, readPlainFile, visitWithin, withFolder } from './held-folder.ts'

let temporary: TempDir
const at = (path: string): string => join(temporary.path, path)
const inodeOf = (path: string): number => lstatSync(path).ino

beforeEach(() => {
  temporary = tempDir('logstack-held-folder')
  mkdirSync(at('volume/deep'), { recursive: true })
  mkdirSync(at('outside/etc'), { recursive: true })
  writeFileSync(at('volume/deep/file'), 'in')
  writeFileSync(at('outside/etc/passwd'), 'out')
  symlinkSync(at('outside'), at('volume/link'))
  symlinkSync(at('outside/etc/passwd'), at('volume/deep/passwd'))
})
afterEach(() => temporary.remove())

function failure(work: () => unknown): unknown {
  try {
    return work()
  } catch (thrown) {
    return isNoneThere(thrown) ? 'none there' : thrown
  }
}

test('all within a folder is visited once, and nothing that links lead to', () => {
  const seen: number[] = []
  visitWithin(at('volume'), (path) => seen.push(inodeOf(path)))
  const wanted = ['volume/deep', 'volume/deep/file', 'volume/deep/passwd', 'volume/link'].map((path) =>
    inodeOf(at(path)),
  )
  expect(seen.sort()).toEqual(wanted.sort())
})

test('a link to a folder is no folder', () => {
  expect(withFolder(at('volume'), (held) => readPlainFile(`${held}/deep/file`, 100))).toBe('in')
  expect(failure(() => withFolder(at('volume/link'), () => 'entered'))).toBe('none there')
  expect(failure(() => withFolder(at('nothing'), () => 'entered'))).toBe('none there')
})

test('a file is read, and no link, folder or pipe, nor what is larger than it may be', async () => {
  await runCommand(['mkfifo', at('pipe')], { timeoutMs: 60_000 })
  expect(readPlainFile(at('volume/deep/file'), 2)).toBe('in')
  expect(readPlainFile(at('volume/deep/file'), 1)).toBeUndefined()
  expect(readPlainFile(at('pipe'), 100)).toBeUndefined()
  expect(readPlainFile(at('volume'), 100)).toBeUndefined()
  expect(failure(() => readPlainFile(at('volume/deep/passwd'), 100))).toBe('none there')
})
