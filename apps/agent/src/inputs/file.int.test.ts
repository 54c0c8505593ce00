import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InputTrial } from '../run-input.testing.ts'
import { encodingOf } from './file/encoding.ts'
import { fileInput } from './file.ts'

let trial: InputTrial
let path: string

beforeEach(() => {
  trial = new InputTrial()
  path = join(trial.path, 'a.log')
})
afterEach(() => trial.end())

const messages = (): unknown[] => trial.events().map((event) => event['message'])

async function arrived(count: number): Promise<unknown[]> {
  await trial.until(`${count} events`, () => messages().length >= count)
  return messages()
}

const start = (options: Record<string, unknown>): void => trial.start(fileInput, 'app', { paths: [path], ...options })

describe('encodings', () => {
  const text = 'grüße\r\nzweite Ċ਀ Zeile\n'
  const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le')
  it.each([
    ['utf-16le', utf16, ['grüße', 'zweite Ċ਀ Zeile']],
    ['utf-16be', Buffer.from(utf16).swap16(), ['grüße', 'zweite Ċ਀ Zeile']],
    ['latin1', Buffer.from('grüße\n\x80\n', 'latin1'), ['grüße', '\x80']],
    ['windows-1252', Buffer.from('grüße\n\x80\n', 'latin1'), ['grüße', '€']],
    ['utf-8', Buffer.from(`\uFEFFgrüße\n€\n`), ['grüße', '€']],
  ])('reads %s', async (encoding, bytes, expected) => {
    writeFileSync(path, bytes)
    start({ encoding })
    expect(await arrived(2)).toEqual(expected)
  })

  it('does not take half of one character and half of the next for a line feed', () => {
    const bytes = Buffer.from([0x0a, 0x01, 0x00, 0x0a, 0x0a, 0x00])
    expect(encodingOf('utf-16le')?.newline(bytes, 0)).toBe(4)
  })
})

describe('events of several lines', () => {
  const trace = ['Error: no', '  at a', '  at b']

  it('are put together by what continues them, across reads and starts, each once', async () => {
    const multiline = { pattern: '^\\s', wait_ms: 60_000 }
    writeFileSync(path, `${trace.join('\n')}\nnext\n  at c\n`)
    start({ multiline })
    expect(await arrived(1)).toEqual([trace.join('\n')])
    await trial.stop()
    appendFileSync(path, '  at d\nlast\nend\n')
    start({ multiline })
    expect(await arrived(3)).toEqual([trace.join('\n'), 'next\n  at c\n  at d', 'last'])
    expect(trial.events().map((event) => event['log'])).toMatchObject([{ offset: 0 }, { offset: 24 }, { offset: 43 }])
  })

  it('are put together by what begins them, or by what says that more follows', async () => {
    writeFileSync(path, '2026 one\nmore\n2026 two\n')
    start({ multiline: { pattern: '^\\d{4}', negate: true, wait_ms: 100 } })
    expect(await arrived(2)).toEqual(['2026 one\nmore', '2026 two'])
    await trial.end()
    trial = new InputTrial()
    path = join(trial.path, 'b.log')
    writeFileSync(path, 'a \\\nb \\\nc\nd\n')
    start({ multiline: { pattern: '\\\\$', what: 'next' } })
    expect(await arrived(2)).toEqual(['a \\\nb \\\nc', 'd'])
  })

  it('end at their limit, so that nothing is held without end', async () => {
    writeFileSync(path, `first\n${' more\n'.repeat(7)}second\n`)
    start({ multiline: { pattern: '^ ', lines_max: 4, wait_ms: 100 } })
    const found = await arrived(3)
    expect(found).toEqual(['first\n more\n more\n more', ' more\n more\n more\n more', 'second'])
  })
})

