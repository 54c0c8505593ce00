import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'

/** One request that the fake saw. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly authorization: string
  readonly body: string
}

/** A search that knows one user and keeps documents; it speaks just enough for the dashboard's tests. */
export interface FakeSearch {
  readonly url: string
  readonly seen: SeenRequest[]
  readonly liveTokens: Set<string>
  /** How many requests to `/slow*` were dropped by their sender before an answer. */
  dropped: number
  readonly documents: Map<string, { source: Record<string, unknown>; seqNo: number }>
  close(): Promise<void>
}

export const fakeUser = { username: 'elastic', password: 'correct horse', roles: ['superuser'] }
export const fakeReader = { username: 'reader', password: 'just looking', roles: ['viewer'] }
const serviceUser = { username: 'logstack_dashboard', password: 'service secret', roles: ['logstack_dashboard'] }
const users = [fakeUser, fakeReader, serviceUser]

/** Starts the fake on a free port of loopback. */
export async function startFakeSearch(tls: { cert: string; key: string }): Promise<FakeSearch> {
  const state: FakeSearch = {
    url: '',
    seen: [],
    liveTokens: new Set(),
    dropped: 0,
    documents: new Map(),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  const server: Server = createServer(tls, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => answer(state, request, response, Buffer.concat(chunks).toString('utf8')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return Object.assign(state, { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

function answer(
  state: FakeSearch,
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
): ServerResponse | undefined {
  const path = decodeURIComponent((request.url ?? '/').split('?')[0] ?? '/')
  const authorization = request.headers.authorization ?? ''
  const method = request.method ?? 'GET'
  state.seen.push({ method, path: request.url ?? '', authorization, body })
  const send: Send = (status, json) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' })
    return response.end(JSON.stringify(json))
  }
  if (path === '/_security/oauth2/token') return tokens(state, method, JSON.parse(body), send)
  const user = userOf(state, authorization)
  if (!user) {
    const reason = `unable to authenticate user [x] for REST request [${path}]`
    return send(401, { error: { type: 'security_exception', reason }, status: 401 })
  }
  if (path.startsWith('/slow')) {
    response.on('close', () => {
      if (!response.writableFinished) state.dropped++
    })
    return undefined
  }
  if (path === '/_security/_authenticate') return send(200, { username: user.username, roles: user.roles })
  if (path === '/') return send(200, { version: { number: '8.19.4', build_type: 'logstack' }, tagline: 'x' })
  if (path === '/_cluster/health') return send(200, { status: 'green', active_shards: 3 })
  if (path.startsWith('/.logstack-saved-objects') || path === '/_bulk') {
    if (user !== serviceUser) return send(403, { error: { type: 'security_exception', reason: 'not yours' } })
    return documents(state, method, path, body, send)
  }
  return send(200, { echo: { method, path: request.url, body, user: user.username } })
}

type Send = (status: number, json: unknown) => ServerResponse

function tokens(
  state: FakeSearch,
  method: string,
  body: Record<string, string>,
  send: Send,
): ServerResponse | undefined {
  if (method === 'DELETE') {
    const invalidated = state.liveTokens.delete(body['token'] ?? '') ? 1 : 0
    return send(200, { invalidated_tokens: invalidated, error_count: 0 })
  }
  const { username, password, refresh_token: refresh } = body
  const user = refresh
    ? users.find((candidate) => refresh.startsWith(`refresh-${candidate.username}-`))
    : users.find((candidate) => candidate.username === username && candidate.password === password)
  if (!user) return send(401, { error: { type: 'security_exception', reason: 'unable to authenticate user' } })
  const token = `token-${user.username}-${state.seen.length}`
  state.liveTokens.add(token)
  return send(200, {
    access_token: token,
    type: 'Bearer',
    expires_in: 1200,
    refresh_token: `refresh-${user.username}-${state.seen.length}`,
  })
}

function userOf(state: FakeSearch, authorization: string): (typeof users)[number] | undefined {
  const [scheme, value = ''] = authorization.split(' ')
  if (scheme === 'Bearer' && state.liveTokens.has(value)) return users.find((user) => value.includes(user.username))
  if (scheme !== 'Basic') return undefined
  const [username, password] = Buffer.from(value, 'base64').toString().split(':')
  return users.find((user) => user.username === username && user.password === password)
}

function documents(
  state: FakeSearch,
  method: string,
  path: string,
  body: string,
  send: Send,
): ServerResponse | undefined {
  if (path === '/_bulk') return send(200, { errors: false, items: bulk(state, body) })
  if (path === '/.logstack-saved-objects') return send(200, { acknowledged: true })
  if (path.endsWith('/_search')) {
    const request: SearchBody = JSON.parse(body)
    const found = [...state.documents.entries()].filter(([, entry]) => matches(entry.source, request))
    return send(200, { hits: { total: { value: found.length }, hits: pageOf(found, request) } })
  }
  if (path.endsWith('/_mget')) {
    const { ids } = JSON.parse(body) as { readonly ids: readonly string[] }
    return send(200, { docs: ids.map((id) => stored(state, id)) })
  }
  const id = path.slice('/.logstack-saved-objects/_doc/'.length)
  const document = stored(state, id)
  if (method === 'DELETE') state.documents.delete(id)
  return document.found ? send(200, document) : send(404, { ...document, result: 'not_found' })
}

interface SearchBody {
  readonly query: { bool: { filter: unknown[] } }
  readonly size: number
  readonly sort: readonly object[]
  readonly search_after?: readonly string[]
  readonly _source?: readonly string[]
}

type Entry = [id: string, entry: { source: Record<string, unknown>; seqNo: number }]

/** As search answers it: in the order that was asked for, behind the place of the page before, with the chosen fields. */
function pageOf(found: readonly Entry[], { size, sort, search_after: after, _source: fields }: SearchBody): unknown[] {
  const placed = found.map(([id, { source, seqNo }]) => {
    const place = sort.flatMap(Object.keys).map((field) => String(source[field]))
    return { _id: id, _source: chosen(source, fields), _seq_no: seqNo, _primary_term: 1, sort: place }
  })
  const inOrder = placed.sort((left, right) => (JSON.stringify(left.sort) < JSON.stringify(right.sort) ? -1 : 1))
  return inOrder.filter((hit) => !after || JSON.stringify(hit.sort) > JSON.stringify(after)).slice(0, size)
}

function chosen(source: Record<string, unknown>, fields: readonly string[] | undefined): Record<string, unknown> {
  if (!fields) return source
  const attributes = Object.entries(source['attributes'] ?? {}).filter(([name]) =>
    fields.includes(`attributes.${name}`),
  )
  const own = Object.entries(source).filter(([name]) => fields.includes(name))
  return Object.fromEntries(attributes.length > 0 ? [...own, ['attributes', Object.fromEntries(attributes)]] : own)
}

function stored(state: FakeSearch, id: string) {
  const entry = state.documents.get(id)
  if (!entry) return { _id: id, found: false }
  return { _id: id, found: true, _source: entry.source, _seq_no: entry.seqNo, _primary_term: 1 }
}

function bulk(state: FakeSearch, body: string): unknown[] {
  const lines = body.trim().split('\n')
  const items: unknown[] = []
  for (let at = 0; at < lines.length; at += 2) {
    const [action, { _id }] = Object.entries(JSON.parse(lines[at] ?? '{}'))[0] as [string, { _id: string }]
    const exists = state.documents.has(_id)
    if (action === 'create' && exists) {
      items.push({
        create: { _id, status: 409, error: { type: 'version_conflict_engine_exception', reason: 'exists' } },
      })
      continue
    }
    state.documents.set(_id, { source: JSON.parse(lines[at + 1] ?? '{}'), seqNo: state.seen.length })
    items.push({ [action]: { _id, status: exists ? 200 : 201 } })
  }
  return items
}

function matches(source: Record<string, unknown>, body: SearchBody): boolean {
  return body.query.bool.filter.every((clause) => {
    const { term, terms } = clause as { term?: Record<string, string>; terms?: Record<string, string[]> }
    if (terms) return Object.entries(terms).every(([field, values]) => values.includes(String(source[field])))
    return Object.entries(term ?? {}).every(
      ([field, value]) => field.startsWith('references.') || source[field] === value,
    )
  })
}
