import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Engine } from '../engine/engine.ts'
import { type OpenServices, openServices } from '../testing/search-services.ts'
import { columnValues } from './column-values.ts'

const directory = mkdtempSync(join(tmpdir(), 'logstack-search-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** What the engine was asked for the values of columns. */
const asked: string[] = []
const noting = (engine: Engine): Engine => ({
  ...engine,
  rows: (query, options) => {
    if (query.text.includes('groupUniqArray')) asked.push(query.text)
    return engine.rows(query, options)
  },
})

async function write({ documents }: OpenServices, level: string): Promise<void> {
  const source = Buffer.from(JSON.stringify({ level }))
  const [result] = await documents.apply([{ action: 'create', index: 'logs', id: level, source }])
  if (result && 'error' in result) throw result.error
}

async function levels(services: OpenServices): Promise<unknown> {
  const { catalogue, documents } = services
  const index = catalogue.index('logs')
  if (!index) throw new Error('BUG: there is no index')
  const table = catalogue.table(index.table)
  await documents.shown([table.id])
  const name = catalogue.column(table, 'level', 'string')?.name ?? ''
  const values = columnValues(services, { rowsMin: 0 })
  const known = await values.of(table, [{ name, isArray: false }], documents.visibility(table.id).seq)
  const found = known.get(name)
  return found === 'many' || found === undefined ? found : [...found.values].sort()
}

it('are there after the next start, which reads what came since alone', async () => {
  let services = await openServices(directory, { around: noting })
  await services.catalogue.createIndex({ name: 'logs', mappings: { properties: { level: { type: 'keyword' } } } })
  await write(services, 'info')
  expect(await levels(services)).toEqual(['info'])
  await services.close()
  asked.length = 0

  services = await openServices(directory, { around: noting })
  expect(await levels(services)).toEqual(['info'])
  expect(asked).toEqual([])
  await write(services, 'warn')
  expect(await levels(services)).toEqual(['info', 'warn'])
  expect(asked).toEqual([expect.stringContaining('_seq > ')])
  // The index goes, and what is known of its table with it.
  const index = services.catalogue.index('logs')
  if (index) await services.catalogue.deleteIndex(index)
  await services.catalogue.purge()
  await services.close()

  services = await openServices(directory, { around: noting })
  expect([...services.store.collection('column_values').entries()]).toEqual([])
  await services.close()
}, 60_000)