describe('more files than are followed', () => {
  const followed = 4_096
  const nameOf = (n: number): string => join(trial.path, `app-${10_000 + n}.log`)
  const read = (count: number): Promise<void> => trial.until(`${count} lines`, () => trial.count() >= count)

  it('are told of, and those are read that are written to, each line once', async () => {
    const longAgo = Date.now() / 1_000 - 86_400
    for (let n = 0; n < followed + 2; n += 1) {
      writeFileSync(nameOf(n), `${n}\n`)
      utimesSync(nameOf(n), longAgo + n, longAgo + n)
    }
    start({ paths: [join(trial.path, '*.log')] })
    await read(followed)
    await trial.until('the state is told', () => trial.status === 'DEGRADED')
    const left = `following the ${followed} files that were written to last; 2 more fit and are left`
    expect(trial.message).toBe(`${left}: narrow paths, or exclude some`)
    expect(messages()).not.toContain('0')
    expect(messages()).toContain(String(followed + 1))
    appendFileSync(nameOf(0), 'more of 0\n')
    await read(followed + 2)
    await trial.stop()
    // 2 was followed, gave its place to 0 and comes back: it goes on where it was.
    appendFileSync(nameOf(1), 'more of 1\n')
    appendFileSync(nameOf(2), 'more of 2\n')
    start({ paths: [join(trial.path, '*.log')] })
    await read(followed + 5)
    const all = messages()
    expect(all).toEqual(expect.arrayContaining(['more of 0', '1', 'more of 1', 'more of 2']))
    expect(new Set(all).size).toBe(all.length)
  })
})

describe('files beside the journal', () => {
  it.each([
    ['left to it', { paths: ['/*'] }, ['other']],
    ['left to it although they are named', { paths: ['/syslog', '/other.log'], journal_copies: 'skip' }, ['other']],
    ['read where they are named', { paths: ['/syslog', '/other.log'] }, ['copy', 'other']],
    ['read where the policy says so', { paths: ['/*'], journal_copies: 'read' }, ['copy', 'other']],
  ])('are %s', async (_how, { paths, ...options }, expected) => {
    const folder = join(trial.path, 'log')
    mkdirSync(folder)
    writeFileSync(join(folder, 'syslog'), 'copy\n')
    writeFileSync(join(folder, 'other.log'), 'other\n')
    trial.journalCopies = [join(folder, 'syslog')]
    start({ paths: paths.map((path) => `${folder}${path}`), ...options })
    await trial.until('it is told', () => trial.status === 'HEALTHY' && messages().length >= expected.length)
    expect(messages().sort()).toEqual(expected)
    if (expected.length === 1) expect(trial.message).toBe(`following 1 files; left to the journal: ${folder}/syslog`)
  })
})

describe('lines that are wanted', () => {
  it('fit a pattern that includes and none that excludes', async () => {
    writeFileSync(path, 'INFO a\nWARN b\nWARN noise\nERROR c\n')
    start({ include_lines: ['^WARN', '^ERROR'], exclude_lines: ['noise'] })
    expect(await arrived(2)).toEqual(['WARN b', 'ERROR c'])
  })

  it('are told from others in bounded time', async () => {
    writeFileSync(path, `${'a'.repeat(4_000)}\nb\n`)
    start({ exclude_lines: ['^(a+)+$'], include_lines: ['(a|aa)+c', 'b'] })
    expect(await arrived(1)).toEqual(['b'])
  })

  it.each([
    [{ include_lines: ['('] }, 'include_lines: [(] is no regular expression'],
    [{ multiline: { pattern: '^(?=a)' } }, 'multiline.pattern: [^(?=a)] is no regular expression of bounded time'],
    [{ encoding: 'ebcdic' }, 'encoding: '],
    [{ multiline: { pattern: 'x', what: 'sideways' } }, 'multiline.what: '],
  ])('are said to be wrong: %j', async (options, message) => {
    writeFileSync(path, 'a\n')
    const run = fileInput.run(
      {
        id: 'f',
        type: 'file',
        streams: [{ id: 's', data_stream: { type: 'logs', dataset: 'x' }, paths: [path], ...options }],
      },
      trial.context(),
    )
    await expect(run).rejects.toThrow(message)
  })
})
