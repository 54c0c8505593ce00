import type { SavedObject } from '@logstack/contracts'
import { expect, test } from 'vitest'
import { exportObjects } from './export.ts'
import { importObjects } from './import.ts'
import type { ObjectKey } from './object-key.ts'

const count = 300
const objects: SavedObject[] = Array.from({ length: count }, (_, n) => ({
  type: 'dashboard',
  id: `d${n}`,
  attributes: { title: `D ${n}` },
  references: [],
}))

/** Keys that count how often anyone reads one of their ids. */
function countedKeys(): { reads: number; keys: (ObjectKey & { overwrite: boolean })[] } {
  const counted = { reads: 0, keys: [] as (ObjectKey & { overwrite: boolean })[] }
  counted.keys = objects.map(({ type, id }) => ({
    type,
    overwrite: true,
    get id() {
      counted.reads += 1
      return id
    },
  }))
  return counted
}

const store = {
  getMany: async () => objects,
  find: async () => objects,
  saveMany: async (written: readonly SavedObject[]) =>
    written.map(({ type, id }) => ({ type, id, conflict: false, error: undefined })),
}

// Each object compared with each choice would be 90,000 reads here, and half a minute for ten thousand objects.
test('choices for many objects are looked up, not looked through', async () => {
  const counted = countedKeys()
  const options = { overwrite: false, createNewCopies: false, retries: counted.keys }
  expect(await importObjects(objects, options, store)).toMatchObject({ success: true, successCount: count })
  expect(counted.reads).toBeLessThan(10 * count)
})

test('an export of many chosen objects looks each up', async () => {
  const counted = countedKeys()
  const request = { objects: counted.keys, includeReferencesDeep: false, excludeExportDetails: true, objectsMax: 1_000 }
  expect((await exportObjects(request, store)).trim().split('\n')).toHaveLength(count)
  expect(counted.reads).toBeLessThan(10 * count)
})
