import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@logstack/testkit'
import { expect, test } from 'vitest'
import { chownAll } from './owners.ts'

const someone = 65_534

// Only root gives files away.
test.skipIf(process.getuid?.() !== 0)('what a link in a volume leads to stays whose it is', () => {
  const folder = tempDir('logstack-owners')
  const [volume, etc] = [join(folder.path, 'volume'), join(folder.path, 'etc')]
  mkdirSync(join(volume, 'deep'), { recursive: true })
  mkdirSync(etc)
  writeFileSync(join(etc, 'passwd'), 'root')
  writeFileSync(join(volume, 'deep/own'), 'own')
  symlinkSync(etc, join(volume, 'deep/link'))
  chownAll(volume, someone, someone)
  const ownerOf = (path: string): number => lstatSync(path).uid
  expect([etc, join(etc, 'passwd')].map(ownerOf)).toEqual([0, 0])
  expect(['', 'deep', 'deep/own', 'deep/link'].map((path) => ownerOf(join(volume, path)))).toEqual(
    Array.from({ length: 4 }, () => someone),
  )
  folder.remove()
})
