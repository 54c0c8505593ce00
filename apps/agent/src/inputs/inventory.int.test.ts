import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { InputTrial } from '../run-input.testing.ts'
import type { InventorySet } from './inventory/inventory-set.ts'
import { readDpkg, readDpkgFile } from './inventory/packages.ts'
import { InventoryPart } from './inventory.ts'

let trial: InputTrial
beforeEach(() => {
  trial = new InputTrial()
})
afterEach(() => trial.end())

const stream = { id: 'inventory-things', data_stream: { type: 'logs' as const, dataset: 'inventory.things' } }
const actions = (): unknown[] => trial.events().map((event) => (event['event'] as { action: string }).action)

/** Things that somebody may change, and how often they were read. */
class Things implements InventorySet {
  readonly name = 'things'
  readonly noun = 'thing'
  readonly category = 'host'
  names = ['one']
  now: string | undefined = '1'
  fails = false
  reads = 0

  async read() {
    this.reads += 1
    if (this.fails) throw new Error('unreadable')
    return new Map(this.names.map((name) => [name, { thing: { name } }]))
  }

  async version() {
    return this.now
  }
}

it('reads again what has another version, and only that', async () => {
  const things = new Things()
  const part = new InventoryPart(things, stream, trial.context())
  expect(await part.look()).toBe(1)
  expect(await part.look()).toBeUndefined()
  expect(things.reads).toBe(1)
  things.names.push('two')
  things.now = '2'
  expect(await part.look()).toBe(2)
  expect(actions()).toEqual(['thing_found', 'thing_added'])
})

it('reads again what could not be read, and what tells no version', async () => {
  const things = new Things()
  const part = new InventoryPart(things, stream, trial.context())
  things.fails = true
  await expect(part.look()).rejects.toThrow('unreadable')
  things.fails = false
  expect(await part.look()).toBe(1)
  things.now = undefined
  await part.look()
  expect(await part.look()).toBe(1)
  expect(things.reads).toBe(4)
})

it('takes packages from a file of dpkg that comes in portions, wherever these are cut', async () => {
  const path = join(trial.path, 'status')
  const block = (index: number): string =>
    `Package: p${index}\nStatus: install ok installed\nArchitecture: amd64\nVersion: ${index}-1\nDescription: ${'ü'.repeat(index % 97)}\n`
  const text = `${Array.from({ length: 3_000 }, (_, index) => block(index)).join('\n')}\n`
  writeFileSync(path, text)
  const found = await readDpkgFile(path)
  expect(found.size).toBe(3_000)
  expect([...found]).toEqual([...readDpkg(text)])
  await expect(readDpkgFile(join(trial.path, 'none'))).rejects.toThrow('ENOENT')
})
