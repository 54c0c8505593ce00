import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { columnValues } from '../documents/column-values.ts'
import { readSearchRequest } from '../dsl/search-request.ts'
import { systemScope } from '../security/role-scope.ts'
import { beginSnapshot } from '../snapshots/create-snapshot.ts'
import { putRepository } from '../snapshots/repositories.ts'
import { beginRestore } from '../snapshots/restore-snapshot.ts'
import { openTestServices, type TestServices } from '../testing/search-services.ts'
import { search } from './search.ts'
import { shown } from './shown.ts'

// Rows of a snapshot come with numbers below those of what is written meanwhile, in a search that has never seen their values.

const folder = mkdtempSync(join(tmpdir(), 'logstack-restored-'))
const keyword = { type: 'keyword' }
const mapping = { properties: { host: keyword, level: keyword, os: keyword, place: keyword } }
const rowsEach = 20_000
let services: TestServices | undefined

afterAll(async () => {
  await services?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A search that has documents of one level, and knows the values of its columns. */
async function openWith(index: string, level: string): Promise<TestServices> {
  const opened = await openTestServices()
  await putRepository(opened, 'backup', { type: 'fs', settings: { location: 'backup' } }, false)
  columnValues(opened, { rowsMin: 0 })
  await opened.create(index, mapping)
  const document = (row: number) => ({ host: `h${row % 5}`, level, os: 'Debian', place: `p${row % 3}` })
  await opened.write(
    index,
    Array.from({ length: rowsEach }, (_, row) => [`${row}`, document(row)]),
  )
  return opened
}

const indicesOf = ({ catalogue }: TestServices) =>
  catalogue.resolve('*', { ignoreUnavailable: false, allowNoIndices: true, expand: ['open'], forbidClosed: true })

/** How many documents have a word in any field. */
async function count(of: TestServices, word: string): Promise<number> {
  const indices = indicesOf(of)
  await shown(of, indices)
  const snapshots = new Map(indices.map(({ index: { table } }) => [table, of.documents.visibility(table)]))
  const query = { multi_match: { query: word, fields: ['host', 'level', 'os', 'place'] } }
  const request = readSearchRequest({ size: 0, track_total_hits: true, query })
  const signal = new AbortController().signal
  const plain = { typedKeys: false, totalAsInteger: false, cached: false }
  const { json } = await search(of, {
    ...plain,
    request,
    scope: systemScope,
    indices,
    snapshots,
    nowMs: 0,
    signal,
  })
  return (JSON.parse(json.toString('utf8')) as { hits: { total: { value: number } } }).hits.total.value
}

it('finds restored documents by values that were not known before', async () => {
  services = await openWith('events-1', 'ancient')
  const place = services.repositoryFolders[0] ?? ''
  const indices = indicesOf(services).map(({ index }) => index)
  const of = { repository: 'backup', snapshot: 'one', indices, dataStreams: [] }
  await (await beginSnapshot(services, { ...of, includeGlobalState: false, partial: false })).complete
  cpSync(place, folder, { recursive: true })
  await services.close()

  services = await openWith('events-2', 'recent')
  expect(await count(services, 'recent')).toBe(rowsEach)
  expect(await count(services, 'ancient')).toBe(0)
  cpSync(folder, services.repositoryFolders[0] ?? '', { recursive: true })
  const flags = { ignoreUnavailable: false, includeGlobalState: false, includeAliases: false, partial: false }
  const what = { repository: 'backup', snapshot: 'one', indices: undefined, indexSettings: {}, ignoreIndexSettings: [] }
  const { complete } = await beginRestore(services, { ...flags, ...what })
  // What is written meanwhile has higher numbers, and is shown and known first.
  await services.write('events-2', [['late', { host: 'h1', level: 'late', os: 'Debian', place: 'p1' }]])
  expect(await count(services, 'late')).toBe(1)
  await complete
  const tables = new Set(indicesOf(services).map(({ index: { table } }) => table))
  expect(tables.size).toBe(1)
  expect(await count(services, 'ancient')).toBe(rowsEach)
  expect(await count(services, 'recent')).toBe(rowsEach)
})
