import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { createLogger } from '@logstack/logging'
import { createChdbEngine } from '../engine/chdb.ts'
import { createCatalogue } from '../indices/lmdb-catalogue.ts'
import { createStore } from '../store/lmdb-store.ts'
import { createDocuments } from './group-commit.ts'
import type { WriteOperation } from './write-operation.ts'

// The process that the crash test kills: several clients write without an end and say on standard output, in JSON lines, what they are about to
// do (`intent`) and what was acknowledged (`ack`).

const clients = 6
const keysOfClient = 15
const operationsMax = 25
const dropOneIn = 8

/**
 * What a request does: a value for a key, null where it deletes it; `unique` documents have automatic ids, and are kept with their index. `dropped`
 * is an index that is deleted as a whole.
 */
export interface CrashIntent {
  readonly client: number
  readonly keys: Readonly<Record<string, number | null>>
  readonly unique: Readonly<Record<string, string>>
  readonly dropped?: string
}

export type CrashLine = { readonly intent: CrashIntent } | { readonly ack: number } | { readonly ready: true }

function say(line: CrashLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}

let state = 1

/** The same numbers for the same seed; when what happens still differs from run to run. */
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

function requestOf(
  client: number,
  serial: string,
  value: number,
): { intent: CrashIntent; operations: WriteOperation[] } {
  const keys: Record<string, number | null> = {}
  const unique: Record<string, string> = {}
  const operations: WriteOperation[] = []
  const index = random(3) === 0 ? 'others' : 'books'
  for (let at = 0; at <= random(operationsMax); at += 1) {
    const key = `c${client}-${index}-${random(keysOfClient)}`
    const kind = random(4)
    if (kind === 0 || Object.hasOwn(keys, key)) {
      const home = random(3) === 0 ? ownIndex(client) : index
      unique[`${serial}-${at}`] = home
      const source = Buffer.from(JSON.stringify({ u: `${serial}-${at}`, [`f${random(30)}`]: random(100) }))
      operations.push({ action: 'create', index: home, source })
    } else if (kind === 1) {
      keys[key] = null
      operations.push({ action: 'delete', index, id: key })
    } else {
      keys[key] = value
      const body = { k: key, v: value }
      operations.push(
        kind === 2
          ? { action: 'index', index, id: key, source: Buffer.from(JSON.stringify(body)) }
          : { action: 'update', index, id: key, update: { doc: body, docAsUpsert: true } },
      )
    }
  }
  return { intent: { client, keys, unique }, operations }
}

/** An index that one client alone writes to, and deletes now and then. */
const ownIndex = (client: number): string => `own-${client}`

async function main(directory: string, run: number, seed: number): Promise<void> {
  state = Math.imul(seed, 7_919) + run
  const logger = createLogger('crash', 'silent')
  const engine = await createChdbEngine({ directory: join(directory, 'engine') })
  const store = createStore(join(directory, 'catalogue'))
  const catalogue = await createCatalogue({ store, engine, now: Date.now, logger })
  const documents = await createDocuments({
    engine,
    store,
    catalogue,
    logger,
    directory: join(directory, 'segments'),
    now: Date.now,
    // Every other run drafts batches upon those that are on their way to the disk; two of three write segments over those that were inserted.
    limits: {
      batchOperationsMax: 60,
      smallBatchOperations: run % 2 === 0 ? 20 : 1_000,
      commitIntervalMs: 1,
      purgeDelayMs: 30,
      sweepIntervalMs: 200,
      spareBytesMin: run % 3 === 0 ? 1024 ** 2 : 0,
    },
  })
  for (const index of ['books', 'others']) await catalogue.writeTarget(index, { requireAlias: false, create: true })
  say({ ready: true })
  const write = async (client: number): Promise<never> => {
    for (let count = 0; ; count += 1) {
      const own = catalogue.index(ownIndex(client))
      if (own !== undefined && random(dropOneIn) === 0) {
        say({ intent: { client, keys: {}, unique: {}, dropped: own.name } })
        await catalogue.deleteIndex(own)
        say({ ack: client })
        continue
      }
      const { intent, operations } = requestOf(client, `${run}-${client}-${count}`, run * 1_000_000 + count)
      say({ intent })
      for (const result of await documents.apply(operations))
        if ('error' in result) throw new Error('BUG: a write failed', { cause: result.error })
      say({ ack: client })
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => write(client)))
}

const [directory, run, seed] = process.argv.slice(2)
if (directory !== undefined) await main(directory, Number(run), Number(seed))
