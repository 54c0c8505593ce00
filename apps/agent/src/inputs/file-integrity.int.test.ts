import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InputTrial } from '../run-input.testing.ts'
import { fileIntegrityInput } from './file-integrity.ts'

let trial: InputTrial
let folder: string

// Only inotify can tell within the test's time: the schedule is a day.
const start = (): void =>
  trial.start(fileIntegrityInput, 'file_integrity', {
    paths: [folder],
    exclude: [`${folder}/*.tmp`],
    period_ms: 86_400_000,
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
