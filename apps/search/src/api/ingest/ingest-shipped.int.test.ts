import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const send = searchOverWire()

const folder = join(import.meta.dirname, '../../../../../rules/pipelines')
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

interface BulkAnswer {
  readonly items: readonly { readonly index: { readonly result?: string; readonly error?: unknown } }[]
}

it('what the shipped pipelines make of their samples can be stored', async () => {
  const faults: unknown[] = []
  for (const name of names) {
    const put = await send(`/_ingest/pipeline/${name}`, {
      method: 'PUT',
      body: JSON.parse(readFileSync(join(folder, name, 'pipeline.json'), 'utf8')) as Record<string, unknown>,
    })
    if (put.status !== 200) faults.push([name, put.json()])
    const samples = readFileSync(join(folder, name, 'samples.ndjson'), 'utf8')
      .trim()
      .split('\n')
    const written = await send(`/shipped-${name}/_bulk?pipeline=${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: samples.map((sample) => `{"index":{}}\n${sample}\n`).join(''),
    })
    const { items } = written.json() as BulkAnswer
    expect(items).toHaveLength(samples.length)
    faults.push(...items.filter(({ index }) => index.error !== undefined).map(({ index }) => [name, index.error]))
  }
  expect(faults).toEqual([])
  const found = await send('/shipped-nginx-access/_search', {
    method: 'POST',
    body: {
      query: { bool: { filter: [{ match: { 'user_agent.name': 'curl' } }, { exists: { field: 'source.ip' } }] } },
    },
  })
  expect(found.json()).toMatchObject({ hits: { total: { value: 1 } } })
})
