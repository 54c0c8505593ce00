import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openTestServices, type TestServices } from '../testing/search-services.ts'
import { beginSnapshot } from './create-snapshot.ts'
import { putRepository } from './repositories.ts'
import { beginRestore } from './restore-snapshot.ts'

const folder = mkdtempSync(join(tmpdir(), 'logstack-restored-'))
let services: TestServices | undefined

afterAll(async () => {
  await services?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function open(): Promise<TestServices> {
  const opened = await openTestServices()
  await putRepository(opened, 'backup', { type: 'fs', settings: { location: 'backup' } }, false)
  return opened
}

const columnsOf = ({ catalogue }: TestServices) =>
  [...catalogue.indices()].flatMap(({ table }) =>
    catalogue.table(table).columns.map(({ path, indexed, pairs }) => ({ path, indexed, pairs })),
  )

it('an index comes back with the indexes its mapping asks for', async () => {
  services = await open()
  const text = { type: 'text' }
  await services.create('logs-1', {
    properties: { message: { ...text, index_phrases: true }, plain: text, several: { ...text, index_phrases: true } },
  })
  await services.write('logs-1', [
    ['1', { message: 'failed password', plain: 'of root', several: ['one', 'two'] }],
    ['2', { message: 'again' }],
  ])
  const columns = columnsOf(services)
  expect(columns).toEqual([
    { path: 'message', indexed: true, pairs: true },
    { path: 'plain', indexed: true },
    { path: 'several' },
  ])
  const of = { repository: 'backup', snapshot: 'one', indices: [...services.catalogue.indices()], dataStreams: [] }
  await (await beginSnapshot(services, { ...of, includeGlobalState: false, partial: false })).complete
  cpSync(services.repositoryFolders[0] ?? '', folder, { recursive: true })
  await services.close()

  services = await open()
  cpSync(folder, services.repositoryFolders[0] ?? '', { recursive: true })
  const flags = { ignoreUnavailable: false, includeGlobalState: false, includeAliases: false, partial: false }
  const what = { repository: 'backup', snapshot: 'one', indices: undefined, indexSettings: {}, ignoreIndexSettings: [] }
  await (await beginRestore(services, { ...flags, ...what })).complete
  expect(columnsOf(services)).toEqual(columns)
})
