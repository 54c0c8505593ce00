import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../api/define-route.ts'
import { routes } from '../api/index.ts'
import { type WireClient, wireClient } from '../testing/https-client.ts'

/** Every route against everyone, from the list the server itself reads: a new route without a privilege fails here. */

const secret = 'zq-secret'
const index = `${secret}-index`
let search: TestSearch
let client: WireClient

/** Routes every user may ask: they show or do only what the asker's own roles allow, or are about the asker. */
const forEveryUser = [
  'cat.help',
  'indices.analyze',
  'async_search.submit',
  'async_search.get',
  'async_search.status',
  'async_search.delete',
  'count',
  'eql.search',
  'eql.get',
  'eql.get_status',
  'eql.delete',
  'esql.query',
  'esql.async_query',
  'esql.async_query_get',
  'esql.async_query_stop',
  'esql.async_query_delete',
  'field_caps',
  'terms_enum',
  'msearch',
  'msearch_template',
  'open_point_in_time',
  'close_point_in_time',
  'create_pit',
  'delete_pit',
  'get_all_pits',
  'delete_all_pits',
  'rank_eval',
  'reindex',
  'scroll',
  'clear_scroll',
  'search',
  'search_template',
  'render_search_template',
  'indices.validate_query',
  'security.get_token',
  'security.authenticate',
  'security.has_privileges',
  'security.get_user_privileges',
  'security.change_password',
  // Either the privilege over all keys or that over one's own.
  'security.get_api_key',
  'security.query_api_keys',
  'security.invalidate_api_key',
]
/** Routes to which an index that may not be read is one that is not there. */
const unknownToOthers = ['eql.search']
const forAnyone = ['logstack.health']
/** Routes that answer 403 to everybody who may ask them. */
const neverDone = ['license.post_start_basic', 'license.post_start_trial']

const write = `${JSON.stringify({ create: { _index: index, _id: '9' } })}\n{"${secret}":1}\n`
const msearch = `${JSON.stringify({ index })}\n{}\n`

/** Bodies of routes that read them before they look at indices. */
const bodies: Readonly<Record<string, string | object>> = {
  bulk: write,
  msearch,
  msearch_template: `${JSON.stringify({ index })}\n${JSON.stringify({ source: { query: { match_all: {} } } })}\n`,
  rank_eval: {
    requests: [{ id: 'a', request: { query: { match_all: {} } }, ratings: [] }],
    metric: { recall: {} },
  },
  search_template: { source: { query: { match_all: {} } } },
  explain: { query: { match_all: {} } },
  delete_by_query: { query: { match_all: {} } },
  'indices.put_alias': { alias: 'other' },
  'indices.update_aliases': { actions: [{ add: { index, alias: 'other' } }] },
  reindex: { source: { index }, dest: { index: 'other' } },
  update: { doc: { a: 1 } },
  mget: { docs: [{ _index: index, _id: '1' }] },
  termvectors: { fields: ['*'] },
  terms_enum: { field: 'a' },
  'eql.search': { query: 'any where true' },
  'esql.query': { query: `FROM ${index}` },
  'esql.async_query': { query: `FROM ${index}` },
  mtermvectors: { docs: [{ _index: index, _id: '1' }] },
  'indices.put_mapping': { properties: { b: { type: 'keyword' } } },
  'indices.put_settings': { 'index.priority': 3 },
  'indices.analyze': { text: 'a' },
  'snapshot.create_repository': { type: 'fs', settings: { location: 'x' } },
  'snapshot.create': { indices: 'other', ignore_unavailable: true, include_global_state: false },
  'snapshot.clone': { indices: 'other' },
  'snapshot.restore': { indices: 'other' },
  'security.get_token': { grant_type: 'password', username: 'nobody', password: 'wrong-password' },
}

