import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InputTrial } from '../../run-input.testing.ts'
import { fileInput } from '../file.ts'
import { type BacklogQuestion, findBacklog } from './backlog.ts'
import type { KeptBookmark } from './bookmark.ts'
import { readFileOptions } from './file-options.ts'
import { PackedHeads } from './packed-heads.ts'
import { Tail } from './tail.ts'

// Files as logrotate leaves them while no agent looks.
let trial: InputTrial
let folder: string
let path: string
let written = 0

beforeEach(() => {
  trial = new InputTrial()
  folder = join(trial.path, 'logs')
  mkdirSync(folder)
  path = join(folder, 'app.log')
  written = 0
})
afterEach(async () => {
  for (const tail of opened.splice(0)) tail.close()
  await trial.end()
})

const opened: Tail[] = []
const options = readFileOptions({ id: 'app', data_stream: { type: 'logs', dataset: 'app' } })
/** Opens a file that was written at the path. */
const open = (suffix = ''): Tail => {
  const tail = Tail.open(`${path}${suffix}`, () => [], options, path)
  opened.push(tail)
  return tail
}
const bookmark = (): KeptBookmark => {
  const [kept] = trial.context().spool.bookmarks('file:')
  return kept as KeptBookmark
}

const write = (count: number, to = path): void => {
  const lines = Array.from({ length: count }, (_, at) => `line ${written + at} of the log`)
  appendFileSync(to, `${lines.join('\n')}\n`)
  written += count
}
const move = (from: string, to: string): void => renameSync(`${path}${from}`, `${path}${to}`)
const messages = (): unknown[] => trial.events().map((event) => event['message'])
const start = (paths = [path]): void => trial.start(fileInput, 'app', { paths })

/** Every line is there once, in order, and no other comes. */
async function expectAll(): Promise<void> {
  await trial.until(`${written} lines`, () => trial.count() >= written)
  // Another look at the folder later.
  await new Promise((resolve) => setTimeout(resolve, 1_300))
  expect(messages()).toEqual(Array.from({ length: written }, (_, at) => `line ${at} of the log`))
}

/** What is asked before the first look at a file that was at the path a moment ago. */
const question = (before: Tail, bookmarks: readonly KeptBookmark[]): BacklogQuestion => ({
  home: path,
  before,
  bookmarks: new Map(bookmarks),
  isKnown: false,
  isFollowed: (inode) => inode === before.inode,
  open: [],
  heads: new PackedHeads(),
  isExcluded: () => false,
  failed: (failed, thrown) => expect.fail(`${failed}: ${String(thrown)}`),
})
const found = async (asked: BacklogQuestion): Promise<string[]> =>
  (await findBacklog(asked)).map((file) => file.path.slice(path.length))

const programs: Record<string, string> = { gz: 'gzip', zst: 'zstd', xz: 'xz', bz2: 'bzip2' }
const pack = (file: string, packing: string): void => {
  execFileSync(programs[packing] ?? '', packing === 'zst' ? ['-q', '--rm', file] : [file])
}
const packings = Object.keys(programs).filter(
  (packing) => spawnSync(programs[packing] ?? '', ['--version']).status === 0,
)

