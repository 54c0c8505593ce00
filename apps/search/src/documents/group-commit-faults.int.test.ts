import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, searchErrors } from '@logstack/errors'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import type { Engine } from '../engine/engine.ts'
import { sql } from '../sql/sql.ts'
import { index, OpenDocuments, type OpenOptions, temporaryDirectories, update } from './documents.fixture.ts'
import type { WriteOperation } from './documents.ts'

const directories = temporaryDirectories()
let opened: OpenDocuments
beforeEach(async () => {
  opened = await OpenDocuments.open(directories.next())
})
afterEach(() => opened.close())
afterAll(() => directories.remove())

/** Closes and opens again, the same directory or a new one. */
async function reopen(options: OpenOptions = {}): Promise<void> {
  await opened.close()
  opened = await OpenDocuments.open(opened.directory, options)
}

const outcome = (...operations: WriteOperation[]): Promise<unknown[]> => opened.outcome(...operations)

it('removes the rows of deleted indices, and no others', async () => {
  await reopen({ limits: { sweepIntervalMs: 50, purgeDelayMs: 60_000 } })
  await outcome(index('1', { a: 1 }), index('1', { a: 2 }, { index: 'same-slot' }), index('2', {}, { index: 'others' }))
  await outcome(index('1', { a: 3 }, { index: 'same-slot' }))
  const meta = opened.index('books')
  await opened.catalogue.deleteIndex(meta)
  const raw = sql`SELECT _source FROM events_1 ORDER BY _seq`
  await expect.poll(() => opened.engine.rows(raw)).toEqual([['{"a":2}'], ['{}'], ['{"a":3}']])
  expect(Object.values(await opened.sources()).sort()).toEqual(['{"a":3}', '{}'])
  expect(await outcome(index('1', { a: 4 }))).toEqual([['created', 1, 0, 201]])
})

/** An engine whose next insert fails, before the rows are in or after. */
function failing(when: 'before' | 'after'): (inner: Engine) => Engine {
  let failures = 1
  return (inner) => ({
    ...inner,
    async insertSegment(segment) {
      const fails = failures > 0
      failures -= 1
      if (!fails || when === 'after') await inner.insertSegment(segment)
      if (fails) throw new AppError(searchErrors.engine_disk_full, 'the disk of the data directory is full')
    },
  })
}

it.each(['before', 'after'] as const)(
  'shows nothing of a batch whose insert failed %s the rows were in, and goes on',
  async (when) => {
    await outcome(index('1', { a: 1 }))
    await reopen({ wrap: failing(when) })
    const failed = outcome(index('1', { a: 2 }), index('2', {}))
    const block =
      'index [books] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];'
    expect(await failed).toEqual([
      ['cluster_block_exception', block],
      ['cluster_block_exception', block],
    ])
    expect(await outcome(index('1', { a: 3 }), index('3', {}))).toEqual([
      ['updated', 2, 3, 200],
      ['created', 1, 4, 201],
    ])
    const expected = { 1: '{"a":3}', 3: '{}' }
    expect(await opened.sources()).toEqual(expected)
    await reopen()
    expect(await opened.sources()).toEqual(expected)
    await expect.poll(() => opened.engine.rows(sql`SELECT count() FROM events_1`)).toEqual([[2]])
  },
)

it('works a batch out again when the batch before it, on which it was built, failed', async () => {
  let release: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  let inserts = 0
  await reopen({
    limits: { commitIntervalMs: 0 },
    wrap: (inner) => ({
      ...inner,
      async insertSegment(segment) {
        inserts += 1
        if (inserts > 1) return inner.insertSegment(segment)
        await gate
        throw new AppError(searchErrors.engine_query_failed, 'the engine could not run the statement: SOMETHING')
      },
    }),
  })
  const first = outcome(index('1', { a: 1 }))
  await expect.poll(() => inserts).toBe(1)
  const second = outcome(index('1', { a: 2 }), update('1', { doc: { b: 1 } }))
  await expect.poll(() => readdirSync(join(opened.directory, 'segments')).length).toBe(2)
  release()
  expect(await first).toEqual([['engine_query_failed', 'the engine could not run the statement: SOMETHING']])
  expect(await second).toEqual([
    ['created', 1, 1, 201],
    ['updated', 2, 2, 200],
  ])
  expect(await opened.sources()).toEqual({ 1: '{"a":2,"b":1}' })
})

it('shows nothing of a batch of which one segment of several failed, and goes on', async () => {
  await reopen({ wrap: failing('before') })
  const failed = await outcome(index('1', { a: 1 }), index('2', { a: 2 }, { index: 'others' }))
  const block = ['cluster_block_exception', expect.any(String)]
  expect(failed).toEqual([block, block])
  expect(await opened.sources()).toEqual({})
  const created = ['created', 1, 1, 201]
  expect(await outcome(index('1', { a: 3 }), index('2', { a: 4 }, { index: 'others' }))).toEqual([created, created])
  await reopen()
  expect(await opened.sources()).toEqual({ 1: '{"a":3}', 2: '{"a":4}' })
})
