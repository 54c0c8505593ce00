import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InputTrial } from '../run-input.testing.ts'
import { fileIntegrityInput } from './file-integrity.ts'

let trial: InputTrial
let folder: string

// Only inotify can tell within the test's time: the schedule is a day.
const start = (keys: Record<string, unknown> = {}): void =>
  trial.start(fileIntegrityInput, 'file_integrity', {
    paths: [folder],
    exclude: [`${folder}/*.tmp`],
    period_ms: 86_400_000,
    ...keys,
  })
const seen = (): [unknown, string][] =>
  trial.events().map((event) => {
    const { action } = event['event'] as { action: string }
    return [action, (event['file'] as { path: string }).path.slice(folder.length + 1)]
  })
const has = (action: string, path: string) => (): boolean => seen().some(([a, p]) => a === action && p === path)

beforeEach(() => {
  trial = new InputTrial()
  folder = join(trial.path, 'watched')
  mkdirSync(folder)
  writeFileSync(join(folder, 'old'), 'one')
})

afterEach(() => trial.end())

describe('changes of files', () => {
  it('are told as they happen, with what was before', async () => {
    start()
    await trial.until('the first look', () => trial.status === 'HEALTHY')
    expect(trial.events()).toEqual([])
    writeFileSync(join(folder, 'new'), 'x')
    await trial.until('new', has('created', 'new'))
    writeFileSync(join(folder, 'old'), 'two')
    await trial.until('old', has('updated', 'old'))
    chmodSync(join(folder, 'old'), 0o600)
    await trial.until('mode', has('attributes_modified', 'old'))
    mkdirSync(join(folder, 'deep'))
    await trial.until('deep', has('created', 'deep'))
    writeFileSync(join(folder, 'deep/inside'), 'y')
    await trial.until('inside', has('created', 'deep/inside'))
    symlinkSync('/etc/passwd', join(folder, 'link'))
    await trial.until('link', has('created', 'link'))
    rmSync(join(folder, 'deep'), { recursive: true })
    await trial.until('gone', () => has('deleted', 'deep/inside')() && has('deleted', 'deep')())
    const updated = trial.events().find((event) => (event['event'] as { action: string }).action === 'updated')
    expect(updated).toMatchObject({
      file: { name: 'old', hash: { sha256: '3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3' } },
      file_integrity: {
        before: { hash: { sha256: '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed' } },
      },
    })
  })

  it('are found at the next start when the agent was off, each once', async () => {
    start()
    await trial.until('the first look', () => trial.status === 'HEALTHY')
    await trial.stop()
    writeFileSync(join(folder, 'old'), 'two')
    renameSync(join(folder, 'old'), join(folder, 'moved'))
    writeFileSync(join(folder, 'noise.tmp'), 'x')
    start()
    await trial.until('both', () => has('created', 'moved')() && has('deleted', 'old')())
    await trial.stop()
    const before = seen().length
    start()
    await trial.until('a quiet look', () => trial.status === 'HEALTHY')
    expect(seen()).toHaveLength(before)
    expect(seen().some(([, path]) => path === 'noise.tmp')).toBe(false)
  })
})

describe('files whose names are not UTF-8', () => {
  const named = (...bytes: number[]): Buffer => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(bytes)])

  it('are told as they happen and at the next start, and so is what lies below such a folder', async () => {
    writeFileSync(named(0xff, 0x31), 'hidden')
    mkdirSync(named(0xc3))
    start()
    await trial.until('the first look', () => trial.status === 'HEALTHY')
    expect(trial.message).toBe('watching 4 files')
    writeFileSync(named(0xff, 0x31), 'changed')
    await trial.until('the change', has('updated', '\\xff1'))
    writeFileSync(named(0xc3, 0x2f, 0xfe), 'x')
    await trial.until('a file below', has('created', '\\xc3/\\xfe'))
    await trial.stop()
    rmSync(named(0xff, 0x31))
    start()
    await trial.until('the deletion', has('deleted', '\\xff1'))
    expect(seen()).toHaveLength(3)
  })
})

const looked = (): Promise<void> => trial.until('a look', () => trial.status === 'HEALTHY')

describe('many files', () => {
  const manyFiles = 3_000
  const fill = (): void => {
    for (let n = 0; n < manyFiles; n += 1) writeFileSync(join(folder, `file-${n}`), String(n))
  }

  it('are not told as new where the first look was ended before it came to them', async () => {
    fill()
    start()
    await new Promise((resolve) => setTimeout(resolve, 30))
    await trial.stop()
    expect(trial.status).toBeUndefined()
    start()
    await looked()
    expect(seen()).toEqual([])
    expect(trial.message).toBe(`watching ${manyFiles + 2} files`)
  })

  it('are not written anew when one of them changes', async () => {
    fill()
    start()
    await looked()
    const name = readdirSync(trial.path).find((each) => each.endsWith('.files')) ?? ''
    const before = statSync(join(trial.path, name))
    writeFileSync(join(folder, 'file-7'), 'other')
    await trial.until('the change', has('updated', 'file-7'))
    await trial.stop()
    const after = statSync(join(trial.path, name))
    expect(after.ino).toBe(before.ino)
    expect(after.size - before.size).toBeGreaterThan(0)
    expect(after.size - before.size).toBeLessThan(1_000)
  })

  it('that go with their folder are told each once, and come back as new', async () => {
    const inside = join(folder, 'inside')
    mkdirSync(inside)
    for (let n = 0; n < manyFiles; n += 1) writeFileSync(join(inside, `file-${n}`), String(n))
    start()
    await looked()
    renameSync(inside, join(folder, 'moved'))
    await trial.until('all', () => trial.count() >= 2 * (manyFiles + 1))
    const told = seen().map(([action, path]) => `${action} ${path}`)
    expect(new Set(told).size).toBe(told.length)
    expect(told.filter((text) => text.startsWith('deleted inside'))).toHaveLength(manyFiles + 1)
    expect(told.filter((text) => text.startsWith('created moved'))).toHaveLength(manyFiles + 1)
  })
})

describe('files that are not looked at', () => {
  it('beyond the limit neither come nor go, and that is said', async () => {
    writeFileSync(join(folder, 'older'), 'two')
    start({ files_max: 3 })
    await looked()
    writeFileSync(join(folder, 'a-new-one'), 'x')
    await trial.until('the limit', () => trial.status === 'DEGRADED')
    expect(trial.message).toBe('more than 3 files: the rest is not looked at')
    await trial.stop()
    start({ files_max: 3 })
    await trial.until('a look', () => trial.status === 'DEGRADED')
    expect(seen()).toEqual([])
  })

  it('that a policy no longer names are not told as gone', async () => {
    mkdirSync(join(folder, 'deep'))
    writeFileSync(join(folder, 'deep/inside'), 'x')
    start()
    await looked()
    await trial.stop()
    start({ paths: [join(folder, 'deep')] })
    await looked()
    expect(trial.message).toBe('watching 2 files')
    expect(seen()).toEqual([])
  })
})

it('a folder that another took the place of is watched as the one before', async () => {
  mkdirSync(join(folder, 'deep'))
  start()
  await trial.until('the first look', () => trial.status === 'HEALTHY')
  // The other one is there before this one's inode is free again.
  mkdirSync(join(folder, 'other'))
  await trial.until('the other', has('created', 'other'))
  rmSync(join(folder, 'deep'), { recursive: true })
  renameSync(join(folder, 'other'), join(folder, 'deep'))
  await trial.until('the other went', has('deleted', 'other'))
  writeFileSync(join(folder, 'deep/inside'), 'x')
  await trial.until('what is in it', has('created', 'deep/inside'))
})
