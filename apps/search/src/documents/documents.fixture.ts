import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '@logstack/errors'
import { createLogger } from '@logstack/logging'
import { createChdbEngine } from '../engine/chdb.ts'
import type { Engine } from '../engine/engine.ts'
import type { IndexMeta } from '../model/index-meta.ts'
import { sql } from '../sql/sql.ts'
import { createStore } from '../store/lmdb-store.ts'
import type { Store } from '../store/store.ts'
import { BufferPool } from './buffer-pool.ts'
import { createFakeCatalogue, type FakeCatalogue } from './catalogue.fake.ts'
import type { Documents } from './documents.ts'
import { createDocuments } from './group-commit.ts'
import { visibleSql } from './visibility.ts'
import type { WriteLimits } from './write-limits.ts'
import type { UpdateRequest, WriteOperation } from './write-operation.ts'

/** What a test of the write path may choose. */
export interface OpenOptions {
  readonly limits?: Partial<WriteLimits>
  /** Puts something before the engine, for instance to let an insert fail. */
  readonly wrap?: (inner: Engine) => Engine
  /** Puts something before the store that the documents get, for instance to let a transaction fail. */
  readonly wrapStore?: (inner: Store) => Store
}

/** Spoils what it is given: whoever still had a view of it would store other bytes. */
class SpoilingPool extends BufferPool {
  override give(buffer: Buffer): void {
    buffer.fill(0xdb)
    super.give(buffer)
  }
}

/** Documents on a real engine and store, in a directory of their own. */
export class OpenDocuments {
  readonly directory: string
  readonly engine: Engine
  readonly store: Store
  readonly catalogue: FakeCatalogue
  readonly documents: Documents
  /** What `now` is for the documents; tests move it. */
  readonly clock: { nowMs: number }

  private constructor(
    directory: string,
    engine: Engine,
    store: Store,
    catalogue: FakeCatalogue,
    documents: Documents,
    clock: { nowMs: number },
  ) {
    this.directory = directory
    this.engine = engine
    this.store = store
    this.catalogue = catalogue
    this.documents = documents
    this.clock = clock
  }

  static async open(directory: string, options: OpenOptions = {}): Promise<OpenDocuments> {
    const inner = await createChdbEngine({ directory: join(directory, 'engine') })
    const engine = options.wrap?.(inner) ?? inner
    const store = createStore(join(directory, 'catalogue'))
    const catalogue = await createFakeCatalogue(engine, store)
    const clock = { nowMs: 1_700_000_000_000 }
    const documents = await createDocuments({
      engine,
      store: options.wrapStore?.(store) ?? store,
      catalogue,
      logger: createLogger('test', 'silent'),
      directory: join(directory, 'segments'),
      now: () => clock.nowMs,
      limits: { purgeDelayMs: 50, ...options.limits },
      pool: new SpoilingPool(),
    })
    return new OpenDocuments(directory, engine, store, catalogue, documents, clock)
  }

  async close(): Promise<void> {
    await this.documents.close()
    await this.store.close()
    await this.engine.close()
  }

  /** What each operation answers: result, version, sequence number and status, or code and reason of its error. */
  async outcome(...operations: WriteOperation[]): Promise<unknown[]> {
    return (await this.documents.apply(operations)).map((result) => {
      if (!('error' in result)) return [result.result, result.version, result.seqNo, result.status]
      return [result.error instanceof AppError ? result.error.code : 'bug', result.error.message]
    })
  }

  /** The visible sources of all indices, by id. */
  async sources(): Promise<Record<string, string>> {
    await this.documents.shown([1])
    const visible = visibleSql(this.documents.visibility(1))
    return Object.fromEntries(await this.engine.rows(sql`SELECT _id, _source FROM events_1 WHERE ${visible}`))
  }

  index(name: string): IndexMeta {
    const index = this.catalogue.index(name)
    if (index === undefined) throw new Error(`BUG: index [${name}] was not made`)
    return index
  }
}

/** New directories for one test file. */
export function temporaryDirectories(): { next(): string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), 'logstack-documents-'))
  let made = 0
  return {
    next() {
      made += 1
      return join(root, String(made))
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** An `index` operation on the index `books`. */
export function index(id: string | undefined, source: unknown, more: Partial<WriteOperation> = {}): WriteOperation {
  const given = id === undefined ? {} : { id }
  return { action: 'index', index: 'books', source: Buffer.from(JSON.stringify(source)), ...given, ...more }
}

/** A `delete` operation on the index `books`. */
export function remove(id: string, more: Partial<WriteOperation> = {}): WriteOperation {
  return { action: 'delete', index: 'books', id, ...more }
}

/** An `update` operation on the index `books`. */
export function update(id: string, body: UpdateRequest): WriteOperation {
  return { action: 'update', index: 'books', id, update: body }
}
