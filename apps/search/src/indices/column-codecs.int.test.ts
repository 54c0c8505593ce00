import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Engine } from '../engine/engine.ts'
import { ident, sql, str } from '../sql/sql.ts'
import { type OpenServices, openServices } from '../testing/search-services.ts'

const directory = mkdtempSync(join(tmpdir(), 'logstack-codecs-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

let changes: string[] = []
const around = (engine: Engine): Engine => ({
  ...engine,
  execute(statement, options) {
    changes.push(statement.text)
    return engine.execute(statement, options)
  },
})

async function reopened(work: (services: OpenServices, table: string) => Promise<void>): Promise<void> {
  changes = []
  const services = await openServices(directory, { around })
  const [index] = [...services.catalogue.indices()]
  await work(services, index === undefined ? '' : services.catalogue.table(index.table).name)
  await services.close()
}

it('gives columns of earlier versions the codecs of new ones, once', async () => {
  let codecs: unknown[][] = []
  const read = ({ engine }: OpenServices, table: string) =>
    engine.rows(
      sql`SELECT name, compression_codec FROM system.columns WHERE database = currentDatabase() AND table = ${str(table)} AND compression_codec != '' ORDER BY name`,
    )
  await reopened(async ({ catalogue, documents }) => {
    const properties = { '@timestamp': { type: 'date' }, bytes: { type: 'long' }, lists: { type: 'long' } }
    await catalogue.createIndex({ name: 'events', mappings: { properties } })
    const source = Buffer.from(JSON.stringify({ '@timestamp': 1, bytes: 2, lists: [3, 4] }))
    await documents.apply([{ action: 'index', index: 'events', id: 'a', source }])
  })
  await reopened(async (services, table) => {
    expect(changes.filter((text) => text.includes('CODEC'))).toEqual([])
    codecs = await read(services, table)
    for (const [name] of codecs)
      await services.engine.execute(
        sql`ALTER TABLE ${ident(table)} MODIFY COLUMN ${ident(String(name))} CODEC(ZSTD(2))`,
      )
  })
  await reopened(async (services, table) => {
    expect(changes.filter((text) => text.includes('CODEC'))).toHaveLength(1)
    expect(await read(services, table)).toEqual(codecs)
    expect(codecs.map(([name]) => String(name).replace(/^c\d+/, 'c'))).toEqual(
      [
        '_id',
        '_message_at',
        '_seq',
        '_seq_no',
        '_source',
        '_time',
        '_version',
        'c__timestamp',
        'c_bytes',
        'c_lists',
      ].sort(),
    )
  })
})
