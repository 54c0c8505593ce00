import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client as Client9, type estypes } from '@elastic/elasticsearch'
import { startSearch, type TestSearch } from '@logstack/testkit'
import { Client as OpenSearchClient3 } from '@opensearch-project/opensearch'
import { Client as Client8 } from 'elasticsearch-8'
import { Client as OpenSearchClient2 } from 'opensearch-2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** Public clients, unmodified and over TLS, as people who move in run them. */

let search: TestSearch

beforeAll(async () => {
  search = await startSearch()
})

afterAll(async () => {
  await search?.stop()
})

const options = () => ({
  node: search.url,
  auth: { username: search.username, password: search.password },
  tls: { ca: search.ca },
})

const events = Array.from({ length: 250 }, (_, at) => ({
  '@timestamp': new Date(Date.UTC(2026, 10, 21, 8, 0, at)).toISOString(),
  message: `event ${at} of the test`,
  level: at % 10 === 0 ? 'error' : 'info',
  n: at,
}))

describe.each([
  ['9', () => new Client9(options())],
  ['8', () => new Client8(options()) as unknown as Client9],
])('@elastic/elasticsearch %s', (version, connect) => {
  const index = `client-${version}`
  let client: Client9

  beforeAll(() => {
    client = connect()
  })
  afterAll(() => client.close())

  it('is told that this is Elasticsearch, and writes, reads and deletes documents', async () => {
    expect((await client.info()).version.number).toMatch(/^8\.19\./)
    expect(await client.indices.exists({ index })).toBe(false)
    await client.indices.create({ index, mappings: { properties: { level: { type: 'keyword' } } } })
    expect(await client.indices.exists({ index })).toBe(true)
    const created = await client.index({ index, id: 'a/b c', document: { level: 'info' }, refresh: true })
    expect(created).toMatchObject({ result: 'created', _version: 1, _seq_no: 0 })
    expect(await client.get({ index, id: 'a/b c' })).toMatchObject({ found: true, _source: { level: 'info' } })
    expect(await client.update({ index, id: 'a/b c', doc: { n: 1 } })).toMatchObject({ result: 'updated' })
    expect(await client.delete({ index, id: 'a/b c' })).toMatchObject({ result: 'deleted' })
    expect(await client.exists({ index, id: 'a/b c' })).toBe(false)
    await expect(client.get({ index: 'nowhere', id: '1' })).rejects.toMatchObject({ statusCode: 404 })
  })

  it('sends in bulk by its helper, and finds, counts and scrolls', async () => {
    const sent = await client.helpers.bulk({
      datasource: events,
      onDocument: () => ({ create: { _index: index } }),
      flushBytes: 10_000,
      refreshOnCompletion: index,
    })
    expect(sent).toMatchObject({ total: 250, successful: 250, failed: 0 })
    const found = await client.search({ index, query: { match: { message: 'event' } }, sort: [{ n: 'desc' }], size: 2 })
    expect(found.hits.total).toEqual({ value: 250, relation: 'eq' })
    expect(found.hits.hits.map((hit) => (hit._source as { n: number }).n)).toEqual([249, 248])
    expect(await client.count({ index, query: { term: { level: 'error' } } })).toMatchObject({ count: 25 })
    const seen: number[] = []
    for await (const page of client.helpers.scrollSearch<{ n: number }>({ index, size: 60, sort: [{ n: 'asc' }] })) {
      seen.push(...page.documents.map(({ n }) => n))
    }
    expect(seen).toEqual(events.map(({ n }) => n))
    const levels = await client.search({ index, size: 0, aggs: { levels: { terms: { field: 'level' } } } })
    expect(levels.aggregations?.['levels']).toMatchObject({
      buckets: [
        { key: 'info', doc_count: 225 },
        { key: 'error', doc_count: 25 },
      ],
    })
  })

  it('shows tables and health, and removes the index', async () => {
    expect(await client.cat.indices({ index, h: 'index,docs.count', format: 'json' })).toEqual([
      { index, 'docs.count': '250' },
    ])
    expect((await client.cluster.health()).status).toBe('green')
    expect(await client.indices.delete({ index })).toEqual({ acknowledged: true })
    await expect(client.search({ index })).rejects.toMatchObject({
      meta: { body: { error: { type: 'index_not_found_exception' } } },
    })
  })
})

