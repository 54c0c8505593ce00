import { EventEmitter, once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { columnValues } from '../../documents/column-values.ts'
import type { FileInsert } from '../../engine/engine.ts'
import { beginSnapshot } from '../../snapshots/create-snapshot.ts'
import { putRepository } from '../../snapshots/repositories.ts'
import { beginRestore } from '../../snapshots/restore-snapshot.ts'
import { answerOf } from '../../testing/answer-of.ts'
import { openTestServices, type TestServices } from '../../testing/search-services.ts'

// Rows of a snapshot come with numbers below those of what is written meanwhile, in a search that has never seen their values.

const folder = mkdtempSync(join(tmpdir(), 'logstack-restored-'))
const keyword = { type: 'keyword' }
const mapping = { properties: { host: keyword, level: keyword, os: keyword, place: keyword } }
const rowsEach = 300
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

const indicesOf = ({ catalogue }: TestServices) => [...catalogue.indices()]

/** How many documents have a word in any field. */
async function count(of: TestServices, word: string): Promise<number> {
  const query = { multi_match: { query: word, fields: ['host', 'level', 'os', 'place'] } }
  const body = { size: 0, track_total_hits: true, query }
  return (await answerOf<{ hits: { total: { value: number } } }>(of, '*', body)).hits.total.value
}

/** The same services, whose restorations stop before their rows come: these have their numbers already. */
function heldAt(of: TestServices, steps: EventEmitter): TestServices {
  const { engine } = of
  const insertFile = async (file: FileInsert): Promise<void> => {
    const goOn = once(steps, 'go on')
    steps.emit('reached')
    await goOn
    await engine.insertFile(file)
  }
  return { ...of, engine: { ...engine, insertFile } }
}

it('finds restored documents by values that were not known before', async () => {
  services = await openWith('events-1', 'ancient')
  const place = services.repositoryFolders[0] ?? ''
  const of = { repository: 'backup', snapshot: 'one', indices: indicesOf(services), dataStreams: [] }
  await (await beginSnapshot(services, { ...of, includeGlobalState: false, partial: false })).complete
  cpSync(place, folder, { recursive: true })
  await services.close()

  services = await openWith('events-2', 'recent')
  expect(await count(services, 'recent')).toBe(rowsEach)
  expect(await count(services, 'ancient')).toBe(0)
  cpSync(folder, services.repositoryFolders[0] ?? '', { recursive: true })
  const flags = { ignoreUnavailable: false, includeGlobalState: false, includeAliases: false, partial: false }
  const what = { repository: 'backup', snapshot: 'one', indices: undefined, indexSettings: {}, ignoreIndexSettings: [] }
  const steps = new EventEmitter()
  const reached = once(steps, 'reached')
  const { complete } = await beginRestore(heldAt(services, steps), { ...flags, ...what })
  await reached
  // What is written meanwhile has higher numbers, and is shown and known first.
  await services.write('events-2', [['late', { host: 'h1', level: 'late', os: 'Debian', place: 'p1' }]])
  expect(await count(services, 'late')).toBe(1)
  expect(await count(services, 'ancient')).toBe(0)
  steps.emit('go on')
  await complete
  const tables = new Set(indicesOf(services).map(({ table }) => table))
  expect(tables.size).toBe(1)
  expect(await count(services, 'ancient')).toBe(rowsEach)
  expect(await count(services, 'recent')).toBe(rowsEach)
})
