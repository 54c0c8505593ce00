import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromNpm, startSearch, type TempDir, type TestSearch, tempDir } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireClient } from '../testing/https-client.ts'
import { authorityFile, observer, runClient } from './run-client.testing.ts'
import { sampleEvents, sampleMappings } from './sample-events.testing.ts'

// elasticdump copies an index into files and back, as people do who move from one cluster to another.
const elasticdump = await fromNpm(['elasticdump@6.125.1'])
const skip = elasticdump.missing ?? false

let search: TestSearch
let client: WireClient
let program: string
let scratch: TempDir

beforeAll(async () => {
  if (skip) return
  program = join(await elasticdump.folder(), 'node_modules/elasticdump/bin/elasticdump')
  scratch = tempDir('logstack-elasticdump')
  search = await startSearch()
  client = observer(search)
})

afterAll(async () => {
  client?.close()
  await search?.stop()
  scratch?.remove()
})

const settings = {
  index: { analysis: { analyzer: { quiet: { type: 'custom', tokenizer: 'whitespace', filter: ['lowercase'] } } } },
}
const mappings = { properties: { ...sampleMappings.properties, quiet: { type: 'text', analyzer: 'quiet' } } }
// Elasticdump takes five batches in five seconds and no more.
const events = sampleEvents(700).map((event) => ({ ...event, quiet: `Say ${event.n}` }))

async function dump(type: string, input: string, output: string, ...more: string[]): Promise<void> {
  const env = { NODE_EXTRA_CA_CERTS: await authorityFile() }
  const args = [`--type=${type}`, `--input=${input}`, `--output=${output}`, '--limit=200', ...more]
  const { code, stdout, stderr } = await runClient([process.execPath, program, ...args], { env })
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
}

function indexUrl(index: string): string {
  const url = new URL(search.url)
  return `https://${search.username}:${search.password}@${url.host}/${index}`
}

async function documents(index: string, query: object = { match_all: {} }): Promise<[string, unknown][]> {
  const body = { query, size: 1_000, sort: [{ n: 'asc' }] }
  const answer = (await client.send(`/${index}/_search`, { method: 'POST', body })).json() as {
    readonly hits: { readonly hits: readonly { readonly _id: string; readonly _source: unknown }[] }
  }
  return answer.hits.hits.map(({ _id, _source }) => [_id, _source])
}

async function mappingOf(index: string): Promise<unknown> {
  const answer = (await client.send(`/${index}/_mapping`)).json() as Record<string, { mappings: unknown }>
  return answer[index]?.mappings
}

describe.skipIf(skip)(`elasticdump${skip ? ` (${skip})` : ''}`, () => {
  const file = (name: string): string => join(scratch.path, name)

  beforeAll(async () => {
    await client.send('/dumped', { method: 'PUT', body: { settings, mappings } })
    const lines = events.map((event) => `{"index":{"_id":"n/${event.n}"}}\n${JSON.stringify(event)}\n`).join('')
    const headers = { 'content-type': 'application/x-ndjson' }
    expect((await client.send('/dumped/_bulk', { method: 'POST', body: lines, headers })).status).toBe(200)
    await client.send('/_aliases', { method: 'POST', body: { actions: [{ add: { index: 'dumped', alias: 'all' } }] } })
  })

  it('writes analyzers, mapping and documents into files', async () => {
    await dump('analyzer', indexUrl('dumped'), file('analyzer.json'))
    await dump('mapping', indexUrl('dumped'), file('mapping.json'))
    await dump('data', indexUrl('dumped'), file('data.json'))
    expect(JSON.parse(readFileSync(file('mapping.json'), 'utf8'))).toEqual({ dumped: { mappings } })
    const lines = readFileSync(file('data.json'), 'utf8').trim().split('\n')
    const dumped = lines.map((line) => JSON.parse(line) as { _id: string; _source: { n: number } })
    expect(dumped.toSorted((a, b) => a._source.n - b._source.n)).toEqual(
      events.map((event) => expect.objectContaining({ _index: 'dumped', _id: `n/${event.n}`, _source: event })),
    )
  })

  it('makes the same index of these files', async () => {
    await dump('analyzer', file('analyzer.json'), indexUrl('restored'))
    await dump('mapping', file('mapping.json'), indexUrl('restored'))
    await dump('data', file('data.json'), indexUrl('restored'))
    expect(await mappingOf('restored')).toEqual(mappings)
    const restored = await documents('restored')
    expect(restored).toEqual(events.map((event) => [`n/${event.n}`, event]))
    expect((await documents('restored', { match: { quiet: 'SAY' } })).length).toBe(events.length)
  })

  it('copies what a query finds from index to index, by a point in time', async () => {
    const searchBody = JSON.stringify({ query: { term: { level: 'error' } } })
    const ways = ['--searchAfter', '--pit', `--searchBody=${searchBody}`]
    await dump('data', indexUrl('dumped'), indexUrl('copied'), ...ways)
    const errors = events.filter(({ level }) => level === 'error')
    expect(await documents('copied')).toEqual(errors.map((event) => [`n/${event.n}`, event]))
  })

  it('brings aliases back', async () => {
    const aliases = async () => (await client.send('/dumped/_alias')).json()
    await dump('alias', indexUrl('dumped'), file('alias.json'))
    await client.send('/dumped/_alias/all', { method: 'DELETE' })
    expect(await aliases()).toEqual({ dumped: { aliases: {} } })
    await dump('alias', file('alias.json'), indexUrl('dumped'))
    expect(await aliases()).toEqual({ dumped: { aliases: { all: {} } } })
  })
})
