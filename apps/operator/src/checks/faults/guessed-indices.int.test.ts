import { expect, test } from 'vitest'
import { setAside } from '../../mending/make-by-template.ts'
import { indexTemplatesStep } from '../../steps/index-templates.ts'
import { faultOnSearch } from '../../testing/fault-on-search.ts'
import { runStep } from '../../testing/test-stack.ts'
import { guessedIndices } from './guessed-indices.ts'
import { indexTemplates } from './index-templates.ts'

const on = faultOnSearch(guessedIndices, [indexTemplates, guessedIndices])
const { client, look, mend } = on

const time = '2026-01-01T00:00:00Z'
const event = { '@timestamp': time, host: { name: 'web1' }, source: { ip: '192.0.2.1' } }

async function write(index: string, documents: readonly unknown[]): Promise<void> {
  const lines = documents.flatMap((document, at) => [
    JSON.stringify({ create: { _index: index, _id: String(at) } }),
    JSON.stringify(document),
  ])
  const body = `${lines.join('\n')}\n`
  const contentType = 'application/x-ndjson'
  const query = { refresh: 'true' }
  const answer = await client().request({ method: 'POST', path: '/_bulk', query, body, contentType })
  expect(answer.body).toMatchObject({ errors: false })
}

/** What a request that deletes everything leaves behind, once a client wrote on. */
async function guess(index: string, documents: readonly unknown[]): Promise<void> {
  await client().request({ method: 'DELETE', path: '/_index_template/logstack-*' })
  await write(index, documents)
}

/** The ids of the documents in an index or data stream. */
async function idsIn(index: string): Promise<string[]> {
  const path = `/${index}/_search`
  const { body } = await client().request<{ hits: { hits: { _id: string }[] } }>({
    method: 'POST',
    path,
    body: { size: 10_000 },
  })
  return body.hits.hits.map(({ _id }) => _id).sort()
}

async function isStream(name: string): Promise<boolean> {
  return (await client().request({ method: 'GET', path: `/_data_stream/${name}`, accept: [404] })).status === 200
}

test('every document of a plain index gets into the data stream in whose place it was', async () => {
  expect(await look()).toMatchObject({ status: 'healthy' })
  const events = Array.from({ length: 1_201 }, (_, number) => ({ ...event, number }))
  await guess('logs-app-default', events)
  await guess('endpoint-things', [event])
  // Under a template of the user's own it is what it shall be.
  const own = { index_patterns: ['logs-own-*'], priority: 400 }
  await client().request({ method: 'PUT', path: '/_index_template/own', body: own })
  await write('logs-own-1', [event])
  expect(await look()).toMatchObject({
    status: 'fault',
    problem: 'indices were made without their template: logs-app-default, endpoint-things',
    evidence: [
      'logs-app-default is a plain index in the place of a data stream',
      'endpoint-things maps host.name as text',
    ],
  })
  expect(await mend()).toMatchObject([
    { check: 'index-templates', end: 'mended' },
    { check: 'guessed-indices', end: 'mended', detail: 'none was made without its own' },
  ])
  expect(await isStream('logs-app-default')).toBe(true)
  expect(await idsIn('logs-app-default')).toEqual(events.map(({ number }) => String(number)).sort())
  expect(await idsIn('endpoint-things')).toEqual(['0'])
  const aggs = { hosts: { terms: { field: 'host.name' } } }
  const { body } = await client().request({
    method: 'POST',
    path: '/logs-app-default,endpoint-things/_search',
    body: { size: 0, aggs },
  })
  expect(body).toMatchObject({ aggregations: { hosts: { buckets: [{ key: 'web1', doc_count: 1_202 }] } } })
  const left = await client().request({ method: 'GET', path: '/set-aside-*/_count' })
  expect(left.body).toMatchObject({ count: 0 })
}, 120_000)

test('what the template refuses stays aside, with the reason', async () => {
  await guess('logs-odd-default', [event, { ...event, source: { ip: 'LOCAL' } }, { host: { name: 'web1' } }])
  await runStep(indexTemplatesStep, on.stack)
  const [record] = await mend()
  expect(record).toMatchObject({ end: 'mended' })
  const said = expect.stringMatching(
    /^set-aside-logs-odd-default keeps 2 documents that logs-odd-default refused: .*LOCAL.*DELETE \/set-aside-logs-odd-default/s,
  )
  expect(record?.detail).toEqual(said)
  expect(await look()).toMatchObject({ status: 'information', detail: said })
  expect(await idsIn('logs-odd-default')).toEqual(['0'])
  expect(await idsIn('set-aside-logs-odd-default')).toEqual(['1', '2'])
  // Another time: what was left before is no hindrance.
  await client().request({ method: 'DELETE', path: '/_data_stream/logs-odd-default' })
  await guess('logs-odd-default', [event])
  expect(await mend()).toMatchObject([{ end: 'mended' }, { end: 'mended' }])
  expect(await idsIn('logs-odd-default')).toEqual(['0'])
  expect(await idsIn('set-aside-logs-odd-default')).toEqual(['1', '2'])
  await client().request({ method: 'DELETE', path: '/set-aside-logs-odd-default' })
}, 120_000)

test('a repair that was cut off is gone on with', async () => {
  await guess('logs-cut-default', [event])
  await runStep(indexTemplatesStep, on.stack)
  await setAside(client(), { name: 'logs-cut-default', isStream: true }, { waiting: () => undefined })
  expect(await look()).toMatchObject({ problem: 'documents of logs-cut-default are still set aside' })
  expect(await mend()).toMatchObject([{ end: 'mended' }])
  expect(await idsIn('logs-cut-default')).toEqual(['0'])
}, 120_000)

test('where the documents cannot be copied nothing is deleted, and writers go on', async () => {
  await guess('logs-kept-default', [event])
  await runStep(indexTemplatesStep, on.stack)
  const mappings = { properties: { host: { properties: { name: { type: 'integer' } } } } }
  await client().request({ method: 'PUT', path: '/set-aside-logs-kept-default', body: { mappings } })
  expect(await mend()).toMatchObject([{ end: 'failed' }])
  expect(await idsIn('logs-kept-default')).toEqual(['0'])
  const later = { method: 'PUT', path: '/logs-kept-default/_doc/later', body: event } as const
  expect(await client().request(later)).toMatchObject({ status: 201 })
}, 120_000)
