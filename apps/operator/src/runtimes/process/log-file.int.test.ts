import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { LogFile, lastWords, logLimits } from './log-file.ts'

let temporary: TempDir
beforeEach(() => {
  temporary = tempDir('logstack-log')
})
afterEach(() => temporary.remove())

it('sets files aside at their size, keeps whole lines, and keeps only so many', () => {
  const log = new LogFile(join(temporary.path, 'x.log'), 100)
  for (let number = 0; number < 60; number++)
    log.write(Buffer.from(`this is line ${String(number).padStart(3, '0')}\n`))
  log.close()
  expect(readdirSync(temporary.path).sort()).toEqual(['x.log', 'x.log.1', 'x.log.2', 'x.log.3'])
  const text = ['x.log.3', 'x.log.2', 'x.log.1', 'x.log'].map((name) =>
    readFileSync(join(temporary.path, name), 'utf8'),
  )
  for (const file of text) {
    expect(file.length).toBeLessThanOrEqual(100)
    expect(file.endsWith('\n')).toBe(true)
  }
  const numbers = text
    .join('')
    .trim()
    .split('\n')
    .map((line) => Number(line.slice(-3)))
  expect(numbers).toEqual(numbers.map((_, index) => 60 - numbers.length + index))
  expect(log.lastLines().at(-1)).toBe('this is line 059')
  expect(log.lastLines()).toHaveLength(logLimits.lastLinesMax)
})

it('goes on where it left off after a restart', () => {
  const path = join(temporary.path, 'x.log')
  const first = new LogFile(path, 100)
  first.write(Buffer.from('one\n'))
  first.close()
  const second = new LogFile(path, 100)
  second.write(Buffer.from('two\n'))
  second.close()
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
})

it('writes a line longer than a file and goes on', () => {
  const path = join(temporary.path, 'x.log')
  const log = new LogFile(path, 50)
  log.write(Buffer.from(`${'x'.repeat(120)}\nshort\n`))
  log.write(Buffer.from('after\n'))
  log.close()
  const all = readdirSync(temporary.path)
    .sort()
    .reverse()
    .map((name) => readFileSync(join(temporary.path, name), 'utf8'))
  expect(all.join('')).toBe(`${'x'.repeat(120)}\nshort\nafter\n`)
})

it('picks the line that says best why a program ended', () => {
  expect(lastWords(['{"level":"info","msg":"a"}', '{"level":"fatal","msg":"b","fix":"do c"}', 'node: trace'])).toBe(
    'b (do c)',
  )
  expect(lastWords(['starting', 'no such file', ''])).toBe('no such file')
  expect(lastWords(["Error [ERR_X]: Cannot find 'y'", '    at z', '', 'Node.js v20'])).toBe(
    "Error [ERR_X]: Cannot find 'y'",
  )
  expect(lastWords(['{"level":"info"'])).toBe('{"level":"info"')
  expect(lastWords([])).toBeUndefined()
})
