import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../engine/engine.ts'
import { sql, str } from '../sql/sql.ts'
import { type OpenServices, openServices } from '../testing/search-services.ts'
import { cloneSnapshot } from './clone-snapshot.ts'
import { deleteSnapshots } from './collect-garbage.ts'
import { beginSnapshot } from './create-snapshot.ts'
import { putRepository } from './repositories.ts'
import { beginRestore } from './restore-snapshot.ts'

/** What happens to an index while its rows are read changes nothing of its snapshot. */

const folder = mkdtempSync(join(tmpdir(), 'logstack-moment-'))
let services: OpenServices
/** Runs once, before rows are read for a snapshot. */
let meanwhile: (() => Promise<void>) | undefined

function interrupted(engine: Engine): Engine {
  return {
    ...engine,
    async bytes(query, format, options) {
      const work = meanwhile
      meanwhile = undefined
      await work?.()
      return engine.bytes(query, format, options)
    },
  }
}

beforeAll(async () => {
  services = await openServices(folder, { around: interrupted })
  await putRepository(services, 'r', { type: 'fs', settings: { location: 'r' } }, true)
})
afterAll(async () => {
  await services.close()
  rmSync(folder, { recursive: true, force: true })
})

async function write(index: string, ids: readonly string[], round: number): Promise<void> {
  const source = Buffer.from(JSON.stringify({ round }))
  const results = await services.documents.apply(ids.map((id) => ({ action: 'index', index, id, source })))
  for (const result of results) if ('error' in result) throw result.error
}

async function snapshot(name: string, index: string): Promise<void> {
  const found = services.catalogue.index(index)
  if (found === undefined) throw new Error('there is no such index')
  const common = { repository: 'r', dataStreams: [], includeGlobalState: false, partial: false }
  await (await beginSnapshot(services, { ...common, snapshot: name, indices: [found] })).complete
}

async function restored(name: string, ignored: readonly string[] = []): Promise<(string | undefined)[]> {
  const { complete } = await beginRestore(services, {
    repository: 'r',
    snapshot: name,
    indices: undefined,
    ignoreUnavailable: false,
    includeGlobalState: false,
    includeAliases: true,
    partial: false,
    renamePattern: '(.+)',
    renameReplacement: 'restored-$1',
    indexSettings: {},
    ignoreIndexSettings: ignored,
  })
  const [index = ''] = (await complete).indices
  const meta = services.catalogue.index(index)
  if (meta === undefined) throw new Error('it was not restored')
  const documents = await services.documents.get(meta, ids)
  return documents.map((document) => document?.source.toString())
}

const ids = ['a', 'b', 'c']
const first = ids.map(() => '{"round":1}')

describe('while a snapshot is made', () => {
  it('documents may be replaced and deleted', async () => {
    await write('changed', ids, 1)
    meanwhile = async () => {
      await write('changed', ids, 2)
      await services.documents.apply([{ action: 'delete', index: 'changed', id: 'a' }])
      await services.documents.shown([services.catalogue.index('changed')?.table ?? 0])
    }
    await snapshot('one', 'changed')
    expect(meanwhile).toBeUndefined()
    expect(await restored('one')).toEqual(first)
  })

  it('its index may be deleted; the rows go when it is complete', async () => {
    await write('gone', ids, 1)
    const index = services.catalogue.index('gone')
    if (index === undefined) throw new Error('there is no such index')
    const table = services.catalogue.table(index.table)
    meanwhile = async () => {
      await services.catalogue.deleteIndex(index)
      // Nothing can be purged yet.
      expect(await services.catalogue.purge()).toBe(1)
    }
    await snapshot('two', 'gone')
    expect(await services.catalogue.purge()).toBe(0)
    const [left] = await services.engine.rows(
      sql`SELECT count() FROM system.parts WHERE active AND rows > 0 AND table = ${str(table.name)}`,
    )
    expect(Number(left?.[0])).toBe(0)
    expect(await restored('two')).toEqual(first)
  })
})

it('brings sources back that are made again from columns, and keeps them so', async () => {
  const mappings = { properties: { round: { type: 'long' } } }
  const settings = { 'index.mapping.source.mode': 'synthetic' }
  await services.catalogue.createIndex({ name: 'synthetic', mappings, settings })
  await write('synthetic', ids, 1)
  await snapshot('made-again', 'synthetic')
  expect(await restored('made-again', ['index.mapping.*'])).toEqual(first)
  await cloneSnapshot(services, 'r', 'made-again', 'cloned', ['synthetic'])
  await deleteSnapshots(services, 'r', ['made-again'])
  const copy = services.catalogue.index('restored-synthetic')
  if (copy) await services.catalogue.deleteIndex(copy)
  expect(await restored('cloned')).toEqual(first)
  await cloneSnapshot(services, 'r', 'cloned', 'made-again', ['*'])
  // Without it the rows that keep no source would show none.
  await expect(restored('made-again', ['index.mapping.source.mode'])).rejects.toThrow(
    'cannot remove setting [index.mapping.source.mode] on restore',
  )
})
