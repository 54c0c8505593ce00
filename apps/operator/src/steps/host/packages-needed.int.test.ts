import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { packagesNeeded } from './packages-needed.ts'

let temporary: TempDir
beforeEach(() => {
  temporary = tempDir('logstack-packages')
})
afterEach(() => temporary.remove())

const put = (name: string, manifest: Record<string, unknown>): void => {
  mkdirSync(join(temporary.path, name), { recursive: true })
  writeFileSync(join(temporary.path, name, 'package.json'), JSON.stringify({ name, ...manifest }))
}

it('follows dependencies, also in a circle, and leaves out what is for other platforms or not asked for', () => {
  put('engine', { optionalDependencies: { '@engine/here': '1.0.0', '@engine/elsewhere': '1.0.0' } })
  put('@engine/here', { dependencies: { tool: '1.0.0' } })
  put('tool', { dependencies: { engine: '1.0.0' }, devDependencies: { compiler: '1.0.0' } })
  put('compiler', {})
  expect(packagesNeeded(temporary.path, ['engine'])).toEqual(['@engine/here', 'engine', 'tool'])
})
