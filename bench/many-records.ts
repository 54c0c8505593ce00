// Measures what many users, roles, role mappings, API keys, templates and pipelines cost: `node tools/run-ts.mjs bench/many-records.ts [of each] [templates]`.
// Two searches side by side, one with as many of each as there are rounds, one with many; each request on both in turn. Prints Markdown.
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { createStore } from '../apps/search/src/store/lmdb-store.ts'
import type { Store } from '../apps/search/src/store/store.ts'
import { type WireAnswer, type WireRequest, wireClient } from '../apps/search/src/testing/https-client.ts'
import { startSearch, type TestSearch } from '../packages/testkit/src/index.ts'

const many = Number(process.argv[2] ?? 5_000)
const manyTemplates = Number(process.argv[3] ?? 2_000)
const rounds = 21
const warmUps = 3
const few = rounds + warmUps
const documents = 500
const password = 'password-of-everyone'

type Client = ReturnType<typeof wireClient>
type Json = Readonly<Record<string, unknown>>

interface Side {
  readonly search: TestSearch
  readonly client: Client
  /** The id and the secret that all keys share. */
  readonly key: { readonly id: string; readonly key: string }
}

async function ask(client: Client, path: string, request: WireRequest = {}): Promise<WireAnswer> {
  const answer = await client.send(path, request)
  if (answer.status >= 300) throw new Error(`${request.method ?? 'GET'} ${path}: ${answer.status} ${answer.text}`)
  return answer
}

const put = (client: Client, path: string, body: object) => ask(client, path, { method: 'PUT', body })

function bulkOf(count: number, of: (at: number) => object): Buffer {
  return Buffer.from(Array.from({ length: count }, (_, at) => `{"create":{}}\n${JSON.stringify(of(at))}\n`).join(''))
}

const eventOf = (at: number) => ({
  '@timestamp': new Date(Date.UTC(2026, 10, 21) + at * 1000).toISOString(),
  message: `Failed password for user${at % 97} from 10.0.0.${at % 250}`,
  host: { name: `web-${at % 9}` },
})
const ndjson = { 'content-type': 'application/x-ndjson' }
const events = bulkOf(documents, eventOf)

/** One of each, made as a client makes it: the others are copies of what search keeps of them. */
async function makeFirst(client: Client): Promise<Side['key']> {
  const mappings = {
    properties: { '@timestamp': { type: 'date' }, host: { properties: { name: { type: 'keyword' } } } },
  }
  const settings = { 'index.default_pipeline': 'copied-0' }
  await put(client, '/_ingest/pipeline/copied-0', { processors: [{ set: { field: 'seen', value: true } }] })
  await put(client, '/_component_template/copied-0', { template: { mappings } })
  await put(client, '/_index_template/copied-0', {
    index_patterns: ['made-0-*'],
    composed_of: ['copied-0'],
    priority: 9,
  })
  await put(client, '/_template/copied-0', { index_patterns: ['old-0-*'], mappings })
  const indices = [{ names: ['logs', 'made-*'], privileges: ['read', 'write', 'create_index'] }]
  await put(client, '/_security/role/copied-0', { cluster: ['monitor'], indices })
  await put(client, '/_security/user/copied-0', { password, roles: ['copied-0'] })
  const rules = { field: { username: 'copied-0' } }
  await put(client, '/_security/role_mapping/copied-0', { enabled: true, roles: ['copied-0'], rules })
  await put(client, '/logs', { mappings, settings })
  await ask(client, '/logs/_bulk', { method: 'POST', body: events, headers: ndjson })
  const key = await ask(client, '/_security/api_key', { method: 'POST', body: { name: 'copied' } })
  const { id, api_key } = key.json() as { readonly id: string; readonly api_key: string }
  return { id, key: api_key }
}

/** Copies what search keeps of the first of each until there are so many. */
async function copy(store: Store, { id }: Side['key'], each: number, templates: number): Promise<void> {
  const kinds: readonly (readonly [
    collection: string,
    first: string,
    count: number,
    of: (name: string, at: number) => Json,
  ])[] = [
    ['security_user', 'copied-0', each, (username) => ({ username })],
    ['security_role', 'copied-0', each, () => ({})],
    ['security_role_mapping', 'copied-0', each, (username) => ({ rules: { field: { username } } })],
    ['security_api_key', id, each, (name) => ({ id: name })],
    ['index_template', 'copied-0', templates, (_, at) => ({ index_patterns: [`made-${at}-*`] })],
    ['component_template', 'copied-0', templates, () => ({})],
    ['template', 'copied-0', templates, (_, at) => ({ index_patterns: [`old-${at}-*`] })],
    ['ingest_pipeline', 'copied-0', templates, () => ({})],
  ]
  await store.transaction(() => {
    for (const [collection, first, count, of] of kinds) {
      const kept = store.collection<Json>(collection)
      const model = kept.get(first)
      if (!model) throw new Error(`${collection} keeps no ${first}: the way records are kept has changed`)
      for (let at = 1; at < count; at += 1) kept.put(`copied-${at}`, { ...model, ...of(`copied-${at}`, at) })
    }
  })
}

