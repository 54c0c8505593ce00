import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type WireClient, wireClient } from '../testing/https-client.ts'

/** Snapshots over the wire, on the real engine: what goes in comes out, and what is damaged is said to be. */

const folder = mkdtempSync(join(tmpdir(), 'logstack-snapshots-'))
let search: TestSearch
let client: WireClient

beforeAll(async () => {
  search = await startSearch({ env: { LOGSTACK_SEARCH_PATH_REPO: folder } })
  const auth = `${search.username}:${search.password}`
  client = wireClient({ port: Number(new URL(search.url).port), ca: search.ca, auth })
})
afterAll(async () => {
  client.close()
  await search.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; json: Record<string, never> }> {
  const answer = await client.send(path, { method, ...(body === undefined ? {} : { body }) })
  return { status: answer.status, json: Object(answer.json()) }
}

async function reason(method: string, path: string, body?: object): Promise<[number, string, string]> {
  const { status, json } = await ask(method, path, body)
  return [status, Object(json)['error']?.type, Object(json)['error']?.reason]
}

/** Status and type of an error, for where its words are not looked at. */
async function refusal(method: string, path: string, body?: object): Promise<string> {
  const [status, type] = await reason(method, path, body)
  return `${status} ${type}`
}

async function bulk(index: string, from: number, to: number): Promise<void> {
  const lines = Array.from({ length: to - from }, (_, at) => {
    const id = from + at
    const source = {
      '@timestamp': 1_700_000_000_000 + id,
      n: id,
      words: [`w${id}`, 'all'],
      host: { name: `h${id % 3}` },
    }
    return `${JSON.stringify({ index: { _index: index, _id: String(id) } })}\n${JSON.stringify(source)}\n`
  })
  const answer = await client.send('/_bulk', {
    method: 'POST',
    body: lines.join(''),
    headers: { 'content-type': 'application/x-ndjson' },
  })
  expect(Object(answer.json())['errors']).toBe(false)
}

const make = (name: string, body: object = {}, repository = 'backup') =>
  ask('PUT', `/_snapshot/${repository}/${name}?wait_for_completion=true`, body)
const restore = (name: string, body: object = {}) =>
  ask('POST', `/_snapshot/backup/${name}/_restore?wait_for_completion=true`, body)
const repository = (name: string, location: string) =>
  ask('PUT', `/_snapshot/${name}`, { type: 'fs', settings: { location } })
const blobs = (location: string): string[] =>
  readdirSync(join(folder, location, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Everything a client can see of the documents of an index. */
async function hits(index: string): Promise<unknown[]> {
  const { json } = await ask('POST', `/${index}/_search?version=true&seq_no_primary_term=true`, {
    size: 1000,
    sort: [{ n: 'asc' }],
    fields: ['words', 'host.name.keyword'],
  })
  return Object(json)['hits'].hits.map(({ _index, ...hit }: { _index: string }) => hit)
}

describe('repositories', () => {
  it('are folders below those that are allowed, and nothing else', async () => {
    expect((await repository('backup', 'backup')).json).toEqual({ acknowledged: true })
    expect((await ask('GET', '/_snapshot/backup')).json).toMatchObject({
      backup: { type: 'fs', uuid: expect.any(String), settings: { location: 'backup' } },
    })
    expect((await ask('POST', '/_snapshot/backup/_verify')).json).toEqual({
      nodes: {
        [String(Object.keys(Object((await ask('GET', '/_nodes')).json)['nodes'])[0])]: { name: 'logstack-search' },
      },
    })
    expect(await reason('PUT', '/_snapshot/out', { type: 'fs', settings: { location: '/etc' } })).toEqual([
      500,
      'repository_exception',
      "[out] location [/etc] doesn't match any of the locations specified by path.repo",
    ])
    expect(await refusal('PUT', '/_snapshot/out', { type: 'fs', settings: { location: '../up' } })).toBe(
      '500 repository_exception',
    )
    expect(await reason('PUT', '/_snapshot/cloud', { type: 's3', settings: { bucket: 'backups' } })).toEqual([
      500,
      'repository_exception',
      '[cloud] no store is named for repositories of type [s3]: set [s3.client.default.endpoint] in search.yml',
    ])
    expect(await reason('PUT', '/_snapshot/cloud', { type: 'gcs', settings: { bucket: 'backups' } })).toEqual([
      500,
      'repository_exception',
      '[cloud] repository type [gcs] does not exist: snapshots are kept in folders [fs] and in buckets [s3]',
    ])
    const odd = { type: 'fs', settings: { location: 'o', chunk_size: '1g' } }
    expect(await refusal('PUT', '/_snapshot/odd', odd)).toBe('500 repository_exception')
    expect(await reason('GET', '/_snapshot/none')).toEqual([404, 'repository_missing_exception', '[none] missing'])
    expect((await client.send('/_cat/repositories')).text).toBe('backup fs\n')
  })
})

let before: unknown[]

describe('a snapshot', () => {
  it('holds indices as they are, and gives them back as they were', async () => {
    await ask('PUT', '/books', {
      settings: { number_of_shards: 2, 'index.priority': 7 },
      mappings: { properties: { n: { type: 'long' } } },
      aliases: { library: {} },
    })
    await bulk('books', 0, 300)
    await bulk('books', 10, 20)
    await ask('DELETE', '/books/_doc/5')
    before = await hits('books')
    expect(before).toHaveLength(299)
    const made = await make('first', { indices: 'boo*', metadata: { by: 'test' }, include_global_state: false })
    expect(made.json).toMatchObject({
      snapshot: {
        snapshot: 'first',
        state: 'SUCCESS',
        indices: ['books'],
        include_global_state: false,
        metadata: { by: 'test' },
        failures: [],
        shards: { total: 2, failed: 0, successful: 2 },
      },
    })
    expect(await refusal('PUT', '/_snapshot/backup/first')).toBe('400 snapshot_name_already_in_use_exception')
    const [, , open] = await reason('POST', '/_snapshot/backup/first/_restore?wait_for_completion=true')
    expect(open).toMatch(/cannot restore index \[books\] because an open index with same name already exists/)
    const renamed = await restore('first', {
      rename_pattern: '(.+)s$',
      rename_replacement: 'old-$1',
      include_aliases: false,
      index_settings: { 'index.priority': 9 },
    })
    expect(renamed.json).toEqual({
      snapshot: { snapshot: 'first', indices: ['old-book'], shards: { total: 2, failed: 0, successful: 2 } },
    })
    expect(await hits('old-book')).toEqual(before)
    expect((await ask('GET', '/old-book')).json).toMatchObject({
      'old-book': { aliases: {}, settings: { index: { priority: '9', number_of_shards: '2' } } },
    })
  })

  it('goes on with sequence numbers and versions after it is restored', async () => {
    const last = Math.max(...before.map((hit) => Object(hit)['_seq_no']))
    expect((await ask('PUT', '/old-book/_doc/10', { n: 10 })).json).toMatchObject({ _version: 3, _seq_no: last + 2 })
    expect((await ask('GET', '/old-book/_count')).json).toMatchObject({ count: 299 })
    expect((await ask('GET', '/old-book/_recovery')).json).toMatchObject({
      'old-book': { shards: [{ type: 'SNAPSHOT', source: { snapshot: 'first', index: 'books' } }, {}] },
    })
  })

  it('writes again only what has changed, and takes the place of a closed index', async () => {
    const files = blobs('backup').length
    expect((await make('second', { indices: 'books', include_global_state: false })).status).toBe(200)
    expect(blobs('backup')).toHaveLength(files)
    await bulk('books', 300, 320)
    await make('third', { indices: 'books', include_global_state: false })
    const { json } = await ask('GET', '/_snapshot/backup/third/_status')
    expect(Object(json)['snapshots'][0].stats).toMatchObject({
      incremental: { file_count: 2 },
      total: { file_count: 2 },
    })
    await ask('POST', '/books/_close')
    expect((await restore('first', { indices: 'books' })).status).toBe(200)
    expect(await hits('books')).toEqual(before)
    expect(Object((await ask('GET', '/_alias/library')).json)).toHaveProperty('books')
  })
})

describe('a list of snapshots', () => {
  it('is sorted, paged and counted, and what is deleted takes the files along that no other uses', async () => {
    const list = async (query: string) =>
      Object((await ask('GET', `/_snapshot/backup/${query}`)).json)['snapshots'].map(
        (one: { snapshot: string }) => one.snapshot,
      )
    expect(await list('_all')).toEqual(['first', 'second', 'third'])
    expect(await list('*d?sort=name&order=desc')).toEqual(['third', 'second'])
    expect(await list('*,-first?size=1')).toEqual(['second'])
    expect(await list('none?ignore_unavailable=true')).toEqual([])
    expect(await reason('GET', '/_snapshot/backup/none')).toEqual([
      404,
      'snapshot_missing_exception',
      '[backup:none] is missing',
    ])
    expect((await client.send('/_cat/snapshots/backup?h=id,repository,status,total_shards')).text).toBe(
      'first  backup SUCCESS 2\nsecond backup SUCCESS 2\nthird  backup SUCCESS 2\n',
    )
    const files = blobs('backup').length
    await ask('DELETE', '/_snapshot/backup/second')
    expect(blobs('backup')).toHaveLength(files)
    await ask('DELETE', '/_snapshot/backup/third')
    expect(blobs('backup')).toHaveLength(2)
    expect((await ask('PUT', '/_snapshot/backup/first/_clone/copy', { indices: 'books' })).status).toBe(200)
    await ask('DELETE', '/_snapshot/backup/first')
    expect((await restore('copy', { rename_pattern: 'books', rename_replacement: 'again' })).status).toBe(200)
    expect(await hits('again')).toEqual(before)
    expect(await refusal('DELETE', '/_snapshot/backup/none')).toBe('404 snapshot_missing_exception')
  })

  it('refuses an unknown index and an unknown key', async () => {
    expect(await refusal('PUT', '/_snapshot/backup/x', { indices: 'nothing' })).toBe('404 index_not_found_exception')
    expect(await refusal('PUT', '/_snapshot/backup/x', { indexes: 'books' })).toBe('400 illegal_argument_exception')
    expect(await refusal('PUT', '/_snapshot/backup/Upper')).toBe('400 invalid_snapshot_name_exception')
    const restoring = (body: object) => refusal('POST', '/_snapshot/backup/copy/_restore', body)
    expect(await restoring({ indices: 'nothing' })).toBe('404 index_not_found_exception')
    expect(await restoring({ index_settings: { number_of_shards: 3 } })).toBe('500 snapshot_restore_exception')
    expect(await restoring({ rename_pattern: '(', rename_replacement: '' })).toBe('400 illegal_argument_exception')
  })
})

describe('a data stream and the state of the cluster', () => {
  it('come back with their templates and backing indices', async () => {
    await repository('whole', 'whole')
    await ask('PUT', '/_index_template/logs', { index_patterns: ['logs-*'], data_stream: {} })
    await ask('POST', '/logs-a/_doc', { '@timestamp': '2026-11-21T10:00:00Z', message: 'one' })
    await ask('POST', '/logs-a/_rollover')
    await ask('POST', '/logs-a/_doc', { '@timestamp': '2026-11-21T11:00:00Z', message: 'two' })
    expect((await make('all', { indices: 'logs-a' }, 'whole')).json).toMatchObject({
      snapshot: { data_streams: ['logs-a'], include_global_state: true, state: 'SUCCESS' },
    })
    await ask('DELETE', '/_data_stream/logs-a')
    await ask('DELETE', '/_index_template/logs')
    const back = await ask('POST', '/_snapshot/whole/all/_restore?wait_for_completion=true', {
      include_global_state: true,
    })
    expect(back.status).toBe(200)
    expect((await ask('GET', '/logs-a/_count')).json).toMatchObject({ count: 2 })
    expect((await ask('GET', '/_index_template/logs')).status).toBe(200)
    expect((await ask('POST', '/logs-a/_doc', { '@timestamp': '2026-11-21T12:00:00Z' })).status).toBe(201)
    expect((await ask('GET', '/_data_stream/logs-a')).json).toMatchObject({ data_streams: [{ generation: 2 }] })
  })
})

describe('damage', () => {
  it('is found by a check of all files, and nothing of it is restored', async () => {
    await repository('harmed', 'harmed')
    await bulk('worn', 0, 50)
    await make('one', { indices: 'worn', include_global_state: false }, 'harmed')
    const intact = await ask('POST', '/_snapshot/harmed/_verify_integrity')
    expect(intact.json).toMatchObject({ log: [], results: { result: 'pass', total_anomalies: 0 } })
    const [largest] = blobs('harmed')
      .map((path) => ({ path, bytes: readFileSync(path) }))
      .sort((a, b) => b.bytes.length - a.bytes.length)
    if (largest === undefined) throw new Error('there is no file')
    const damaged = Buffer.from(largest.bytes)
    damaged[20] = Number(damaged[20]) ^ 1
    writeFileSync(largest.path, damaged)
    const found = await ask('POST', '/_snapshot/harmed/_verify_integrity')
    expect(found.json).toMatchObject({
      log: [{ snapshot: { snapshot: 'one' }, index: { name: 'worn' }, anomaly: expect.stringContaining('is damaged') }],
      results: { result: 'fail', total_anomalies: 1 },
    })
    const body = { rename_pattern: 'worn', rename_replacement: 'mended' }
    const path = '/_snapshot/harmed/one/_restore?wait_for_completion=true'
    expect(await reason('POST', path, body)).toEqual([
      500,
      'snapshot_restore_exception',
      expect.stringMatching(/is damaged/),
    ])
    expect((await client.send('/mended', { method: 'HEAD' })).status).toBe(404)
    // The index still has what the file held: the next snapshot writes it anew, for all that use it.
    await make('two', { indices: 'worn', include_global_state: false }, 'harmed')
    expect(readFileSync(largest.path).equals(largest.bytes)).toBe(true)
    const healed = await ask('POST', '/_snapshot/harmed/_verify_integrity')
    expect(healed.json).toMatchObject({ log: [], results: { result: 'pass', total_anomalies: 0 } })
    expect((await ask('POST', path, body)).status).toBe(200)
    expect(await hits('mended')).toEqual(await hits('worn'))
  })

  it('of what a crash left is cleaned up', async () => {
    mkdirSync(join(folder, 'harmed/blobs/ff'), { recursive: true })
    writeFileSync(join(folder, `harmed/blobs/ff/${'f'.repeat(64)}`), 'nobody uses it')
    writeFileSync(join(folder, `harmed/blobs/ff/${'e'.repeat(64)}.tmp-0a0b`), 'half')
    const cleaned = await ask('POST', '/_snapshot/harmed/_cleanup')
    expect(cleaned.json).toEqual({ results: { deleted_bytes: 18, deleted_blobs: 2 } })
    expect((await ask('POST', '/_snapshot/harmed/_verify_integrity')).json).toMatchObject({
      results: { result: 'pass' },
    })
  })
})

describe('while documents are written', () => {
  it('a snapshot holds one moment: no document twice, none of those that were there missing', async () => {
    await repository('busy', 'busy')
    await bulk('busy', 0, 200)
    let writing = true
    const writer = (async () => {
      while (writing) await bulk('busy', 0, 200)
    })()
    await make('one', { indices: 'busy', include_global_state: false }, 'busy')
    writing = false
    await writer
    await ask('POST', '/_snapshot/busy/one/_restore?wait_for_completion=true', {
      rename_pattern: 'busy',
      rename_replacement: 'calm',
    })
    const found = await hits('calm')
    expect(found).toHaveLength(200)
    expect(new Set(found.map((hit) => Object(hit)['_id'])).size).toBe(200)
    // One bulk request is one commit: all documents are of the same round.
    expect(new Set(found.map((hit) => Object(hit)['_version'])).size).toBe(1)
  })
})
