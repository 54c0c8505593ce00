import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestServices, type TestServices } from '../testing/search-services.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
  const settings = { 'index.append_only.enabled': true, 'index.bulk.adaptive_shard_selection.enabled': true }
  await services.catalogue.createIndex({ name: 'grows', settings })
})
afterAll(() => services.close())

it('an index that only grows takes new documents without ids and nothing else', async () => {
  const source = Buffer.from('{"a":1}')
  const all = { index: 'grows', id: 'x' } as const
  const results = await services.documents.apply([
    { action: 'index', index: 'grows', source },
    { action: 'create', index: 'grows', source },
    { action: 'index', ...all, source },
    { action: 'create', ...all, source },
    { action: 'update', ...all, update: { doc: { a: 2 } } },
    { action: 'delete', ...all },
  ])
  const shown = results.map((result) => ('error' in result ? result.error.message : result.result))
  const why = 'as setting `index.append_only.enabled` is enabled for this index: grows;'
  expect(shown).toEqual([
    'created',
    'created',
    `Validation Failed: 1: Operation [INDEX] is not allowed with a custom document id x ${why}`,
    `Validation Failed: 1: Operation [CREATE] is not allowed with a custom document id x ${why}`,
    `Validation Failed: 1: Operation [UPDATE] is not allowed ${why}`,
    `Validation Failed: 1: Operation [DELETE] is not allowed ${why}`,
  ])
})

it('shards are selected of such indices only', async () => {
  const settings = { 'index.bulk.adaptive_shard_selection.enabled': true }
  await expect(services.catalogue.createIndex({ name: 'other', settings })).rejects.toThrow(
    'index [other] is not append-only index, bulk adaptive shard selection is enabled, which is not supported.',
  )
})
