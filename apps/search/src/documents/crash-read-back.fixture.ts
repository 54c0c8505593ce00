import { join } from 'node:path'
import { createLogger } from '@logstack/logging'
import { createChdbEngine } from '../engine/chdb.ts'
import { createCatalogue } from '../indices/lmdb-catalogue.ts'
import { ident, num, sql } from '../sql/sql.ts'
import { createStore } from '../store/lmdb-store.ts'
import type { FoundDocuments } from './crash.fixture.ts'
import { createDocuments } from './group-commit.ts'
import { visibleSql } from './visibility.ts'

/** Opens what the program left, as search does at its start, and reads all of it. */
export async function readBack(directory: string): Promise<FoundDocuments> {
  const logger = createLogger('crash', 'silent')
  const engine = await createChdbEngine({ directory: join(directory, 'engine') })
  const store = createStore(join(directory, 'catalogue'))
  const catalogue = await createCatalogue({ store, engine, now: Date.now, logger })
  const options = { engine, store, catalogue, logger, directory: join(directory, 'segments'), now: Date.now }
  const documents = await createDocuments(options)
  try {
    const rows: unknown[][] = []
    const names = new Map<unknown, string>()
    for (const index of catalogue.indices()) {
      const visible = visibleSql(documents.visibility(index.table))
      const table = ident(catalogue.table(index.table).name)
      const own = sql`_index = ${num(index.id)}`
      names.set(index.id, index.name)
      rows.push(
        ...(await engine.rows(sql`SELECT _id, _index, _seq_no, _source FROM ${table} WHERE ${own} AND ${visible}`)),
      )
    }
    const keys = new Map<string, number>()
    const unique = new Map<string, string>()
    const twice: string[] = []
    const seen = new Set<string>()
    for (const [id, index, seqNo, source] of rows) {
      for (const name of [`id ${index} ${id}`, `seq_no ${index} ${seqNo}`]) {
        if (seen.has(name)) twice.push(`[${name}] is there twice`)
        seen.add(name)
      }
      const { k, v, u } = JSON.parse(String(source)) as { k?: string; v?: number; u?: string }
      if (u !== undefined && unique.has(u)) twice.push(`[${u}] is there twice`)
      if (u !== undefined) unique.set(u, names.get(index) ?? '')
      if (k !== undefined && v !== undefined) keys.set(k, v)
    }
    return { keys: [...keys], unique: [...unique], twice }
  } finally {
    await documents.close()
    await store.close()
    await engine.close()
  }
}
