import { closeSync, lchownSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '@logstack/process'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLog } from './open-log.ts'

const someone = 65_534
// Only root makes links that belong to somebody else.
const asRoot = test.skipIf(process.getuid?.() !== 0)

let temporary: TempDir
const at = (path: string): string => join(temporary.path, path)

function textAt(path: string): string {
  const file = openLog(at(path))
  try {
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

beforeEach(() => {
  temporary = tempDir('logstack-open-log')
  mkdirSync(at('log/app'), { recursive: true })
  mkdirSync(at('etc'))
  writeFileSync(at('etc/shadow'), 'secret')
  writeFileSync(at('log/app/own.log'), 'line')
})
afterEach(() => temporary.remove())

test('files are read, also over links of the own user, near and far', () => {
  symlinkSync('app/../app/./own.log', at('log/near.log'))
  symlinkSync(at('log'), at('far'))
  symlinkSync(at('far/near.log'), at('log/chain.log'))
  expect(['log/app/own.log', 'log/near.log', 'far/app/own.log', 'log/chain.log'].map(textAt)).toEqual(
    Array.from({ length: 4 }, () => 'line'),
  )
})

asRoot('no file of root is read over a link of somebody else, to it or to a folder on the way', () => {
  symlinkSync(at('etc/shadow'), at('log/app/evil.log'))
  symlinkSync(at('etc'), at('log/app/folder'))
  symlinkSync(at('log/app/evil.log'), at('log/chain.log'))
  for (const link of ['log/app/evil.log', 'log/app/folder']) lchownSync(at(link), someone, someone)
  for (const path of ['log/app/evil.log', 'log/app/folder/shadow', 'log/chain.log'])
    expect(() => textAt(path)).toThrow(`user ${someone}`)
})

asRoot('a file is read over a link of its own owner', () => {
  lchownSync(at('log/app/own.log'), someone, someone)
  symlinkSync(at('log/app/own.log'), at('log/current.log'))
  lchownSync(at('log/current.log'), someone, someone)
  expect(textAt('log/current.log')).toBe('line')
})

test('a pipe and a folder are refused at once, and what is not there as the system does', async () => {
  await runCommand(['mkfifo', at('log/pipe.log')], { timeoutMs: 60_000 })
  expect(() => textAt('log/pipe.log')).toThrow('no file')
  expect(() => textAt('log/app')).toThrow('no file')
  rmSync(at('log/app/own.log'))
  expect(() => textAt('log/app/own.log')).toThrow('ENOENT')
})
