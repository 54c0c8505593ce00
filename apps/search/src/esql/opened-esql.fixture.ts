import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Mapping } from '../model/mapping.ts'
import { type OpenServices, openServices } from '../testing/search-services.ts'
import { ask, write } from './run-esql.fixture.ts'

/** What tests of a file ask of one engine, which is open while they run. */
export interface OpenedEsql {
  rows(text: string): Promise<readonly (readonly unknown[])[]>
  /** The types of the columns of an answer. */
  types(text: string): Promise<readonly string[]>
}

/** Opens an engine for the tests of a file, with an index (`docs` unless it is named) of these documents. */
export function openedEsql(
  mapping: Mapping,
  documents: readonly object[],
  { nowMs, index = 'docs' }: { nowMs?: number; index?: string } = {},
): OpenedEsql {
  const directory = mkdtempSync(join(tmpdir(), 'logstack-esql-'))
  let services: OpenServices
  beforeAll(async () => {
    services = await openServices(directory, nowMs === undefined ? {} : { now: () => nowMs })
    await services.catalogue.createIndex({ name: index, mappings: mapping })
    await write(services, index, documents)
  })
  afterAll(async () => {
    await services.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return {
    rows: async (text) => (await ask(services, text)).rows,
    types: async (text) => (await ask(services, text)).columns.map(({ type }) => type),
  }
}