async function makeSide(each: number, templates: number): Promise<Side> {
  const search = await startSearch({ env: { LOGSTACK_LOG_LEVEL: 'error' } })
  const auth = `${search.username}:${search.password}`
  const client = wireClient({ port: Number(new URL(search.url).port), ca: search.ca, auth })
  const key = await makeFirst(client)
  await search.kill()
  const store = createStore(join(search.dataDir, 'catalogue'))
  await copy(store, key, each, templates)
  await store.close()
  await search.restart()
  return { search, client, key }
}

/** What is measured: a request of one side, `at` counts the rounds. */
const requests: readonly (readonly [string, (side: Side, at: number) => Promise<unknown>])[] = [
  [
    'who am I, by password, first time',
    ({ client }, at) => ask(client, '/_security/_authenticate', { auth: `copied-${at}:${password}` }),
  ],
  [
    'who am I, by password, known',
    ({ client }) => ask(client, '/_security/_authenticate', { auth: `copied-0:${password}` }),
  ],
  [
    'who am I, by API key',
    ({ client, key }, at) => {
      const pair = `${at === 0 ? key.id : `copied-${at}`}:${key.key}`
      const authorization = `ApiKey ${Buffer.from(pair).toString('base64')}`
      return ask(client, '/_security/_authenticate', { auth: '', headers: { authorization } })
    },
  ],
  ['index a document', ({ client }, at) => ask(client, '/logs/_doc', { ...asCopied, body: eventOf(at) })],
  [
    'index a document, its index made by a template',
    ({ client }, at) => ask(client, `/made-${at}-x/_doc`, { ...asCopied, body: eventOf(at) }),
  ],
  ['bulk of 500', ({ client }) => ask(client, '/logs/_bulk', { ...asCopied, body: events, headers: ndjson })],
  [
    'search',
    ({ client }) => ask(client, '/logs/_search?q=host.name:web-3&request_cache=false', { auth: asCopied.auth }),
  ],
  [
    'make an index template',
    ({ client }, at) => put(client, `/_index_template/own-${at}`, { index_patterns: [`own-${at}-*`] }),
  ],
  ['make a user', ({ client }, at) => put(client, `/_security/user/own-${at}`, { password, roles: [] })],
  [
    'log in for a token',
    ({ client }) =>
      ask(client, '/_security/oauth2/token', {
        method: 'POST',
        body: { grant_type: 'password', username: 'copied-0', password },
      }),
  ],
  ['_cat/templates', ({ client }) => ask(client, '/_cat/templates')],
  ['all users', ({ client }) => ask(client, '/_security/user')],
]
const asCopied = { method: 'POST', auth: `copied-0:${password}` }

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

const sides: Side[] = []
try {
  const [left, right] = [await makeSide(few, few), await makeSide(many, manyTemplates)]
  sides.push(left, right)
  console.log(
    `load ${loadavg()[0]?.toFixed(1)}; ${few} of each, against ${many} users, roles, role mappings and API keys, ${manyTemplates} templates of each kind and pipelines\n`,
  )
  console.log('| request | few, ms | many, ms | ratio |\n|---|---|---|---|')
  for (const [name, request] of requests) {
    const times: readonly [number[], number[]] = [[], []]
    for (let at = 0; at < few; at += 1) {
      const pair = [await timed(() => request(left, at)), await timed(() => request(right, at))] as const
      if (at < warmUps) continue
      times[0].push(pair[0])
      times[1].push(pair[1])
    }
    const [one, other] = times.map(median)
    console.log(`| ${name} | ${one?.toFixed(1)} | ${other?.toFixed(1)} | ${((other ?? 0) / (one ?? 1)).toFixed(2)} |`)
  }
} finally {
  for (const { client, search } of sides) {
    client.close()
    await search.stop()
  }
}
