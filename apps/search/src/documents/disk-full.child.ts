import { statfsSync, writeFileSync, writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAppError } from '@logstack/errors'
import { createLogger } from '@logstack/logging'
import { createChdbEngine } from '../engine/chdb.ts'
import { createCatalogue } from '../indices/lmdb-catalogue.ts'
import { createStore } from '../store/lmdb-store.ts'
import { createDocuments } from './group-commit.ts'

// The process of the test of a full disk: its directory is a small file system of its own. It says what it saw as one line of JSON.

/** What happened at each stage: codes of refused writes, `ok` for what went through. */
export interface DiskFullReport {
  readonly before: string
  readonly whileNearlyFull: string
  readonly readWhileNearlyFull: number
  readonly catalogueWhileFull: string
  readonly deletedWhileFull: string
  readonly after: string
  readonly kept: number
}

const mebibyte = 1024 ** 2
const limits = { keepFreeBytes: 64 * mebibyte, reserveBytes: 8 * mebibyte, checkIntervalMs: 50 }
const patienceMs = 60_000

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + patienceMs
  while (!condition() && Date.now() < end) await sleep(20)
}

async function attempt(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
    return 'ok'
  } catch (thrown) {
    return isAppError(thrown) ? thrown.code : String(thrown)
  }
}

async function openAll(directory: string) {
  const logger = createLogger('disk-full', 'silent')
  const engine = await createChdbEngine({ directory: join(directory, 'engine') })
  const store = createStore(join(directory, 'catalogue'))
  const catalogue = await createCatalogue({ store, engine, now: Date.now, logger })
  const segments = join(directory, 'segments')
  const options = { engine, store, catalogue, logger, directory: segments, now: Date.now, limits }
  const documents = await createDocuments(options)
  let written = 0
  return {
    store,
    catalogue,
    async write(): Promise<string> {
      const source = Buffer.from(JSON.stringify({ n: written }))
      const [result] = await documents.apply([{ action: 'index', index: 'books', id: String(written), source }])
      if (result === undefined) return 'no result'
      if ('error' in result)
        return isAppError(result.error) ? `${result.error.code} ${result.error.kind}` : String(result.error)
      written += 1
      return 'ok'
    },
    async readable(): Promise<number> {
      const index = catalogue.index('books')
      if (index === undefined) return -1
      const ids = Array.from({ length: written }, (_, at) => String(at))
      return (await documents.get(index, ids)).filter(Boolean).length
    },
    async close(): Promise<void> {
      await documents.close()
      await store.close()
      await engine.close()
    },
  }
}

function fillToTheLastByte(path: string, bytes: number): void {
  try {
    writeFileSync(path, Buffer.alloc(bytes))
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOSPC')) throw thrown
  }
}

async function main(directory: string): Promise<DiskFullReport> {
  const opened = await openAll(directory)
  const { store, catalogue } = opened
  const [filler, more] = [join(directory, 'filler'), join(directory, 'filler-2')]
  const freeBytes = (): number => {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  }
  const before = await opened.write()
  await catalogue.createIndex({ name: 'old' })
  // Something else takes the space: first nearly all of it, then every byte.
  writeFileSync(filler, Buffer.alloc(Math.max(0, freeBytes() - limits.keepFreeBytes / 2)))
  const whileNearlyFull = await opened.write()
  const readWhileNearlyFull = await opened.readable()
  fillToTheLastByte(more, freeBytes() + mebibyte)
  await until(() => freeBytes() >= limits.reserveBytes / 2)
  const sessions = store.collection<string>('sessions')
  const catalogueWhileFull = await attempt(() => store.transaction(() => sessions.put('token', 'x'.repeat(100_000))))
  const old = catalogue.index('old')
  const deletedWhileFull = await attempt(async () => old && catalogue.deleteIndex(old))
  await rm(filler)
  await rm(more)
  const after = await opened.write()
  const kept = await opened.readable()
  await opened.close()
  return { before, whileNearlyFull, readWhileNearlyFull, catalogueWhileFull, deletedWhileFull, after, kept }
}

const [directory] = process.argv.slice(2)
if (directory !== undefined) writeSync(1, `${JSON.stringify(await main(directory))}\n`)
