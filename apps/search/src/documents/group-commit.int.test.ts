import { readdirSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { AppError, searchErrors } from '@logstack/errors'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { ident, join, sql } from '../sql/sql.ts'
import { index, OpenDocuments, type OpenOptions, remove, temporaryDirectories, update } from './documents.fixture.ts'
import type { Visibility } from './visibility.ts'
import { visibleSql } from './visibility.ts'
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

it('indexes, replaces, creates and deletes with versions and sequence numbers as Elasticsearch counts them', async () => {
  expect(await outcome(index('1', { a: 1 }), index('1', { a: 2 }), index('2', { a: 3 }))).toEqual([
    ['created', 1, 0, 201],
    ['updated', 2, 1, 200],
    ['created', 1, 2, 201],
  ])
  expect(await outcome(index('1', { a: 4 }, { action: 'create' }), index('3', {}, { action: 'create' }))).toEqual([
    ['version_conflict_engine_exception', '[1]: version conflict, document already exists (current version [2])'],
    ['created', 1, 3, 201],
  ])
  expect(await outcome(remove('1'), remove('1'), remove('never'), index('1', { a: 5 }))).toEqual([
    ['deleted', 3, 4, 200],
    ['not_found', 4, 5, 404],
    ['not_found', 1, 6, 404],
    ['created', 5, 7, 201],
  ])
  expect(await opened.sources()).toEqual({ 1: '{"a":5}', 2: '{"a":3}', 3: '{}' })
  const meta = opened.index('books')
  expect(opened.documents.checkpoint(meta)).toBe(7)
  expect(
    (await opened.documents.get(meta, ['2', 'never', '1'])).map((found) => found && [found.version, found.seqNo]),
  ).toEqual([[1, 2], undefined, [5, 7]])
})

it('checks sequence numbers and external versions', async () => {
  await outcome(index('1', { a: 1 }), index('1', { a: 2 }))
  expect(
    await outcome(
      index('1', {}, { ifSeqNo: 0, ifPrimaryTerm: 1 }),
      index('9', {}, { ifSeqNo: 5, ifPrimaryTerm: 1 }),
      remove('1', { ifSeqNo: 1, ifPrimaryTerm: 2 }),
      index('1', { a: 3 }, { ifSeqNo: 1, ifPrimaryTerm: 1 }),
      index('1', {}, { ifSeqNo: 2 }),
    ),
  ).toEqual([
    [
      'version_conflict_engine_exception',
      '[1]: version conflict, required seqNo [0], primary term [1]. current document has seqNo [1] and primary term [1]',
    ],
    [
      'version_conflict_engine_exception',
      '[9]: version conflict, required seqNo [5], primary term [1]. but no document was found',
    ],
    [
      'version_conflict_engine_exception',
      '[1]: version conflict, required seqNo [1], primary term [2]. current document has seqNo [1] and primary term [1]',
    ],
    ['updated', 3, 2, 200],
    ['action_request_validation_exception', 'Validation Failed: 1: ifSeqNo is set, but primary term is [0];'],
  ])
  const external = (version: number, versionType: 'external' | 'external_gte' = 'external') => ({
    version,
    versionType,
  })
  expect(
    await outcome(
      index('e', {}, external(5)),
      index('e', {}, external(5)),
      index('e', { b: 1 }, external(5, 'external_gte')),
      remove('e', external(4, 'external_gte')),
      remove('e', external(6)),
      index('e', {}, { version: 1 }),
    ),
  ).toEqual([
    ['created', 5, 3, 201],
    [
      'version_conflict_engine_exception',
      '[e]: version conflict, current version [5] is higher or equal to the one provided [5]',
    ],
    ['updated', 5, 4, 200],
    [
      'version_conflict_engine_exception',
      '[e]: version conflict, current version [5] is higher than the one provided [4]',
    ],
    ['deleted', 6, 5, 200],
    [
      'action_request_validation_exception',
      'Validation Failed: 1: internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead;',
    ],
  ])
})

it('updates by partial documents, scripts and upserts', async () => {
  const raise: NonNullable<WriteOperation['update']>['script'] = (ctx) => {
    ctx._source['n'] = Number(ctx._source['n'] ?? 0) + 1
  }
  expect(
    await outcome(
      update('1', { doc: { n: 1 } }),
      update('1', { doc: { n: 1, o: { x: 1 } }, docAsUpsert: true }),
      update('1', { doc: { o: { x: 1 } } }),
      update('1', { doc: { o: { y: 2 } } }),
      update('1', { doc: { n: 1 }, detectNoop: false }),
      update('1', { script: raise }),
      update('2', { script: raise, upsert: { n: 10 } }),
      update('3', { script: raise, upsert: { n: 10 }, scriptedUpsert: true }),
    ),
  ).toEqual([
    ['document_missing_exception', '[1]: document missing'],
    ['created', 1, 0, 201],
    ['noop', 1, 0, 200],
    ['updated', 2, 1, 200],
    ['updated', 3, 2, 200],
    ['updated', 4, 3, 200],
    ['created', 1, 4, 201],
    ['created', 1, 5, 201],
  ])
  const operation = (op: string) => update('2', { script: (ctx) => Object.assign(ctx, { op }) })
  expect(await outcome(operation('none'), operation('delete'))).toEqual([
    ['noop', 1, 4, 200],
    ['deleted', 2, 6, 200],
  ])
  const [last] = await opened.documents.apply([update('3', { doc: { big: 9007199254740993n } })])
  expect(last && 'source' in last && String(last.source)).toBe('{"n":11,"big":9007199254740993}')
  expect(await opened.sources()).toEqual({ 1: '{"n":2,"o":{"x":1,"y":2}}', 3: '{"n":11,"big":9007199254740993}' })
})

it('keeps the bytes of a source, several values, and the time of arrival where a document has none', async () => {
  const source = '{ "@timestamp" : "2026-11-21T10:00:00Z", "tags":["a","b"] ,"n":1.0}'
  await opened.documents.apply([
    { action: 'index', index: 'books', id: '1', source: Buffer.from(source), routing: 'r' },
    index('2', { tags: 'c' }),
  ])
  const columns = opened.catalogue.table(1).columns.find(({ path }) => path === 'tags')
  expect(columns?.manyName).toBeDefined()
  await opened.documents.shown([1])
  const rows = await opened.engine.rows(
    sql`SELECT _id, _source, _routing, _time, c2_x, m2_x FROM events_1 ORDER BY _id`,
  )
  expect(rows).toEqual([
    ['1', source, 'r', Date.parse('2026-11-21T10:00:00Z'), null, ['a', 'b']],
    ['2', '{"tags":"c"}', '', opened.clock.nowMs, 'c', []],
  ])
})

it('keeps replaced rows while a read that began before holds them, and deletes them afterwards', async () => {
  const write = async (operation: WriteOperation): Promise<void> => {
    await opened.documents.apply([operation])
    await opened.documents.shown([1])
  }
  await write(index('1', { a: 1 }))
  const release = opened.documents.hold()
  const before = opened.documents.visibility(1)
  const read = async (snapshot: Visibility): Promise<unknown> =>
    (await opened.engine.rows(sql`SELECT _source FROM events_1 WHERE ${visibleSql(snapshot)} ORDER BY _seq`)).flat()
  await write(index('1', { a: 2 }))
  const between = opened.documents.hold()
  const kept = opened.documents.visibility(1)
  await write(index('1', { a: 3 }))
  await write(index('2', { b: 1 }))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect([await read(before), await read(kept)]).toEqual([['{"a":1}'], ['{"a":2}']])
  release()
  await expect.poll(() => read(before)).toEqual([])
  expect(await read(kept)).toEqual(['{"a":2}'])
  const renewed = opened.documents.hold([kept])
  between()
  await write(remove('2'))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(await read(kept)).toEqual(['{"a":2}'])
  renewed()
  await expect.poll(() => read(kept)).toEqual([])
  expect(await read(opened.documents.visibility(1))).toEqual(['{"a":3}'])
})

it('gives automatic ids, answers per item, and lets bad documents fail alone', async () => {
  const results = await opened.documents.apply([
    index(undefined, { n: 1 }),
    { action: 'index', index: 'books', source: Buffer.from('{"n":') },
    index(undefined, { n: 'text' }),
    index('', {}),
    index('x'.repeat(513), {}),
    index(undefined, { n: 2 }),
    { ...remove('1'), index: 'absent' },
    index('1', {}, { index: 'closed' }),
    index('1', {}, { index: 'blocked' }),
    index('1', {}, { pipeline: 'geo' }),
  ])
  const codes = results
    .map((result) => ('error' in result ? result.error : undefined))
    .map((error) => (error instanceof AppError ? error.code : error))
  expect(codes).toEqual([
    undefined,
    'document_parsing_exception',
    'document_parsing_exception',
    'illegal_argument_exception',
    'illegal_argument_exception',
    undefined,
    'index_not_found_exception',
    'index_closed_exception',
    'cluster_block_exception',
    'illegal_argument_exception',
  ])
  expect(results[0]?.id).toMatch(/^[-_0-9A-Za-z]{20}$/)
  expect(Object.values(await opened.sources())).toEqual(['{"n":1}', '{"n":2}'])
  expect(
    results.map((result) => ('seqNo' in result ? result.seqNo : undefined)).filter((seqNo) => seqNo !== undefined),
  ).toEqual([0, 1])
})

it('lets data streams only grow, and wants a time', async () => {
  const event = { '@timestamp': '2026-11-21T10:00:00Z' }
  const stream = { index: 'stream-logs' }
  expect(
    await outcome(
      index(undefined, event, { ...stream, action: 'create' }),
      index(undefined, { a: 1 }, { ...stream, action: 'create' }),
      index('1', event, stream),
      remove('1', stream),
      index('1', {}, { requireDataStream: true }),
    ),
  ).toEqual([
    ['created', 1, 0, 201],
    ['document_parsing_exception', '[1:1] failed to parse: data stream timestamp field [@timestamp] is missing'],
    ['illegal_argument_exception', 'only write ops with an op_type of create are allowed in data streams'],
    ['illegal_argument_exception', 'only write ops with an op_type of create are allowed in data streams'],
    [
      'index_not_found_exception',
      'no such index [books] and [require_data_stream] request flag is [true] and [books] is not a data stream',
    ],
  ])
})

it('serves many requests at once in order, across tables, slots and batches', async () => {
  await reopen({ limits: { batchOperationsMax: 7, commitIntervalMs: 0 } })
  const requests = Array.from({ length: 20 }, (_, request) =>
    opened.documents.apply(
      Array.from({ length: 10 }, (_none, at) =>
        index(`id${at}`, { request }, { index: at % 2 === 0 ? 'books' : 'others' }),
      ),
    ),
  )
  const answers = await Promise.all(requests)
  const versions = answers.map((results) => results.map((result) => ('version' in result ? result.version : -1)))
  expect(versions).toEqual(Array.from({ length: 20 }, (_, request) => new Array(10).fill(request + 1)))
  await opened.documents.shown([1])
  const rows = await opened.engine.rows(
    sql`SELECT _slot, count(), uniqExact(_id), min(_version) FROM events_1 WHERE ${visibleSql(opened.documents.visibility(1))} GROUP BY _slot ORDER BY _slot`,
  )
  expect(rows).toEqual([
    [0, 5, 5, 20],
    [1, 5, 5, 20],
  ])
})

it('stores what it was given when one batch takes the memory of another', async () => {
  await reopen({ limits: { batchOperationsMax: 1_500, smallBatchOperations: 100, commitIntervalMs: 0 } })
  const source = (at: number) => ({ title: `title ${at} ${'x'.repeat(at % 50)}`, tags: [`a${at}`, 'b'], number: at })
  const requests = Array.from({ length: 6 }, (_, request) =>
    opened.documents.apply(
      Array.from({ length: 1_000 }, (_none, at) => index(`${request * 1_000 + at}`, source(request * 1_000 + at))),
    ),
  )
  const answers = (await Promise.all(requests)).flat()
  expect(answers.filter((result) => 'error' in result)).toEqual([])
  const stored = await opened.sources()
  const given = Array.from({ length: 6_000 }, (_, at) => [`${at}`, JSON.stringify(source(at))])
  expect(stored).toEqual(Object.fromEntries(given))
  const columns = opened.catalogue.table(1).columns
  const of = (path: string, type: string) => columns.find((one) => one.path === path && one.type === type)
  const names = [of('title', 'string')?.name, of('tags', 'string')?.manyName, of('number', 'long')?.name]
  const rows = await opened.engine.rows(
    sql`SELECT _id, ${join(
      names.map((name) => ident(name ?? '')),
      ', ',
    )} FROM events_1 ORDER BY toUInt32(_id)`,
  )
  const wanted = Array.from({ length: 6_000 }, (_, at) => {
    const { title, tags, number } = source(at)
    return [`${at}`, title, tags, number]
  })
  expect(rows.map(([id, title, tags, number]) => [id, title, tags, Number(number)])).toEqual(wanted)
})

it('deletes replaced rows in the engine later, forgets finished commits and removes segments', async () => {
  await outcome(index('1', { a: 1 }), index('2', { a: 1 }))
  await outcome(index('1', { a: 2 }), remove('2'))
  await opened.documents.shown([1])
  const hidden = opened.documents.visibility(1)
  expect(hidden.dead.length).toBe(2)
  await expect.poll(() => opened.documents.visibility(1).dead).toEqual([])
  expect(await opened.engine.rows(sql`SELECT _id, _version FROM events_1`)).toEqual([['1', 2]])
  await expect.poll(() => [...opened.store.collection('commits').entries()]).toEqual([])
  // The reserve is not a segment: it keeps room for the catalogue when the disk is full.
  expect(readdirSync(joinPath(opened.directory, 'segments'))).toEqual(['reserve'])
})

it('tries again with the new mapping when somebody else changed it meanwhile, then refuses only what does not fit', async () => {
  let merges = 0
  opened.catalogue.beforeMerge = () => {
    merges += 1
    if (merges === 1) throw new AppError(searchErrors.illegal_argument_exception, 'mapper [n] cannot be changed')
  }
  expect(await outcome(index('1', { n: 1 }))).toEqual([['created', 1, 0, 201]])
  expect(merges).toBe(2)
  opened.catalogue.beforeMerge = ({ name }) => {
    if (name === 'books') throw new AppError(searchErrors.illegal_argument_exception, 'mapper [m] cannot be changed')
  }
  expect(await outcome(index('2', { m: 1 }), index('3', { n: 2 }, { index: 'others' }))).toEqual([
    ['illegal_argument_exception', 'mapper [m] cannot be changed'],
    ['created', 1, 0, 201],
  ])
  expect(await opened.sources()).toEqual({ 1: '{"n":1}', 3: '{"n":2}' })
})

it('refuses what does not fit its queue, and takes it when the queue has emptied', async () => {
  await reopen({ limits: { waitingOperationsMax: 3 } })
  const first = opened.documents.apply([index('1', {}), index('2', {})])
  await expect(opened.documents.apply([index('3', {}), index('4', {})])).rejects.toMatchObject({
    code: 'es_rejected_execution_exception',
  })
  await first
  expect(await outcome(index('3', {}), index('4', {}))).toEqual([
    ['created', 1, 2, 201],
    ['created', 1, 3, 201],
  ])
})

it('wakes who waits for new documents', async () => {
  await outcome(index('1', {}))
  const meta = opened.index('books')
  expect(await opened.documents.waitForCheckpoint(meta, -1, 60_000)).toBe(0)
  const waiting = opened.documents.waitForCheckpoint(meta, 0, 60_000)
  await outcome(index('other', {}, { index: 'others' }), index('2', {}))
  expect(await waiting).toBe(1)
  expect(await opened.documents.waitForCheckpoint(meta, 1, 1)).toBe(1)
  expect(await opened.documents.waitForCheckpoint(meta, 1, 60_000, AbortSignal.timeout(1))).toBe(1)
})

it('forgets the versions of deleted documents after a while', async () => {
  await outcome(index('1', {}))
  await outcome(remove('1'))
  await opened.documents.shown([1])
  opened.clock.nowMs += 61_000
  expect(await outcome(index('1', {}))).toEqual([['created', 1, 2, 201]])
})

it('goes on after a restart with the next numbers', async () => {
  await outcome(index('1', { a: 1 }), index('2', {}), remove('2'))
  await reopen()
  const meta = opened.index('books')
  expect(opened.documents.checkpoint(meta)).toBe(2)
  expect(await outcome(index('1', { a: 2 }))).toEqual([['updated', 2, 3, 200]])
  expect(await opened.documents.stats(meta)).toMatchObject({ documents: 1 })
})
