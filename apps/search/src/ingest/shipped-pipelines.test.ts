import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildPipeline } from './build-pipeline.ts'
import type { Pipeline } from './define-processor.ts'
import type { GeoDatabase, GeoDatabases } from './geo/databases.ts'
import { IngestDocument } from './ingest-document.ts'
import { runPipeline } from './run-steps.ts'
import { noSources } from './testing/no-sources.ts'

type Source = Record<string, unknown>

const folder = join(import.meta.dirname, '../../../../rules/pipelines')
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
const nowMs = Date.UTC(2026, 10, 22, 12)

const place = {
  city: { names: { en: 'Munich' } },
  country: { iso_code: 'DE', names: { en: 'Germany' } },
  location: { latitude: 48.14, longitude: 11.58 },
}
const network = { autonomous_system_number: 64_500, autonomous_system_organization: 'Example' }

function database(type: string, kind: GeoDatabase['kind'], record: unknown): GeoDatabase {
  return { type, kind, lookup: (ip) => (ip.startsWith('203.0.113.') ? { record, prefixBits: 24 } : undefined) }
}

const files: Readonly<Record<string, GeoDatabase>> = {
  'GeoLite2-City.mmdb': database('GeoLite2-City', 'city', place),
  'GeoLite2-ASN.mmdb': database('GeoLite2-ASN', 'asn', network),
}
const databases: GeoDatabases = { find: (file) => files[file], names: () => Object.keys(files) }

function readLines(name: string, file: string): (Source | null)[] {
  return readFileSync(join(folder, name, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Source | null)
}

const built = new Map<string, Pipeline>()

function readPipeline(name: string): Pipeline {
  const known = built.get(name)
  if (known) return known
  const definition = JSON.parse(readFileSync(join(folder, name, 'pipeline.json'), 'utf8')) as Source
  const pipeline = buildPipeline(name, definition, { ...noSources, databases })
  built.set(name, pipeline)
  return pipeline
}

/** What the pipeline of that name makes of a document, while those named are there, too; null when it drops it. */
function run(name: string, source: Source, others: readonly string[] = []): Source | null {
  const document = new IngestDocument(source, { _index: 'logs', _id: '1' }, new Date(nowMs).toISOString())
  const find = (id: string) => (others.includes(id) ? readPipeline(id) : undefined)
  const outcome = runPipeline(readPipeline(name), document, { find, inside: [], nowMs })
  return outcome === 'drop' ? null : document.source()
}

const isFailure = (document: Source | null): boolean =>
  (document?.['event'] as Source | undefined)?.['kind'] === 'pipeline_error'

describe.each(names)('%s', (name) => {
  const samples = readLines(name, 'samples.ndjson')
  const expected = readLines(name, 'expected.ndjson')

  test.each(samples.map((sample, at) => [at + 1, sample] as const))('line %i', (line, sample) => {
    expect(run(name, structuredClone(sample ?? {}))).toEqual(expected[line - 1])
  })

  test('has samples that are read and one that is not, and says what it reads', () => {
    expect(expected).toHaveLength(samples.length)
    expect(expected.some((document) => document !== null && !isFailure(document))).toBe(true)
    expect(expected.some(isFailure)).toBe(true)
    const { description } = JSON.parse(readFileSync(join(folder, name, 'pipeline.json'), 'utf8')) as Source
    expect(description).toMatch(/\S/)
  })

  test('keeps what it cannot read whole, and tells why', () => {
    for (const [at, document] of expected.entries()) {
      if (!isFailure(document)) continue
      const { event, error, ...rest } = document as Source
      const { event: given, ...before } = samples[at] as Source
      expect(rest).toMatchObject(before)
      expect(event).toMatchObject({ ...(given as Source) })
      expect((error as Source)['message']).toEqual([expect.stringMatching(/\S/)])
    }
  })

  test('leaves nothing of its own behind', () => {
    for (const document of expected) expect(document ?? {}).not.toHaveProperty('_tmp')
  })
})

test('there are pipelines of at least two dozen integrations, and nothing else', () => {
  expect(names.length).toBeGreaterThanOrEqual(24)
  for (const name of names) {
    expect(name).toMatch(/^[a-z][a-z0-9-]*$/)
    expect(readdirSync(join(folder, name)).sort()).toEqual(['expected.ndjson', 'pipeline.json', 'samples.ndjson'])
  }
  expect(existsSync(join(folder, 'README.md'))).toBe(true)
})

test('addresses are enriched by a pipeline of their own, where it is there', () => {
  const sample = readLines('nginx-access', 'samples.ndjson')[0] ?? {}
  const document = run('nginx-access', sample, ['enrich-addresses'])
  expect(document?.['source']).toMatchObject({ geo: { city_name: 'Munich' }, as: { number: 64_500 } })
})