/** Parameters that routes ask for before they look at indices. */
const parameters: Readonly<Record<string, string>> = {
  field_caps: '?fields=*',
  open_point_in_time: '?keep_alive=1m',
  create_pit: '?keep_alive=1m',
  index: '?op_type=create',
}

/** Routes about the cluster that ask, as Elasticsearch does, for a privilege of the indices they are told to show, too. */
const ofIndicesToo: Readonly<Record<string, string>> = {
  'cat.indices': 'monitor',
  'cat.segments': 'monitor',
  'cat.shards': 'monitor',
}

interface Cell {
  readonly route: Route
  readonly method: string
  readonly path: string
  /** The path names the index. */
  readonly isNamed: boolean
}

function fill(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (['index', 'name', 'target', 'alias'].includes(name)) return index
    if (name === 'block') return 'write'
    if (name === 'metric') return 'docs'
    return name === 'id' ? '1' : 'x'
  })
}

const cells: readonly Cell[] = routes.flatMap((route) =>
  route.paths.flatMap((path) =>
    route.methods
      .filter((method) => method !== 'HEAD')
      .map((method) => {
        return { route, method, path: fill(path) + (parameters[route.name] ?? ''), isNamed: path.includes('{index}') }
      }),
  ),
)

function send({ route, method, path }: Cell, auth: string) {
  const body = bodies[route.name] ?? (method === 'GET' || method === 'DELETE' ? undefined : {})
  const headers = typeof body === 'string' ? { 'content-type': 'application/x-ndjson' } : {}
  return client.send(path, { method, auth, headers, ...(body === undefined ? {} : { body }) })
}

interface Named {
  readonly cluster?: string
  readonly index?: string
}

/** Every privilege that a route names. */
const named: readonly Named[] = [
  ...new Map(
    routes.flatMap(({ privilege }): [string, Named][] =>
      typeof privilege === 'object' ? [[JSON.stringify(privilege), privilege]] : [],
    ),
  ).values(),
]
/** Who has that privilege, and no other; the role is called the same. */
const holderOf = ({ cluster, index: ofIndex }: Named): string =>
  `has-${cluster === undefined ? 'index' : 'cluster'}-${cluster ?? ofIndex}`

const privilegeOf = ({ route }: Cell): string => JSON.stringify(route.privilege)
const isCluster = ({ route }: Cell): boolean => typeof route.privilege === 'object' && 'cluster' in route.privilege
const shown = ({ method, path }: Cell, answer: { status: number; text: string }): string =>
  `${method} ${path} ${answer.status} ${answer.text.slice(0, 200)}`

async function state(): Promise<string> {
  const answers = await Promise.all(
    ['/_count', '/_mapping', '/_settings', '/_alias'].map((what) =>
      client.send(`/${index}${what}?filter_path=-_shards`),
    ),
  )
  return answers.map(({ text }) => text).join('\n')
}

beforeAll(async () => {
  search = await startSearch()
  const auth = `${search.username}:${search.password}`
  client = wireClient({ port: Number(new URL(search.url).port), ca: search.ca, auth })
  const mappings = { properties: { [`${secret}-field`]: { type: 'keyword' } } }
  await client.send(`/${index}`, { method: 'PUT', body: { mappings, aliases: { [`${secret}-alias`]: {} } } })
  await client.send(`/${index}/_doc/1`, { method: 'PUT', body: { [`${secret}-field`]: `${secret}-value` } })
  await client.send('/_security/role/nothing', { method: 'PUT', body: { cluster: [], indices: [] } })
  const user = { password: 'password-of-nobody', roles: ['nothing'] }
  await client.send('/_security/user/nobody', { method: 'PUT', body: user })
  for (const privilege of named) {
    const { cluster, index: ofIndex } = privilege
    const indices =
      ofIndex === undefined ? [] : [{ names: ['*'], privileges: [ofIndex], allow_restricted_indices: true }]
    const role = { cluster: cluster === undefined ? [] : [cluster], indices }
    const holder = holderOf(privilege)
    await client.send(`/_security/role/${holder}`, { method: 'PUT', body: role })
    const body = { password: 'password-of-holder', roles: [holder] }
    await client.send(`/_security/user/${holder}`, { method: 'PUT', body })
  }
})

