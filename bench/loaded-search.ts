// A search in the process of a measurement, with documents of the big5 shape in it, that notes which statements it runs.
import { mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseBulk } from '../apps/search/src/documents/bulk-parser.ts'
import type { Engine } from '../apps/search/src/engine/engine.ts'
import { type OpenServices, openServices } from '../apps/search/src/testing/search-services.ts'
import { type Counts, mapping, writeCorpus } from './documents.mjs'

/** The index that holds the documents. */
export const index = 'bench-big5'

const seedDefault = 1

export interface LoadedSearch {
  readonly services: OpenServices
  /** What is known of the documents, counted while they were written. */
  readonly counts: Counts
  /** Runs something; answers what runs the statements of it again, one after the other, without search around them. */
  statementsOf(work: () => Promise<unknown>): Promise<{ readonly count: number; run(): Promise<void> }>
  /** Closes it and removes its folder. */
  close(): Promise<void>
}

const compileScript = (): never => {
  throw new Error('BUG: the corpus has no scripts')
}

/** Opens a search in a temporary folder and writes `count` documents. */
export async function openLoadedSearch(count: number, seed = seedDefault): Promise<LoadedSearch> {
  const directory = mkdtempSync(join(tmpdir(), 'logstack-bench-'))
  let statements: (() => Promise<unknown>)[] = []
  const noting = (plain: Engine): Engine => ({
    ...plain,
    rows: (query, options) => {
      statements.push(() => plain.bytes(query, 'JSONCompactEachRow', weightOf(options)))
      return plain.rows(query, options)
    },
    bytes: (query, format, options) => {
      statements.push(() => plain.bytes(query, format, weightOf(options)))
      return plain.bytes(query, format, options)
    },
  })
  const services = await openServices(directory, { around: noting })
  await services.catalogue.createIndex({ name: index, mappings: mapping })
  const counts = await write(services, join(directory, 'corpus.ndjson'), count, seed)
  return {
    services,
    counts,
    async statementsOf(work) {
      statements = []
      await work()
      const own = statements
      return {
        count: own.length,
        async run() {
          for (const statement of own) await statement()
        },
      }
    },
    async close() {
      await services.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** In the same sessions, without a request that could end it. */
const weightOf = (options: Parameters<Engine['rows']>[1]) => (options?.weight ? { weight: options.weight } : {})

async function write({ documents }: OpenServices, file: string, count: number, seed: number): Promise<Counts> {
  const { bodies, counts } = writeCorpus(file, count, seed)
  const descriptor = openSync(file, 'r')
  for (const { length, offset } of bodies) {
    const body = Buffer.allocUnsafe(length)
    readSync(descriptor, body, 0, length, offset)
    for (const result of await documents.apply(parseBulk(body, { index, compileScript })))
      if ('error' in result) throw result.error
  }
  return counts
}