describe('what was rotated while the agent was off', () => {
  it.each(['', ...packings])('is read before what is at the path now, each line once [%s]', async (packing) => {
    write(10)
    writeFileSync(`${path}.1`, 'older than everything the agent saw\n')
    start()
    await expectAll()
    await trial.stop()
    move('.1', '.4')
    write(10)
    move('', '.3')
    for (const number of ['.2', '.1', '']) write(1_000, `${path}${number}`)
    if (packing !== '') for (const number of ['.4', '.3', '.2']) pack(`${path}${number}`, packing)
    start()
    await expectAll()
    await trial.stop()
    start()
    write(10)
    await expectAll()
  })

  it('is found by its content where it was copied and the file cut', async () => {
    write(10)
    start()
    await expectAll()
    await trial.stop()
    write(10)
    copyFileSync(path, `${path}.1`)
    truncateSync(path, 0)
    write(5)
    pack(`${path}.1`, 'gz')
    start()
    await expectAll()
  })

  it('is read when the file that was read last is removed, and only what was written since', async () => {
    write(10)
    writeFileSync(`${path}-20251230`, 'older than everything the agent saw\n')
    start()
    await expectAll()
    await trial.stop()
    rmSync(path)
    write(10, `${path}-20251231`)
    write(10)
    start()
    await expectAll()
  })

  it('is left alone at the first start, and where it is excluded', async () => {
    writeFileSync(`${path}.1`, 'old\n')
    write(10)
    const keys = { paths: [path], exclude: [`${path}.*`] }
    trial.start(fileInput, 'app', keys)
    await expectAll()
    await trial.stop()
    const before = written
    write(5)
    move('', '.1')
    written = before
    write(5)
    trial.start(fileInput, 'app', keys)
    await expectAll()
  })
})

describe('bookmarks of files that were read', () => {
  it('are not all needed: what lies between two of them was read', async () => {
    const spool = trial.context().spool
    write(10)
    start()
    await expectAll()
    await trial.stop()
    const known = (): string[] => spool.bookmarks('file:').map(([source]) => source)
    const [first] = known()
    for (const older of [['.1'], ['.2', '.1']]) {
      for (const number of older.slice(0, -1)) move('.1', number)
      move('', '.1')
      write(10)
      start()
      await expectAll()
      await trial.stop()
    }
    expect(known()).toHaveLength(3)
    // As when a later file gets its inode, while an older one's bookmark comes back with the checkpoint of before a crash.
    const between = known().find((source) => source !== first) ?? ''
    spool.forget(between)
    move('.2', '.3')
    move('.1', '.2')
    move('', '.1')
    write(10)
    start()
    await expectAll()
    expect(known()).toContain(first)
  })
})

describe('an inode that is given to a file at another path', () => {
  it('does not take the bookmark of the file that had it', async () => {
    write(10)
    start()
    await expectAll()
    await trial.stop()
    write(5)
    copyFileSync(path, `${path}.1`)
    const other = join(folder, 'web.log')
    renameSync(path, other)
    writeFileSync(other, 'the other log\n')
    write(5)
    start([other])
    await trial.until('the other file is read', () => trial.count() === 11)
    await trial.stop()
    start()
    await trial.until('what was rotated is read', () => trial.count() === 21)
    expect(messages().filter((message) => message !== 'the other log')).toEqual(
      Array.from({ length: 20 }, (_, at) => `line ${at} of the log`),
    )
  })
})

describe('files that are renamed while they are looked at', () => {
  beforeEach(async () => {
    write(10)
    start()
    await expectAll()
    await trial.stop()
  })

  it('are found where one is compressed at that very moment', async () => {
    move('', '.2')
    write(5, `${path}.2`)
    write(5)
    const kept = bookmark()
    const isFollowed = (): boolean => {
      if (existsSync(`${path}.2`)) pack(`${path}.2`, 'gz')
      return false
    }
    const backlog = await findBacklog({ ...question(open(), [kept]), isFollowed })
    expect(backlog).toMatchObject([{ path: `${path}.2.gz`, kept }])
  })

  it('are all found that are older than the file which was at the path when it was opened', async () => {
    move('', '.3')
    write(5, `${path}.2`)
    write(5, `${path}.1`)
    expect(await found(question(open('.1'), [bookmark()]))).toEqual(['.3', '.2'])
  })

  it('are only those that are older, although that file itself was compressed meanwhile', async () => {
    move('', '.4')
    write(5, `${path}.3`)
    write(5, `${path}.2`)
    const before = open('.2')
    pack(`${path}.2`, 'gz')
    write(5, `${path}.1`)
    expect(await found(question(before, [bookmark()]))).toEqual(['.4', '.3'])
  })
})

