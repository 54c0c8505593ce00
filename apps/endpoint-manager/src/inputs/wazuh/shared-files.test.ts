import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@logstack/testkit'
import { afterAll, expect, it } from 'vitest'
import { readSharedFiles, sharedSum } from './shared-files.ts'

const temporary = tempDir('logstack-shared-files')
afterAll(() => temporary.remove())

function folder(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(temporary.path, name)
  mkdirSync(path)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text)
  return path
}

it('hands over all files of the folder as one, in pieces that are taken for nothing else', () => {
  const marks = `${'x'.repeat(870)}#!-agent ack ${'y'.repeat(2_000)}`
  const shared = readSharedFiles(
    folder('two', { 'b.txt': marks, 'agent.conf': '<agent_config>\r\n</agent_config>\r\n' }),
  )
  const [first, ...rest] = shared?.messages ?? []
  const last = rest.pop()
  const merged = `#default\n!31 agent.conf\n<agent_config>\n</agent_config>\n!${marks.length} b.txt\n${marks}`
  expect(Buffer.concat(rest).toString()).toBe(merged)
  expect(rest.some((piece) => piece.toString().startsWith('#!-') || piece.length > 900)).toBe(false)
  expect(shared?.md5).toBe(createHash('md5').update(merged).digest('hex'))
  expect([String(first), String(last)]).toEqual([`#!-up file ${shared?.md5} merged.mg\n`, '#!-close file '])
})

it('hands over nothing where there is nothing', () => {
  expect(readSharedFiles(join(temporary.path, 'none'))).toBeUndefined()
  expect(readSharedFiles(folder('empty', { '.hidden': 'x', 'merged.mg': '#default\n' }))).toBeUndefined()
})

it('says which file agents could not take', () => {
  expect(() => readSharedFiles(folder('binary', { 'agent.conf': 'a\0b' }))).toThrow(/agent\.conf is no text/)
  expect(() => readSharedFiles(folder('named', { 'agent.conf': 'a', 'my rules.txt': 'b' }))).toThrow(/my rules\.txt/)
  expect(() => readSharedFiles(folder('large', { 'agent.conf': 'x'.repeat(600_000) }))).toThrow(/more than/)
})

it('reads from a keep-alive which files the agent has', () => {
  const sum = '0123456789abcdef0123456789abcdef'
  expect(sharedSum(`Linux |web1 - Wazuh v4.14.7 / abc\n"group":web\n${sum} merged.mg\n#"_agent_ip":10.0.0.1\n`)).toBe(
    sum,
  )
  expect(sharedSum('Linux |web1 - Wazuh v4.14.7\nx merged.mg\n')).toBe('x')
  expect(sharedSum('Linux |web1 - Wazuh v4.14.7\n')).toBeUndefined()
})
