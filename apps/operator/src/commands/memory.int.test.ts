import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@logstack/testkit'
import { Command } from 'commander'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { embeddedPaths } from '../places/paths.ts'
import { loadDefinition } from '../quadlet/load.ts'
import { memoryOf } from '../quadlet/memory.ts'
import { registerMemory } from './memory.ts'

const shipped = fileURLToPath(new URL('../../../../quadlet', import.meta.url))
const checkout = tempDir('logstack memory checkout')
const data = tempDir('logstack memory data')
const paths = embeddedPaths(data.path, checkout.path)
const definition = join(paths.quadletDir, 'logstack-search.container')
const dropIn = join(paths.dropInDir, 'logstack-search.container.d/memory.conf')
let said: string[] = []

beforeEach(() => {
  cpSync(shipped, paths.quadletDir, { recursive: true })
  said = []
})
afterEach(() => {
  checkout.remove()
  data.remove()
})

function setUp(): void {
  mkdirSync(dirname(paths.environmentFile), { recursive: true })
  writeFileSync(paths.environmentFile, '')
}

async function memorySet(...words: string[]): Promise<string | undefined> {
  const program = new Command('logstack').option('--data <dir>')
  const say = (line: string): void => {
    said.push(line)
  }
  registerMemory(program, { programDir: checkout.path, env: {}, say, tell: say })
  await program.parseAsync(['--data', data.path, 'memory', 'set', ...words], { from: 'user' })
  return memoryOf(loadDefinition(paths, 'search')).javaOptions
}

test('the heap of a stack of up is kept beside its data: the checkout stays as git knows it', async () => {
  setUp()
  const before = readFileSync(definition, 'utf8')
  expect(await memorySet('--heap', '512m')).toBe('-Xms512m -Xmx512m')
  expect(await memorySet('--heap', '300m')).toBe('-Xms300m -Xmx300m')
  await memorySet('--heap', '300m')
  expect(said).toEqual([`changed ${dropIn}`, `changed ${dropIn}`, 'it is set so already'])
  expect(await memorySet('--heap', 'default')).toBeUndefined()
  expect(existsSync(dropIn)).toBe(false)
  expect(readFileSync(definition, 'utf8')).toBe(before)
})

test('a heap that the checkout says itself, as earlier versions wrote it, is overruled, and other options stay', async () => {
  setUp()
  const own = 'Environment="ES_JAVA_OPTS=-Xms1g -Xmx1g -Dx=y"'
  writeFileSync(definition, readFileSync(definition, 'utf8').replace('[Container]\n', `[Container]\n${own}\n`))
  expect(await memorySet('--heap', '512m')).toBe('-Xms512m -Xmx512m -Dx=y')
  expect(await memorySet('--heap', 'default')).toBe('-Dx=y')
})

test('its processes have no limit, and nothing is written of one', async () => {
  setUp()
  await expect(memorySet('--limit', '1gb')).rejects.toMatchObject({ code: 'not_supported' })
  await expect(memorySet('dashboard', '--limit', '1gb')).rejects.toMatchObject({ code: 'not_supported' })
  expect(existsSync(dirname(dropIn))).toBe(false)
})

test('before there is a stack the definitions of the checkout are changed, as an installation takes them', async () => {
  expect(await memorySet('--heap', '512m', '--limit', '1gb')).toBe('-Xms512m -Xmx512m')
  expect(readFileSync(definition, 'utf8')).toContain('--memory 1gb')
  expect(existsSync(dropIn)).toBe(false)
})