describe('files that are looked at while one is open', () => {
  it('are known as copies of it', async () => {
    write(10)
    start()
    await expectAll()
    await trial.stop()
    move('', '.3')
    write(5)
    const first = open()
    move('', '.2')
    pack(`${path}.2`, 'gz')
    write(5)
    const asked = question(open(), [bookmark()])
    expect(await found({ ...asked, open: [first] })).toEqual(['.3'])
  })

  it('are not said to be all while that goes on', async () => {
    write(10)
    move('', '.2')
    write(1)
    let number = 2
    const isFollowed = (): boolean => {
      move(`.${number}`, `.${number + 1}`)
      number += 1
      return false
    }
    await expect(findBacklog({ ...question(open(), []), isFollowed, failed: () => undefined })).rejects.toThrow(
      'is rotated faster than its files can be looked at',
    )
  })
})

describe('a compressed file', () => {
  it('is gone on with where reading it was broken off', async () => {
    write(10)
    start()
    await expectAll()
    await trial.stop()
    write(200_000)
    move('', '.1')
    pack(`${path}.1`, 'gz')
    write(10)
    start()
    await trial.until('some of it', () => trial.count() > 20)
    await trial.stop()
    expect(trial.count()).toBeLessThan(written)
    move('.1.gz', '.2.gz')
    start()
    await trial.until('all of it', () => trial.count() >= written)
    await new Promise((resolve) => setTimeout(resolve, 1_300))
    expect(trial.count()).toBe(written)
    expect(
      messages()
        .slice(0, 90_000)
        .every((message, at) => message === `line ${at} of the log`),
    ).toBe(true)
  })

  it('is said to be unreadable when it is broken, and the rest is read', async () => {
    write(10)
    start()
    await expectAll()
    await trial.stop()
    move('', '.2')
    writeFileSync(`${path}.1.gz`, 'no gzip at all')
    write(10)
    start()
    await expectAll()
    await trial.until('it is told', () => trial.status === 'DEGRADED')
    expect(trial.message).toContain(`cannot read ${path}.1.gz: `)
  })
})

describe('rotation while the agent looks', () => {
  it('loses no line that is written to the file after it was moved away, and keeps the order', async () => {
    start()
    for (let round = 0; round < 3; round += 1) {
      write(300)
      await expectAll()
      write(300)
      for (let number = round; number > 0; number -= 1) move(`.${number}`, `.${number + 1}`)
      move('', '.1')
      write(3, `${path}.1`)
      await expectAll()
      write(3, `${path}.1`)
      await expectAll()
    }
  })

  it('reads older files first where patterns name rotated ones too', async () => {
    for (const number of ['.3', '.2', '.1', '']) write(2_000, `${path}${number}`)
    start([`${folder}/*`])
    await expectAll()
    move('.3', '.4')
    move('.2', '.3')
    move('.1', '.2')
    move('', '.1')
    write(10)
    await expectAll()
  })
})

describe('what is rotated while older files are read', () => {
  it('is read once though it is compressed while it waits for older files, or in the middle', async () => {
    write(10)
    start()
    await expectAll()
    await trial.stop()
    move('', '.2')
    write(20_000, `${path}.2`)
    write(1_000, `${path}.1`)
    write(1_000)
    let waiting = 0
    let goOn = (): void => undefined
    const taken = new Promise<void>((resolve) => {
      goOn = resolve
    })
    trial.beforeAppend = () => {
      waiting += 1
      return waiting > 1 ? taken : Promise.resolve()
    }
    start()
    await trial.until('the oldest is in the middle', () => waiting > 1)
    expect(trial.count()).toBeLessThan(20_000)
    move('.2', '.4')
    move('.1', '.3')
    move('', '.2')
    for (const number of ['.4', '.3']) pack(`${path}${number}`, 'gz')
    write(10)
    goOn()
    await expectAll()
  })
})
