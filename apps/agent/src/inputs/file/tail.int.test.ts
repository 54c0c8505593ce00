import {
  appendFileSync,
  closeSync,
  copyFileSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FileBookmark, readBookmark } from './bookmark.ts'
import { expandPaths, pathMatches } from './expand-paths.ts'
import { Tail, type TailedLine } from './tail.ts'

const limits = { lineBytesMax: 100 }
const unknown = () => []
const known = (bookmark: FileBookmark | undefined) => (inode: string) =>
  bookmark ? [[`${inode}:kept`, bookmark] as const] : []
const texts = (tail: Tail, last = false): string[] => tail.read({ isLast: last }).map((line) => line.text)

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tail-'))
  path = join(folder, 'a.log')
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('reading', () => {
  it('gives whole lines once and waits for the end of half a line', () => {
    writeFileSync(path, 'one\r\ntwo\n\nthr')
    const tail = Tail.open(path, unknown, limits)
    expect(texts(tail)).toEqual(['one', 'two'])
    expect(texts(tail)).toEqual([])
    appendFileSync(path, 'ee\n')
    expect(tail.read()).toMatchObject([{ text: 'three', offset: 10, bookmark: { position: 16 } }])
  })

  it('cuts lines that are too long into pieces and loses nothing', () => {
    writeFileSync(path, `${'x'.repeat(250)}\nnext\n`)
    const tail = Tail.open(path, unknown, limits)
    const lines = tail.read()
    expect(lines.map((line) => line.text)).toEqual(['x'.repeat(100), 'x'.repeat(100), 'x'.repeat(50), 'next'])
    expect(lines.map((line) => line.tags)).toEqual([['partial'], ['partial'], ['partial'], undefined])
  })

  it('cuts between characters', () => {
    writeFileSync(path, `${'x'.repeat(99)}€${'ü'.repeat(20)}\n`)
    expect(texts(Tail.open(path, unknown, limits))).toEqual(['x'.repeat(99), `€${'ü'.repeat(20)}`])
  })

  it('leaves out the rest of a line of too many pieces, also when it is read in several portions and starts', () => {
    const three = { ...limits, linePiecesMax: 3 }
    writeFileSync(path, 'y'.repeat(250))
    const first = Tail.open(path, unknown, three).read()
    expect(first.map((line) => line.text.length)).toEqual([100, 100])
    appendFileSync(path, 'y'.repeat(1_000_000))
    const tail = Tail.open(path, known(first.at(-1)?.bookmark), three)
    expect(tail.read()).toMatchObject([{ offset: 200, text: 'y'.repeat(100), tags: ['partial', 'truncated'] }])
    appendFileSync(path, 'end\nnext\n')
    const rest: string[] = []
    do rest.push(...texts(tail))
    while (!tail.isDrained)
    expect(rest).toEqual(['next'])
  })

  it('gives the rest without a line end only at the last call', () => {
    writeFileSync(path, 'one\ntwo')
    const tail = Tail.open(path, unknown, limits)
    expect(texts(tail)).toEqual(['one'])
    expect(texts(tail, true)).toEqual(['two'])
  })

  it('notices that a file nobody touched for long is written anew with as many bytes', async () => {
    writeFileSync(path, 'one\n')
    const tail = Tail.open(path, unknown, limits)
    expect(texts(tail)).toEqual(['one'])
    // From then on nothing but its size and its time of change is looked at.
    while (Date.now() - statSync(path).ctimeMs < 1_100) await new Promise((resolve) => setTimeout(resolve, 100))
    expect([texts(tail), texts(tail)]).toEqual([[], []])
    writeFileSync(path, 'two\n')
    expect(texts(tail)).toEqual(['two'])
  })

  it('gives lines again after a rewind, also of a file that nobody touched since', async () => {
    writeFileSync(path, 'one\ntwo\n')
    while (Date.now() - statSync(path).ctimeMs < 1_100) await new Promise((resolve) => setTimeout(resolve, 100))
    const tail = Tail.open(path, unknown, limits)
    const [first] = tail.read()
    if (first) tail.rewind(first)
    expect(texts(tail)).toEqual(['one', 'two'])
  })
})

describe('reading what programs leave', () => {
  it('leaves out zeros before a line, however many, and waits where they are the last', () => {
    const holeBytes = 5 * 2 ** 30
    writeFileSync(path, '')
    truncateSync(path, 1_000_000)
    appendFileSync(path, 'one\ntw\0o\n')
    const tail = Tail.open(path, unknown, limits)
    const lines: TailedLine[] = []
    do lines.push(...tail.read())
    while (!tail.isDrained)
    expect(lines).toMatchObject([
      { text: 'one', offset: 1_000_000 },
      { text: 'tw\0o', offset: 1_000_004 },
    ])
    // Room for lines to come, which are written into it.
    truncateSync(path, 1_000_059)
    expect(texts(tail)).toEqual([])
    const file = openSync(path, 'r+')
    writeSync(file, 'three\n', 1_000_009)
    expect(texts(tail)).toEqual(['three'])
    // More than four gigabytes of them, as where a log was cut under a program that goes on at its old place.
    ftruncateSync(file, holeBytes)
    writeSync(file, 'four\n', holeBytes)
    const far = Tail.open(path, known({ position: holeBytes, fingerprint: { bytes: 0, crc: 0 } }), limits)
    expect(far.read()).toMatchObject([{ text: 'four', offset: holeBytes, bookmark: { position: holeBytes + 5 } }])
    closeSync(file)
  })

  it.each(['utf16le', 'utf-16be'])(
    'reads a file that says by its first bytes that it is %s, and goes on so',
    (name) => {
      const encoded = (text: string): Buffer => {
        const bytes = Buffer.from(text, 'utf16le')
        return name === 'utf16le' ? bytes : bytes.swap16()
      }
      writeFileSync(path, encoded(`\uFEFFgrüße\r\nzwei\n${'x'.repeat(60)}\n`))
      const tail = Tail.open(path, unknown, { lineBytesMax: 101 })
      const [first, ...rest] = tail.read()
      expect([first?.text, ...rest.map(({ text }) => text)]).toEqual(['grüße', 'zwei', 'x'.repeat(50), 'x'.repeat(10)])
      expect(texts(Tail.open(path, known(first?.bookmark), limits))).toEqual(['zwei', 'x'.repeat(50), 'x'.repeat(10)])
    },
  )
})

