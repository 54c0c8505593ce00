import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@logstack/testkit'
import { build } from 'esbuild'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type DataPaths,
  dataPaths,
  lockDataDirectory,
  makeDataDirectory,
  requireWritable,
  runningAgent,
} from './data-directory.ts'

const kills = 12

let temporary: TempDir
let paths: DataPaths
beforeEach(() => {
  temporary = tempDir('logstack-data-directory')
  paths = dataPaths(join(temporary.path, 'agent'))
  makeDataDirectory(paths)
})
afterEach(() => temporary.remove())

const startTime = (pid: number): string | undefined => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}
const lockOf = (pid: number, started = startTime(pid)): string => JSON.stringify({ pid, started })

describe('a data directory', () => {
  it('is refused while another process has it', () => {
    writeFileSync(paths.lock, lockOf(process.ppid))
    expect(runningAgent(paths)).toBe(process.ppid)
    expect(() => lockDataDirectory(paths)).toThrow(`agent ${process.ppid} uses`)
    expect(readFileSync(paths.lock, 'utf8')).toBe(lockOf(process.ppid))
  })

  it('is refused, and can be taken, by a lock that is a link, as on a full disk', () => {
    symlinkSync(lockOf(process.ppid), paths.lock)
    expect(runningAgent(paths)).toBe(process.ppid)
    expect(() => lockDataDirectory(paths)).toThrow(`agent ${process.ppid} uses`)
    rmSync(paths.lock)
    symlinkSync(lockOf(process.ppid, '1'), paths.lock)
    lockDataDirectory(paths)
    expect(readFileSync(paths.lock, 'utf8')).toBe(lockOf(process.pid))
  })

  it.each([
    ['nothing', () => ''],
    ['half of it', () => lockOf(process.ppid).slice(0, 10)],
    ['zeros', () => '\0'.repeat(30)],
    ['another form', () => '{"pid":"1"}'],
    ['a process that is gone, whose id another one has', () => lockOf(process.ppid, '1')],
  ])('can be taken when its lock holds %s', (_, text) => {
    writeFileSync(paths.lock, text())
    expect(runningAgent(paths)).toBeUndefined()
    const lock = lockDataDirectory(paths)
    expect(readFileSync(paths.lock, 'utf8')).toBe(lockOf(process.pid))
    lock.release()
    expect(existsSync(paths.lock)).toBe(false)
  })

  it.each([
    ['where nothing can be made', () => '/proc/logstack-agent/data', 'there is no /proc/logstack-agent'],
    ['in a file', () => join(paths.folder, 'file', 'data'), 'leads through a file that is no folder'],
    ['that takes no files', () => '/proc', 'there is no /proc/.write-probe'],
  ])('%s is refused with what to do', (_, folder, problem) => {
    writeFileSync(join(paths.folder, 'file'), '')
    expect(() => requireWritable(dataPaths(folder()))).toThrow(
      expect.objectContaining({
        code: 'agent_data_unwritable',
        message: expect.stringContaining(problem),
        fix: expect.stringContaining('--data DIR'),
      }),
    )
  })

  it('is tried without leaving anything behind', () => {
    const below = dataPaths(join(paths.folder, 'a', 'b'))
    requireWritable(below)
    expect(readdirSync(below.folder)).toEqual([])
  })

  it('holds a whole lock or none after an agent was killed while taking it', async () => {
    const program = join(temporary.path, 'child.mjs')
    const entry = new URL('data-directory.child.ts', import.meta.url).pathname
    await build({ entryPoints: [entry], outfile: program, bundle: true, platform: 'node', format: 'esm' })
    for (let round = 0; round < kills; round += 1) {
      const child = spawn(process.execPath, [program, paths.folder], { stdio: ['ignore', 'pipe', 'inherit'] })
      const exit = once(child, 'exit')
      await once(child.stdout, 'data')
      await new Promise((resolve) => setTimeout(resolve, round))
      child.kill('SIGKILL')
      expect(await exit).toEqual([null, 'SIGKILL'])
      if (existsSync(paths.lock)) expect(readFileSync(paths.lock, 'utf8')).toMatch(/^\{"pid":\d+,"started":"\d+"\}$/)
      expect(runningAgent(paths)).toBeUndefined()
    }
  })
})
