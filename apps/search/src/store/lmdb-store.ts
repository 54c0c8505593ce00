import { mkdirSync } from 'node:fs'
import { AppError, isAppError, messageOf, searchErrors } from '@logstack/errors'
import { open, type RootDatabase } from 'lmdb'
import { CollectionChanges, TransactionChanges } from './collection-changes.ts'
import { saysFull } from './says-full.ts'
import type { Collection, Store } from './store.ts'

type Key = readonly [collection: string, key: string]
type Database = RootDatabase<unknown, [string, string]>

/** One step of the format: brings a store from version `to - 1` to `to`, inside the transaction that records the new version. */
interface Migration {
  readonly to: number
  run(database: Database): void
}

/** Ordered, never edited once released; the last one's `to` is the version this program writes. */
const migrations: readonly Migration[] = []

/** The format version of stores this program makes. */
export const storeFormatVersion = migrations.at(-1)?.to ?? 1

const formatKey: [string, string] = ['', 'format']
/** Keys of the database hold 1,978 bytes, a collection's name with them. */
const keyBytesMax = 1_800
/** Sorts after every string key of a collection: bytes of a longer key never begin with it. */
const afterAllKeys = '\u{10FFFF}'

function migrate(database: Database): void {
  const found = database.get(formatKey)
  if (found === undefined) {
    database.transactionSync(() => database.putSync(formatKey, storeFormatVersion))
    return
  }
  if (typeof found !== 'number' || found > storeFormatVersion)
    throw new AppError(
      searchErrors.store_too_new,
      `the catalogue has format [${String(found)}], this version of search reads up to [${storeFormatVersion}]`,
      { fix: 'start the version of search that wrote this data directory, or a newer one' },
    )
  database.transactionSync(() => {
    for (const migration of migrations) if (migration.to > found) migration.run(database)
    database.putSync(formatKey, storeFormatVersion)
  })
}

function openDatabase(directory: string): Database {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    // Without overlappingSync a commit's promise resolves after its fsync, which is what durable means here.
    return open<unknown, [string, string]>({
      path: directory,
      noSubdir: false,
      overlappingSync: false,
      // The promise of a turn's batch is the library's own: nobody could hear that it was refused, and that would end the process.
      eventTurnBatching: false,
      encoding: 'msgpack',
      ...{ encoder: { useRecords: false } },
    })
  } catch (thrown) {
    throw new AppError(searchErrors.store_unreadable, `the catalogue cannot be opened: ${messageOf(thrown)}`, {
      cause: thrown,
    })
  }
}

/** Of a commit that failed the library gives the reason as a promise that is rejected with it. */
async function reasonOf(thrown: unknown): Promise<unknown> {
  const { commitError } = Object(thrown) as { readonly commitError?: Promise<never> }
  return commitError === undefined ? thrown : commitError.catch((reason: unknown) => reason)
}

/** The error of a commit that failed; ends the process where that has broken the database. */
async function unwritten(thrown: unknown, database: Database | undefined): Promise<AppError> {
  const reason = await reasonOf(thrown)
  const text = `the catalogue could not be written: ${messageOf(reason)}`
  const fix = saysFull(reason)
    ? 'free space on the disk of the data directory'
    : 'see what the kernel says of the disk (dmesg)'
  const error = new AppError(searchErrors.store_write_failed, text, { cause: reason, fix })
  if (database) endIfBroken(database, error)
  return error
}

/**
 * Ends the process where a failed commit has left a database that neither reads nor writes (the page that says what is valid could not be written, nor
 * the one before it put back). A new start opens what was valid before.
 */
function endIfBroken(database: Database, error: AppError): void {
  try {
    database.get(formatKey)
  } catch {
    setImmediate(() => {
      throw error
    })
  }
}

function rangeOf(collection: string): { start: [string, string]; end: [string, string] } {
  return { start: [collection, ''], end: [collection, afterAllKeys] }
}

function* entriesOf<T>(database: Database, collection: string): Generator<readonly [string, T]> {
  // Read to the end at once: an open cursor would see a later snapshot than its first row.
  for (const entry of [...database.getRange(rangeOf(collection))])
    yield [(entry.key as Key)[1], entry.value as T] as const
}

function collectionOf<T>(
  database: Database,
  name: string,
  { changing, changes }: { changing(key: string): void; readonly changes: CollectionChanges },
): Collection<T> {
  if (name === '') throw new Error('BUG: a collection has a name')
  const at = (key: string): [string, string] => [name, key]
  return {
    // Nothing is kept under a key that the database has no room for.
    get: (key) => (Buffer.byteLength(key) > keyBytesMax ? undefined : (database.get(at(key)) as T | undefined)),
    entries: () => entriesOf<T>(database, name),
    firstKeys: (max) => [...database.getKeys({ ...rangeOf(name), limit: max })].map((key) => (key as Key)[1]),
    version: () => changes.version,
    changedSince: (version) => changes.since(version),
    put(key, value) {
      changing(key)
      database.putSync(at(key), value)
    },
    remove(key) {
      changing(key)
      database.removeSync(at(key))
    },
  }
}

/**
 * Opens (or makes) the store in a directory of its own. Values are anything MessagePack holds: plain objects, arrays, strings, numbers,
 * bigints, booleans, null, buffers. Throws `store_too_new` and `store_unreadable`.
 */
export function createStore(directory: string): Store {
  const database = openDatabase(directory)
  migrate(database)
  let closed = false
  const changesOf = new Map<string, CollectionChanges>()
  /** Of the transaction whose work runs now. */
  let running: TransactionChanges | undefined
  const waiting = new Set<Promise<unknown>>()

  function changing(changes: CollectionChanges, key: string): void {
    if (!running) throw new Error('BUG: the catalogue was changed outside a transaction')
    running.add(changes, key)
  }

  function run<T>(work: () => T, changes: TransactionChanges): T {
    running = changes
    try {
      const result = work()
      if (result instanceof Promise) throw new Error('BUG: work of a catalogue transaction is asynchronous')
      return result
    } finally {
      running = undefined
    }
  }

  async function commit<T>(work: () => T): Promise<T> {
    let refused: { readonly reason: unknown } | undefined
    const own = new TransactionChanges()
    try {
      return await database.childTransaction(() => {
        try {
          return run(work, own)
        } catch (thrown) {
          refused = { reason: thrown }
          throw thrown
        }
      })
    } catch (thrown) {
      if (refused !== undefined) throw refused.reason
      throw isAppError(thrown) ? thrown : await unwritten(thrown, closed ? undefined : database)
    } finally {
      // Others read the state of before until here, whether it was committed or not.
      own.end()
    }
  }

  return {
    collection<T>(name: string) {
      const changes = changesOf.get(name) ?? new CollectionChanges()
      changesOf.set(name, changes)
      return collectionOf<T>(database, name, { changing: (key) => changing(changes, key), changes })
    },
    transaction(work) {
      const outcome = commit(work)
      const settled = outcome.catch(() => undefined).finally(() => waiting.delete(settled))
      waiting.add(settled)
      return outcome
    },
    async close() {
      // The database would refuse what waits; the callers of those transactions were promised an outcome of theirs.
      await Promise.allSettled(waiting)
      closed = true
      await database.close()
    },
  }
}
