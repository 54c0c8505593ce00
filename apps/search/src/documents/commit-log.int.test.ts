import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStore } from '../store/lmdb-store.ts'
import type { Store } from '../store/store.ts'
import { CommitLog, type CommitRecord } from './commit-log.ts'

let directory: string
let store: Store

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'logstack-commit-log-'))
  store = createStore(directory)
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

function recordOf(seq: number): CommitRecord {
  const segment = { tableId: 1, table: 't', partition: 0, file: `${seq}`, bytes: 1, checksum: 0, columns: [], rows: 1 }
  return { seq, segments: [{ ...segment, firstSeq: seq, lastSeq: seq }], dead: [] }
}

/** A store of which a transaction is written, but does not end before `until` has. */
function slow(until: () => Promise<void>): Store {
  return {
    collection: (name) => store.collection(name),
    close: () => store.close(),
    async transaction(work) {
      const result = await store.transaction(work)
      await until()
      return result
    },
  }
}

test.each(['flush', 'begin'] as const)(
  'what is noted as inserted while a transaction is being written (%s) goes with the next one',
  async (which) => {
    let between: () => void = () => undefined
    const log = new CommitLog(slow(async () => between()))
    const [first, second] = [recordOf(1), recordOf(2)]
    await log.begin(first, 2, new Map())
    await log.begin(second, 3, new Map())
    log.inserted(first)
    between = () => log.inserted(second)
    if (which === 'flush') await log.flush()
    else await log.begin(recordOf(3), 4, new Map())
    between = () => undefined
    expect(log.records().map(({ seq }) => seq)).toContain(2)
    await log.flush()
    expect(log.records().map(({ seq }) => seq)).toEqual(which === 'flush' ? [] : [3])
  },
)
