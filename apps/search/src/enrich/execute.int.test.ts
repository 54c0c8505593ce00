import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { MatchingDocument } from '../api/documents/matching-documents.ts'
import { createStore } from '../store/lmdb-store.ts'
import type { Store } from '../store/store.ts'
import { dropLeftVersions, enrichDocumentsMax, executePolicy, withPolicyLock } from './execute.ts'
import { matchKeying } from './keys/match.ts'
import { enrichTables } from './lookup.ts'
import { enrichPolicies } from './policy.ts'
import { newVersion, putRows } from './tables.ts'

let directory: string
let store: Store

const policy = { type: 'match', indices: ['i'], match_field: 'k', enrich_fields: ['v'] } as const
const index = { name: 'i', mapping: {} }

/** So many documents, all under one of ten keys, in batches. */
function matching(count: number, failAfter = Number.POSITIVE_INFINITY) {
  const at = (n: number): MatchingDocument => ({
    index,
    id: String(n),
    seqNo: n,
    version: 1,
    routing: '',
    source: Buffer.from(JSON.stringify({ k: n % 10, v: n, other: 'x' })),
  })
  return {
    total: count,
    async *batches() {
      for (let from = 0; from < count; from += 100) {
        if (from >= failAfter) throw new Error('the engine is gone')
        yield Array.from({ length: Math.min(100, count - from) }, (_, n) => at(from + n))
      }
    },
  }
}

const collections = () => [1, 2, 3].map((id) => store.collection(`enrich_rows/${id}`).firstKeys(10_000).length)
const found = (value: unknown, max = 128) => enrichTables(store, store).find('p', value, max)
const services = () => ({ store, now: () => 5 })

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'logstack-enrich-'))
  store = createStore(directory)
  await store.transaction(() => enrichPolicies(store).put('p', { policy }))
})

afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

it('keeps a table through a restart, and of each key as much as a lookup gives', async () => {
  await executePolicy(services(), 'p', matching(3000), {})
  await store.close()
  store = createStore(directory)
  expect(found(7)).toHaveLength(128)
  expect(found('7', 2)).toEqual([
    { k: 7, v: 7 },
    { k: 7, v: 17 },
  ])
  expect(found(10)).toEqual([])
  expect(enrichPolicies(store).get('p')?.version).toEqual({ id: 1, executedAtMs: 5, documents: 3000, shape: {} })
})

it('drops the version of before when the next one is there, and the next one when it fails', async () => {
  await executePolicy(services(), 'p', matching(200), {})
  await executePolicy(services(), 'p', matching(100), {})
  expect(collections()).toEqual([0, 110, 0])
  await expect(executePolicy(services(), 'p', matching(500, 300), {})).rejects.toThrow('the engine is gone')
  expect(collections()).toEqual([0, 110, 0])
  expect(found(3)).toHaveLength(10)
})

it('drops what a crash left', async () => {
  await executePolicy(services(), 'p', matching(100), {})
  const left = await newVersion(store, 'p')
  await store.transaction(() =>
    putRows(store, left, matchKeying, { at: 0, shape: {} }, [{ values: ['a'], json: '{}' }]),
  )
  expect(collections()).toEqual([110, 2, 0])
  await dropLeftVersions(store)
  expect(collections()).toEqual([110, 0, 0])
})

it('executes a policy once at a time, and none that names too much', async () => {
  await withPolicyLock(store, 'p', async () => {
    await expect(withPolicyLock(store, 'p', async () => undefined)).rejects.toThrow('already in progress')
  })
  const tooMany = { ...matching(0), total: enrichDocumentsMax + 1 }
  await expect(executePolicy(services(), 'p', tooMany, {})).rejects.toThrow('a table has at most')
})
