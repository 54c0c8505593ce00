import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@logstack/logging'
import { createDocuments } from '../documents/group-commit.ts'
import { createChdbEngine } from '../engine/chdb.ts'
import { createCatalogue } from '../indices/lmdb-catalogue.ts'
import { createStore } from '../indices/lmdb-store.ts'
import type { Mapping } from '../indices/model.ts'
import type { Services } from '../services.ts'

/** Everything searches and writes need, on a folder of its own, without the HTTP server and without users. */
export interface TestServices extends Omit<Services, 'security'> {
  /** Makes an index with a mapping. */
  create(name: string, mappings: Mapping): Promise<void>
  /** Writes documents and throws at the first that is refused. */
  write(index: string, documents: readonly (readonly [id: string, source: unknown])[]): Promise<void>
  close(): Promise<void>
}

/** Opens services for a test; `close` removes their folder. */
export async function openTestServices(now: () => number = Date.now): Promise<TestServices> {
  const directory = mkdtempSync(join(tmpdir(), 'logstack-search-'))
  const logger = createLogger('test', 'silent')
  const store = createStore(join(directory, 'catalogue'))
  const engine = await createChdbEngine({ directory: join(directory, 'engine') })
  const catalogue = await createCatalogue({ store, engine, now, logger })
  const documents = await createDocuments({
    engine,
    store,
    catalogue,
    logger,
    directory: join(directory, 'segments'),
    now,
  })
  return {
    engine,
    store,
    catalogue,
    documents,
    logger,
    now,
    nodeName: 'logstack-search',
    startedAtMs: now(),
    engineMemoryBytesMax: 1024 ** 3,
    async create(name, mappings) {
      await catalogue.createIndex({ name, mappings })
    },
    async write(index, written) {
      const results = await documents.apply(
        written.map(([id, source]) => ({ action: 'index', index, id, source: Buffer.from(JSON.stringify(source)) })),
      )
      for (const result of results) if ('error' in result) throw result.error
    },
    async close() {
      await documents.close()
      await engine.close()
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
