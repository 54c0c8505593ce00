import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@logstack/testkit'
import { expect, test } from 'vitest'
import { writeFileAtomically } from './write-file.ts'

test('a link that lies where the new file is written first is not followed', () => {
  const folder = tempDir('logstack-write-file')
  const target = join(folder.path, 'target')
  writeFileSync(target, 'as it was')
  symlinkSync(target, join(folder.path, `.settings.${process.pid}`))
  writeFileAtomically(join(folder.path, 'settings'), 'new', 0o600)
  expect(readFileSync(target, 'utf8')).toBe('as it was')
  expect(readFileSync(join(folder.path, 'settings'), 'utf8')).toBe('new')
  expect(readdirSync(folder.path).sort()).toEqual(['settings', 'target'])
  folder.remove()
})
