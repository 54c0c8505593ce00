import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { identifyProcess, isRunning } from '../places/process-identity.ts'
import { lockHolder, takeLock } from './lock.ts'

let temporary: TempDir
let file: string

beforeEach(() => {
  temporary = tempDir('logstack-lock')
  file = join(temporary.path, 'run', 'operator.lock')
})

afterEach(() => temporary.remove())

async function deadProcess() {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: 'pipe' })
  const identity = identifyProcess(child.pid ?? 0)
  if (!identity) throw new Error('no identity of a running process')
  expect(isRunning(identity)).toBe(true)
  child.kill('SIGKILL')
  await once(child, 'exit')
  return identity
}

describe('lock', () => {
  it('is held until released, and says by whom', () => {
    const lock = takeLock(file, 'logstack up')
    expect(lockHolder(file)?.command).toBe('logstack up')
    expect(() => takeLock(file, 'logstack down')).toThrow(
      expect.objectContaining({ code: 'operator_busy', message: expect.stringContaining('logstack up') }),
    )
    lock.release()
    expect(existsSync(file)).toBe(false)
    takeLock(file, 'logstack down').release()
    expect(readdirSync(join(temporary.path, 'run'))).toEqual([])
  })

  it('of a process that is gone is taken over', async () => {
    const lock = takeLock(file, 'first')
    writeFileSync(file, JSON.stringify({ ...(await deadProcess()), command: 'gone', since: 'then' }))
    takeLock(file, 'second')
    expect(lockHolder(file)?.command).toBe('second')
    lock.release()
    expect(lockHolder(file)?.command, 'releasing a lost lock takes nothing from its new holder').toBe('second')
  })

  it('of a process number that now belongs to another process is taken over', () => {
    takeLock(file, 'first').release()
    const own = identifyProcess(process.pid)
    const earlier = { pid: process.pid, startTicks: (own?.startTicks ?? 0) - 1, command: 'earlier', since: 'then' }
    writeFileSync(file, JSON.stringify(earlier))
    expect(lockHolder(file)).toBeUndefined()
    takeLock(file, 'second').release()
  })

  it('with a damaged file is taken over', () => {
    takeLock(file, 'first').release()
    writeFileSync(file, '{"pid"')
    takeLock(file, 'second').release()
  })
})