afterAll(async () => {
  client?.close()
  await search?.stop()
})

describe('every route', () => {
  it('says who may ask it; only what is about the asker is for every user', () => {
    const open = routes.filter(({ privilege }) => privilege === 'authenticated' || privilege === 'anonymous')
    expect(open.map(({ name }) => name).filter((name) => ![...forEveryUser, ...forAnyone].includes(name))).toEqual([])
  })

  it('refuses who does not log in', async () => {
    const wrong: string[] = []
    for (const cell of cells) {
      const answer = await send(cell, '')
      if (answer.status !== (cell.route.privilege === 'anonymous' ? 200 : 401)) wrong.push(shown(cell, answer))
    }
    expect(wrong).toEqual([])
  })

  it('refuses a user without privileges what it names, and shows nothing of what it does not name', async () => {
    const before = await state()
    const wrong: string[] = []
    for (const cell of cells.filter(({ route }) => route.privilege !== 'anonymous')) {
      const answer = await send(cell, 'nobody:password-of-nobody')
      // Requests of several items answer for each by itself.
      const isRefused = answer.status === 403 || (answer.status === 200 && answer.text.includes('"security_exception"'))
      const isQuiet = answer.status < 500 && (cell.path.includes(index) || !answer.text.includes(index))
      if (/zq-secret-(?:field|value|alias)/.test(answer.text)) wrong.push(shown(cell, answer))
      const isUnknown = unknownToOthers.includes(cell.route.name) && answer.status === 404
      if (isUnknown) continue
      if (isCluster(cell) || cell.isNamed ? !isRefused : !(isRefused || isQuiet)) {
        wrong.push(`${privilegeOf(cell)} ${shown(cell, answer)}`)
      }
    }
    expect(wrong).toEqual([])
    expect(await state()).toBe(before)
  })

  it('lets whoever has just the privilege it names', async () => {
    const wrong: string[] = []
    // What takes the index away comes last: what is not there is made at the first write, which is another privilege.
    const last = ({ method, route }: Cell): number =>
      Number(method === 'DELETE') + Number(route.name === 'indices.delete')
    for (const cell of [...cells].sort((a, b) => last(a) - last(b))) {
      const { privilege } = cell.route
      if (typeof privilege !== 'object') continue
      const answer = await send(cell, `${holderOf(privilege)}:password-of-holder`)
      const isDenied = [401, 403].includes(answer.status) && !neverDone.includes(cell.route.name)
      const isRefused = isDenied || answer.text.includes('"security_exception"')
      const needsMore = Object.hasOwn(ofIndicesToo, cell.route.name)
      if (isRefused !== needsMore || answer.status >= 500) wrong.push(`${privilegeOf(cell)} ${shown(cell, answer)}`)
    }
    expect(wrong).toEqual([])
  })

  it('about the cluster that is told an index asks for no more than it says', async () => {
    await client.send(`/${index}`, { method: 'PUT', body: {} })
    const told = cells.filter(({ route, isNamed }) => isNamed && Object.hasOwn(ofIndicesToo, route.name))
    expect(new Set(told.map(({ route }) => route.name))).toEqual(new Set(Object.keys(ofIndicesToo)))
    for (const cell of told) {
      const indices = [{ names: [index], privileges: [ofIndicesToo[cell.route.name]] }]
      await client.send('/_security/role/both', { method: 'PUT', body: { cluster: ['monitor'], indices } })
      await client.send('/_security/user/both', {
        method: 'PUT',
        body: { password: 'password-of-both', roles: ['both'] },
      })
      const answer = await send(cell, 'both:password-of-both')
      expect(answer.status, shown(cell, answer)).toBe(200)
    }
  })
})
