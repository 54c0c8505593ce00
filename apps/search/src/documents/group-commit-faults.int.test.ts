import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, searchErrors } from '@logstack/errors'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import type { Engine, Segment } from '../engine/engine.ts'
import { sql } from '../sql/sql.ts'
import { index, OpenDocuments, type OpenOptions, remove, temporaryDirectories, update } from './documents.fixture.ts'
import type { WriteOperation } from './write-operation.ts'

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

const diskFull = new AppError(searchErrors.engine_disk_full, 'the disk of the data directory is full')
const refused = new AppError(searchErrors.engine_query_failed, 'the engine could not run the statement: SOMETHING')

/** An engine whose inserts ask first; `after` says that the rows are in all the same. */
function asking(fails: (segment: Segment) => Error | undefined, after = false): (inner: Engine) => Engine {
  return (inner) => ({
    ...inner,
    async insertSegment(segment) {
      const error = fails(segment)
      if (error === undefined || after) await inner.insertSegment(segment)
      if (error !== undefined) throw error
    },
  })
}

/** Fails so often, with these errors. */
function failing(...errors: readonly Error[]): () => Error | undefined {
  const left = [...errors]
  return () => left.shift()
}

const quick = { applyRetryMs: 10 }
const rowsIn = sql`SELECT count() FROM events_1`

it.each([
  ['before', false],
  ['after', true],
] as const)('carries out what it answered when the insert failed %s the rows were in', async (_, after) => {
  await outcome(index('1', { a: 1 }))
  await reopen({ wrap: asking(failing(diskFull), after), limits: quick })
  expect(await outcome(index('1', { a: 2 }), index('2', {}))).toEqual([
    ['updated', 2, 1, 200],
    ['created', 1, 2, 201],
  ])
  const expected = { 1: '{"a":2}', 2: '{}' }
  await expect.poll(() => opened.sources(), { timeout: 60_000 }).toEqual(expected)
  await reopen()
  expect(await opened.sources()).toEqual(expected)
  await expect.poll(() => opened.engine.rows(rowsIn), { timeout: 60_000 }).toEqual([[2]])
})

it('carries out at the next start what the engine did not take until the end', async () => {
  await reopen({ wrap: asking(() => diskFull), limits: quick })
  expect(await outcome(index('1', { a: 1 }), index('2', {}, { index: 'others' }))).toHaveLength(2)
  expect(await outcome(update('1', { doc: { b: 2 } }), remove('2', { index: 'others' }))).toEqual([
    ['updated', 2, 1, 200],
    ['deleted', 2, 1, 200],
  ])
  expect(await opened.sources()).toEqual({})
  await reopen()
  expect(await opened.sources()).toEqual({ 1: '{"a":1,"b":2}' })
})

it('inserts what does not fit into memory without indexes, also at the next start', async () => {
  const tooLarge = new AppError(searchErrors.circuit_breaking_exception, '[request] Data too large')
  const fits = ({ isIndexedLater }: Segment): boolean => isIndexedLater === true
  const wrap = asking((segment) => (fits(segment) ? undefined : tooLarge))
  await reopen({ wrap, limits: quick })
  await outcome(index('1', { a: 1 }))
  await expect.poll(() => opened.sources(), { timeout: 60_000 }).toEqual({ 1: '{"a":1}' })
  await reopen({ wrap: asking(() => diskFull), limits: quick })
  await outcome(index('2', { a: 2 }))
  await reopen({ wrap })
  expect(await opened.sources()).toEqual({ 1: '{"a":1}', 2: '{"a":2}' })
})

it('puts aside what the engine refuses for its content, and goes on', async () => {
  // The second field's column.
  const isBad = ({ columns }: Segment): boolean => columns.some(({ name }) => name.startsWith('c2_'))
  await reopen({
    wrap: asking((segment) => (isBad(segment) ? refused : undefined)),
    limits: { ...quick, applyAttemptsMax: 2 },
  })
  await outcome(index('1', { a: 1 }))
  await outcome(index('2', { bad: 1 }))
  await outcome(index('3', { a: 3 }))
  await expect.poll(() => opened.sources(), { timeout: 60_000 }).toEqual({ 1: '{"a":1}', 3: '{"a":3}' })
  const kept = (): string[] =>
    readdirSync(join(opened.directory, 'segments')).filter((name) => name.endsWith('.refused'))
  expect(kept()).toHaveLength(1)
  await reopen()
  expect(await opened.sources()).toEqual({ 1: '{"a":1}', 3: '{"a":3}' })
  expect(kept()).toHaveLength(1)
})