interface OpenSearchOptions {
  readonly node: string
  readonly auth: { username: string; password: string }
  readonly ssl: { ca: string }
}

describe.each([
  ['3', (to: OpenSearchOptions) => new OpenSearchClient3(to)],
  ['2', (to: OpenSearchOptions) => new OpenSearchClient2(to) as unknown as OpenSearchClient3],
])('@opensearch-project/opensearch %s', (version, connect) => {
  const index = `client-opensearch-${version}`
  let client: OpenSearchClient3

  beforeAll(() => {
    client = connect({ node: search.url, auth: options().auth, ssl: { ca: search.ca } })
  })
  afterAll(() => client.close())

  it('writes in bulk, finds, scrolls and deletes', async () => {
    const sent = await client.helpers.bulk({
      datasource: events,
      onDocument: () => ({ index: { _index: index } }),
      refreshOnCompletion: true,
    })
    expect(sent).toMatchObject({ total: 250, successful: 250, failed: 0 })
    expect((await client.indices.exists({ index })).body).toBe(true)
    const found = await client.search({ index, body: { query: { range: { n: { gte: 240 } } }, size: 100 } })
    expect(found.body.hits.hits).toHaveLength(10)
    let documents = 0
    for await (const page of client.helpers.scrollDocuments({ index, size: 100 })) if (page) documents++
    expect(documents).toBe(250)
    await client.indices.delete({ index })
    expect((await client.indices.exists({ index })).body).toBe(false)
  })
})

const windowsEvents =
  process.env['LOGSTACK_WINDOWS_EVENTS'] ?? join(import.meta.dirname, '../../../../../shared/fixtures/windows')

/** Events taken of each file; the whole fixture is some sixty thousand. */
const eventsOfEach = Number(process.env['LOGSTACK_TEST_EVENTS'] ?? 500)

/** The events of the fixture folder: zip files of JSON lines, read by the system's `unzip`. */
function readWindowsEvents(): Record<string, unknown>[] {
  const files = readdirSync(windowsEvents).filter((name) => name.endsWith('.zip'))
  return files.flatMap((name) => {
    const options = { encoding: 'utf8', maxBuffer: 256 * 1024 ** 2 } as const
    const lines = execFileSync('unzip', ['-p', join(windowsEvents, name)], options).split('\n')
    return lines
      .filter((line) => line.trim() !== '')
      .slice(0, eventsOfEach)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  })
}

/** The recordings write one field as a number here and as a text there, so all are keywords, but the message. */
const windowsMappings: estypes.MappingTypeMapping = {
  date_detection: false,
  dynamic_templates: [{ all: { match: '*', unmatch: ['@timestamp', 'Message'], mapping: { type: 'keyword' } } }],
  properties: { '@timestamp': { type: 'date' }, Message: { type: 'text' } },
}

describe.skipIf(!existsSync(windowsEvents))('Windows events through _bulk (skipped without the fixture folder)', () => {
  it('arrive one for one, and are found again', async () => {
    const client = new Client9(options())
    const recorded = readWindowsEvents()
    expect(recorded.length).toBeGreaterThan(100)
    await client.indices.create({ index: 'windows-events', mappings: windowsMappings })
    const sent = await client.helpers.bulk({
      datasource: recorded,
      onDocument: () => ({ create: { _index: 'windows-events' } }),
      refreshOnCompletion: true,
    })
    expect(sent).toMatchObject({ successful: recorded.length, failed: 0 })
    const channels = new Map<unknown, number>()
    for (const { Channel } of recorded) channels.set(Channel, (channels.get(Channel) ?? 0) + 1)
    const answer = await client.search({
      index: 'windows-events',
      size: 0,
      track_total_hits: true,
      aggs: { channels: { terms: { field: 'Channel', size: 100 } } },
    })
    expect(answer.hits.total).toMatchObject({ value: recorded.length })
    const { buckets } = (answer.aggregations?.['channels'] ?? { buckets: [] }) as {
      readonly buckets: readonly { readonly key: string; readonly doc_count: number }[]
    }
    expect(new Map(buckets.map(({ key, doc_count }) => [key, doc_count]))).toEqual(channels)
    await client.close()
  })
})