describe('rotation', () => {
  it('follows the inode through a rename', () => {
    writeFileSync(path, 'one\n')
    const tail = Tail.open(path, unknown, limits)
    tail.read()
    renameSync(path, `${path}.1`)
    appendFileSync(`${path}.1`, 'two\n')
    writeFileSync(path, 'new file\n')
    expect(texts(tail)).toEqual(['two'])
  })

  it('gives nothing of a file that was cut where it is not to start again', () => {
    writeFileSync(path, 'one\ntwo\n')
    const tail = Tail.open(path, unknown, limits)
    tail.read()
    writeFileSync(path, 'cut\n')
    expect(tail.read({ restarts: false })).toEqual([])
    expect(texts(tail)).toEqual(['cut'])
  })

  it('starts again when the file is cut, and when it was cut and has grown past the old position', () => {
    writeFileSync(path, 'one\ntwo\n')
    const tail = Tail.open(path, unknown, limits)
    tail.read()
    truncateSync(path, 0)
    appendFileSync(path, 'cut\n')
    expect(texts(tail)).toEqual(['cut'])
    copyFileSync(path, `${path}.1`)
    writeFileSync(path, 'a much longer first line than before\n')
    expect(texts(tail)).toEqual(['a much longer first line than before'])
  })
})

describe('bookmarks', () => {
  const bookmarkAfter = (lines: number): FileBookmark | undefined => {
    const tail = Tail.open(path, unknown, limits)
    const bookmark = tail.read()[lines - 1]?.bookmark
    tail.close()
    return bookmark
  }

  it('goes on behind the bookmark', () => {
    writeFileSync(path, 'one\ntwo\nthree\n')
    const bookmark = bookmarkAfter(2)
    expect(texts(Tail.open(path, known(bookmark), limits))).toEqual(['three'])
  })

  it('reads from the beginning when the inode holds another file now', () => {
    writeFileSync(path, 'one\ntwo\nthree\n')
    const bookmark = bookmarkAfter(2)
    writeFileSync(path, 'other\ntext\nof the same inode\n')
    expect(texts(Tail.open(path, known(bookmark), limits))).toEqual(['other', 'text', 'of the same inode'])
  })

  it('reads from the beginning when the end of the last line is another one', () => {
    const head = `${'# a header that all of them have'.repeat(9)}\n`
    writeFileSync(path, `${head}one\ntwo\n`)
    const bookmark = bookmarkAfter(5)
    writeFileSync(path, `${head}six\nten\n`)
    expect(texts(Tail.open(path, known(bookmark), limits)).slice(-2)).toEqual(['six', 'ten'])
  })

  it('finds its own among those of files that had the inode before, and keeps its name', () => {
    writeFileSync(path, 'another\nfile\nof before\n')
    const before = bookmarkAfter(3)
    writeFileSync(path, 'one\ntwo\nthree\n')
    const own = bookmarkAfter(2)
    if (!before || !own) throw new Error('no bookmark')
    const tail = Tail.open(
      path,
      (inode) => [
        [inode, before],
        [`${inode}:own`, own],
      ],
      limits,
    )
    expect(texts(tail)).toEqual(['three'])
    expect(tail.source).toBe(`${tail.inode}:own`)
    writeFileSync(path, 'cut\n')
    expect(texts(tail)).toEqual(['cut'])
    expect(tail.source).not.toBe(`${tail.inode}:own`)
  })

  it('are none when they are nonsense', () => {
    expect(readBookmark({ position: 'x' })).toBeUndefined()
  })
})

describe('patterns', () => {
  it('expands wildcards in any component, sorted, and matches nothing where nothing is', () => {
    for (const name of ['x/a.log', 'x/b.txt', 'y/c.log']) {
      mkdirSync(join(folder, name.slice(0, 1)), { recursive: true })
      writeFileSync(join(folder, name), '')
    }
    expect(expandPaths(`${folder}/*/?.log`)).toEqual([`${folder}/x/a.log`, `${folder}/y/c.log`])
    expect(expandPaths(`${folder}/absent/*.log`)).toEqual([])
  })

  it('takes the other characters literally', () => {
    expect(pathMatches('/var/log/a+b.log', '/var/log/a+*.log')).toBe(true)
    expect(pathMatches('/var/log/axb_log', '/var/log/a?b.log')).toBe(false)
    expect(pathMatches('/var/log/x/a.log', '/var/log/*')).toBe(false)
    const below = ['/var/log/a.log', '/var/log/x/y/a.log', '/var/logs/a.log', '/etc/a.log']
    expect(below.map((path) => pathMatches(path, '/var/log/**'))).toEqual([true, true, false, false])
    expect(below.map((path) => pathMatches(path, '/**/x/**/a.*'))).toEqual([false, true, false, false])
  })
})
