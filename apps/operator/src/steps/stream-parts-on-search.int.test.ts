import { afterAll, beforeAll, expect, it } from 'vitest'
import { type StackOnSearch, stackOnSearch } from '../testing/stack-on-search.ts'

let on: StackOnSearch
beforeAll(async () => {
  on = await stackOnSearch()
})
afterAll(() => on.remove())

async function ask<T>(method: 'GET' | 'PUT' | 'POST', path: string, body?: object): Promise<T> {
  return (await on.stack.clients.search().request<T>({ method, path, ...(body ? { body } : {}) })).body
}

interface Hits {
  readonly hits: { readonly hits: readonly { readonly _source: Record<string, unknown> }[] }
}
const sourceIn = async (index: string) => (await ask<Hits>('GET', `/${index}/_search`)).hits.hits[0]?._source

it('lets logs@custom change what new streams of logs map and are set to', async () => {
  await ask('POST', '/logs-before-default/_doc?refresh=true', { '@timestamp': '2026-11-28T00:00:00Z', message: 'a b' })
  await ask('PUT', '/_component_template/logs@custom', {
    template: {
      settings: { index: { default_pipeline: 'logs@default-pipeline', number_of_replicas: 0 } },
      mappings: { properties: { message: { type: 'keyword' }, shift: { type: 'integer' } } },
    },
  })
  await ask('PUT', '/_ingest/pipeline/logs@custom', { processors: [{ set: { field: 'shift', value: 2 } }] })
  await ask('POST', '/logs-after-default/_doc?refresh=true', { message: 'a b', source: { ip: '10.0.0.1' } })
  const mappings = await ask<Record<string, { mappings: { properties: Record<string, { type?: string }> } }>>(
    'GET',
    '/logs-*-default/_mapping',
  )
  const typesOf = (stream: string) => {
    const [, found] = Object.entries(mappings).find(([name]) => name.includes(stream)) ?? []
    return [found?.mappings.properties['message']?.type, found?.mappings.properties['shift']?.type]
  }
  expect([typesOf('before'), typesOf('after')]).toEqual([
    ['match_only_text', undefined],
    ['keyword', 'integer'],
  ])
  expect(await sourceIn('logs-after-default')).toEqual({
    message: 'a b',
    source: { ip: '10.0.0.1' },
    shift: 2,
    '@timestamp': expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/u),
  })
})

it('composes templates of others of the parts that Elasticsearch has, by their names', async () => {
  await ask('PUT', '/_index_template/logs-shop', {
    index_patterns: ['logs-shop.*-*'],
    priority: 200,
    data_stream: {},
    composed_of: ['logs@mappings', 'logs@settings', 'logs@custom', 'logs-shop@custom', 'ecs@mappings'],
    ignore_missing_component_templates: ['logs@custom', 'logs-shop@custom'],
  })
  await ask('PUT', '/_index_template/metrics-shop', {
    index_patterns: ['metrics-shop.*-*'],
    priority: 200,
    data_stream: {},
    composed_of: ['metrics@mappings', 'metrics@settings', 'metrics@tsdb-settings', 'ecs@mappings'],
  })
  const data_stream = { type: 'logs', dataset: 'shop.till', namespace: 'default' }
  const event = { data_stream, client: { ip: '10.0.0.1' }, http: { response: { status_code: 'none' } } }
  await ask('POST', '/logs-shop.till-default/_doc?refresh=true', event)
  const query = {
    bool: { filter: [{ term: { 'data_stream.type': 'logs' } }, { term: { 'client.ip': '10.0.0.0/8' } }] },
  }
  const found = await ask<Hits>('POST', '/logs-shop.till-default/_search', { query, _source: ['@timestamp'] })
  expect(found.hits.hits).toMatchObject([{ _source: { '@timestamp': expect.any(String) } }])
})

it('takes messages apart that are JSON, with the pipeline for that', async () => {
  const docs = ['{"level":"warn","n":1}', '{broken', 'plain'].map((message) => ({ _source: { message } }))
  const { docs: done } = await ask<{ docs: { doc: { _source: object } }[] }>(
    'POST',
    '/_ingest/pipeline/logs@json-pipeline/_simulate',
    { docs },
  )
  expect(done.map(({ doc }) => doc._source)).toEqual([
    expect.objectContaining({ level: 'warn', n: 1 }),
    expect.not.objectContaining({ level: expect.anything() }),
    expect.objectContaining({ message: 'plain' }),
  ])
})
