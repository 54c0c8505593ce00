import type { SavedObject } from '@logstack/contracts'
import { expect, test } from 'vitest'
import type { SavedObjectRepository } from './repository.ts'
import { ScriptedFields } from './scripted-fields.ts'

const pattern = (id: string, version: string, fields: unknown): SavedObject => ({
  type: 'index-pattern',
  id,
  version,
  attributes: { fields },
  references: [],
})
const scripted = { name: 's', type: 'number', scripted: true, script: '1' }

test('each version of a pattern is read once for its scripted fields', async () => {
  const stored = new Map<string, SavedObject>()
  const reads: string[][] = []
  const repository = {
    getMany: async (keys: readonly { id: string }[]) => {
      reads.push(keys.map(({ id }) => id))
      return keys.flatMap(({ id }) => stored.get(id) ?? [])
    },
  } as unknown as SavedObjectRepository
  const fields = new ScriptedFields(repository)
  const list = async (): Promise<Record<string, readonly unknown[]>> => {
    const listed = [...stored.values()].map((one) => ({ ...one, attributes: {} }))
    return Object.fromEntries(await fields.of(listed))
  }
  stored.set('a', pattern('a', '1', JSON.stringify([{ name: 'plain' }, scripted])))
  stored.set('b', pattern('b', '1', '[]'))
  stored.set('c', pattern('c', '1', 'no JSON, "scripted":true'))
  stored.set('d', pattern('d', '1', [scripted]))
  expect(await list()).toEqual({ a: [scripted], b: [], c: [], d: [scripted] })
  expect(await list()).toEqual({ a: [scripted], b: [], c: [], d: [scripted] })
  stored.set('b', pattern('b', '2', JSON.stringify([scripted])))
  stored.delete('a')
  expect(await list()).toEqual({ b: [scripted], c: [], d: [scripted] })
  expect(reads).toEqual([['a', 'b', 'c', 'd'], [], ['b']])
})
