import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@logstack/logging'
import { createDocuments } from '../documents/group-commit.ts'
import { settledReads } from '../documents/settled-reads.ts'
import { createChdbEngine } from '../engine/chdb.ts'
import type { Engine } from '../engine/engine.ts'
import { HttpTraffic } from '../http-traffic.ts'
import { createCatalogue } from '../indices/lmdb-catalogue.ts'
import type { Mapping } from '../model/mapping.ts'
import { noAuditTrail } from '../security/audit/events.ts'
import type { Services } from '../services.ts'
import { createStore } from '../store/lmdb-store.ts'

/** Everything searches and writes need, on a folder of its own, without the HTTP server and without users. */
export interface TestServices extends Omit<Services, 'security'> {
  /** Makes an index with a mapping. */
  create(name: string, mappings: Mapping): Promise<void>
  /** Writes documents and throws at the first that is refused. */
  write(index: string, documents: readonly (readonly [id: string, source: unknown])[]): Promise<void>
  close(): Promise<void>
}

/** How services are opened beside their folder; what is not given is as search itself has it. */
export interface OpenOptions {
  readonly now?: () => number
  /** Puts something around the engine, which sees what it is asked. */
  readonly around?: (engine: Engine) => Engine
  /** Bytes of the disk that writes leave free. */
  readonly reserveBytes?: number
}

/** Services over a folder, and how they are closed; the folder stays. */
export interface OpenServices extends Omit<Services, 'security'> {
  close(): Promise<void>
}

/** Opens what searches and writes need in this process, for tests and benchmarks. */
export async function openServices(
  directory: string,
  { now = Date.now, around = (engine) => engine, reserveBytes }: OpenOptions = {},
): Promise<OpenServices> {
  const logger = createLogger('test', 'silent')
  const store = createStore(join(directory, 'catalogue'))
  const engine = around(await createChdbEngine({ directory: join(directory, 'engine') }))
  const catalogue = await createCatalogue({ store, engine, now, logger })
  const documents = await createDocuments({
    engine,
    store,
    catalogue,
    logger,
    directory: join(directory, 'segments'),
    now,
    ...(reserveBytes === undefined ? {} : { limits: { reserveBytes } }),
  })
  return {
    engine: settledReads(engine, documents),
    store,
    catalogue,
    documents,
    logger,
    now,
    audit: noAuditTrail,
    http: new HttpTraffic(1024 ** 2, now),
    nodeName: 'logstack-search',
    startedAtMs: now(),
    engineMemoryBytesMax: 1024 ** 3,
    repositoryFolders: [join(directory, 'snapshots')],
    async close() {
      await documents.close()
      await engine.close()
      await store.close()
    },
  }
}

/** Opens services for a test; `close` removes their folder. */
export async function openTestServices(now: () => number = Date.now): Promise<TestServices> {
  const directory = mkdtempSync(join(tmpdir(), 'logstack-search-'))
  const services = await openServices(directory, { now })
  const { catalogue, documents } = services
  return {
    ...services,
    async create(name, mappings) {
      await catalogue.createIndex({ name, mappings })
    },
    async write(index, written) {
      const results = await documents.apply(
        written.map(([id, source]) => ({ action: 'index', index, id, source: Buffer.from(JSON.stringify(source)) })),
      )
      for (const result of results) if ('error' in result) throw result.error
      await documents.shown([...catalogue.indices()].map(({ table }) => table))
    },
    async close() {
      await services.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
