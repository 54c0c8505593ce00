import { join } from 'node:path'
import { tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { takeLock } from '../lock/lock.ts'
import { installCommand, installing } from './installing.ts'

let folder: ReturnType<typeof tempDir>
beforeEach(() => {
  folder = tempDir('installing')
})
afterEach(() => folder.remove())

it('an installation is seen while it holds the lock; a repair that asks somebody is none', () => {
  const lockFile = join(folder.path, 'operator.lock')
  expect(installing({ lockFile })).toBeUndefined()
  const repair = takeLock(lockFile, 'logstack doctor --repair')
  expect(installing({ lockFile })).toBeUndefined()
  repair.release()
  const install = takeLock(lockFile, installCommand)
  expect(installing({ lockFile })?.pid).toBe(process.pid)
  install.release()
  expect(installing({ lockFile })).toBeUndefined()
})