it('takes no more than there is room for while the engine takes nothing', async () => {
  let error: Error | undefined = diskFull
  await reopen({ wrap: asking(() => error), limits: { ...quick, pendingBytesMax: 1 } })
  expect(await outcome(index('1', { a: 1 }))).toEqual([['created', 1, 0, 201]])
  const block =
    'index [books] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];'
  expect(await outcome(index('2', {}))).toEqual([['cluster_block_exception', block]])
  error = undefined
  await expect.poll(() => opened.sources(), { timeout: 60_000 }).toEqual({ 1: '{"a":1}' })
  expect(await outcome(index('2', {}))).toEqual([['created', 1, 1, 201]])
})

it('answers at once, takes several commits to the engine in one insert, and shows them to who reads', async () => {
  const files: number[] = []
  const counting = asking((segment) => {
    files.push(segment.files.length)
    return undefined
  })
  await reopen({ wrap: counting, limits: { refreshIntervalMs: 3_600_000 } })
  for (const [at, source] of [{ a: 1 }, { b: 'x', long: 'one two' }, { c: [1, 2] }].entries())
    await outcome(index(String(at), source))
  await outcome(update('0', { doc: { d: 4 } }), remove('2'))
  expect(files).toEqual([])
  const books = opened.index('books')
  const read = await opened.documents.get(books, ['0', '1', '2', '3'])
  expect(read.map((document) => document && [document.version, document.source.toString()])).toEqual([
    [2, '{"a":1,"d":4}'],
    [1, '{"b":"x","long":"one two"}'],
    undefined,
    undefined,
  ])
  expect(opened.documents.checkpoint(books)).toBe(-1)
  expect(await opened.sources()).toEqual({ 0: '{"a":1,"d":4}', 1: '{"b":"x","long":"one two"}' })
  expect(opened.documents.checkpoint(books)).toBe(4)
  expect(files).toEqual([4])
  const parts = sql`SELECT count() FROM system.parts WHERE active AND table = 'events_1' AND rows > 0`
  expect(await opened.engine.rows(parts)).toEqual([[1]])
})

it('lets reads go on with what is there when an insert takes long, and a refresh wait for it', async () => {
  let release: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const slow = (inner: Engine): Engine => ({
    ...inner,
    insertSegment: async (segment) => {
      await gate
      return inner.insertSegment(segment)
    },
  })
  await reopen({ wrap: slow, limits: { readWaitMs: 20 } })
  expect(await outcome(index('1', { a: 1 }))).toEqual([['created', 1, 0, 201]])
  expect(await opened.sources()).toEqual({})
  let isRefreshed = false
  const refreshed = opened.documents.refreshed([opened.index('books').table]).then(() => {
    isRefreshed = true
  })
  expect(await opened.sources()).toEqual({})
  expect(isRefreshed).toBe(false)
  release()
  await refreshed
  expect(await opened.sources()).toEqual({ 1: '{"a":1}' })
})

it('finds, replaces and deletes what was written without an id before the engine has it', async () => {
  await reopen({ limits: { refreshIntervalMs: 3_600_000 } })
  const add = async (): Promise<string> => (await opened.documents.apply([index(undefined, { a: 1 })]))[0]?.id ?? ''
  const [read, replaced, updated, removed] = [await add(), await add(), await add(), await add()]
  const [found] = await opened.documents.get(opened.index('books'), [read])
  expect([found?.id, found?.version]).toEqual([read, 1])
  expect(await outcome(index(replaced, { a: 2 }))).toEqual([['updated', 2, 4, 200]])
  expect(await outcome(update(updated, { doc: { b: 1 } }))).toEqual([['updated', 2, 5, 200]])
  expect(await outcome(remove(removed))).toEqual([['deleted', 2, 6, 200]])
  expect(await opened.sources()).toEqual({ [read]: '{"a":1}', [replaced]: '{"a":2}', [updated]: '{"a":1,"b":1}' })
})

it('refuses to write over a document of unknown state while the engine takes nothing', async () => {
  let isBroken = true
  await reopen({ wrap: asking(() => (isBroken ? refused : undefined)), limits: { ...quick, applyAttemptsMax: 1e6 } })
  const [added] = await opened.documents.apply([index(undefined, { a: 1 })])
  const id = added?.id ?? ''
  expect(await outcome(index(id, { a: 2 }))).toEqual([['engine_query_failed', refused.message]])
  isBroken = false
  await expect.poll(() => opened.sources(), { timeout: 60_000 }).toEqual({ [id]: '{"a":1}' })
  expect(await outcome(index(id, { a: 2 }))).toEqual([['updated', 2, 1, 200]])
})
