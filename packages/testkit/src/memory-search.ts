import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TestCertificates } from './certificates.ts'

/** One request as a handler sees it. */
interface Call {
  readonly method: string
  readonly path: readonly string[]
  readonly authorization: string
  readonly body: string
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

type Documents = Map<string, unknown>

/** A search that keeps documents in memory and speaks the few requests the other parts make: documents, bulk, match-all search, `_authenticate`. */
export interface MemorySearch {
  readonly url: string
  /** Index or data stream → id → document. */
  readonly indices: Map<string, Map<string, unknown>>
  /** How often a `create` met a document that was there: resends. */
  readonly conflicts: number
  /** While true every request is answered 503. */
  unavailable: boolean
  /** Answers a bulk item with this status and reason instead of storing it; undefined stores it. */
  refuse: ((index: string, document: unknown) => { status: number; reason: string } | undefined) | undefined
  close(): Promise<void>
}

/** Starts one on a free port of 127.0.0.1. `users` are `name:password` pairs that may do everything; asked for privileges, only `sender` has them. */
export async function memorySearch(certificates: TestCertificates, users: readonly string[]): Promise<MemorySearch> {
  const state = new State(users)
  const server = createServer({ cert: certificates.cert, key: certificates.key }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { status, body } = state.answer({
        method: request.method ?? '',
        path: (request.url ?? '').split('?')[0]?.split('/').filter(Boolean).map(decodeURIComponent) ?? [],
        authorization: request.headers.authorization ?? '',
        body: Buffer.concat(chunks).toString('utf8'),
      })
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await listen(server)
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    url: `https://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve())
  })
}

const notFound: Answer = { status: 404, body: { found: false } }

class State {
  readonly indices = new Map<string, Documents>()
  conflicts = 0
  unavailable = false
  refuse: MemorySearch['refuse']
  readonly #users: ReadonlyMap<string, string>

  constructor(users: readonly string[]) {
    this.#users = new Map(users.map((user) => [Buffer.from(user).toString('base64'), user.split(':')[0] ?? '']))
  }

  answer(call: Call): Answer {
    if (this.unavailable)
      return { status: 503, body: { error: { type: 'unavailable', reason: 'told to be' }, status: 503 } }
    const user = this.#users.get(call.authorization.replace('Basic ', ''))
    if (user === undefined) {
      return {
        status: 401,
        body: { error: { type: 'security_exception', reason: 'unable to authenticate' }, status: 401 },
      }
    }
    const [first = '', second] = call.path
    if (first === '') return { status: 200, body: { version: { number: '8.19.0', build_type: 'logstack' } } }
    if (first === '_bulk') return this.#bulk(call.body)
    if (first === '_security' && second === '_authenticate') {
      return { status: 200, body: { username: user, roles: user === 'elastic' ? ['superuser'] : [user] } }
    }
    if (first === '_security') return { status: 200, body: { has_all_requested: user === 'sender' } }
    if (second === undefined) return this.#createIndex(call, first)
    return this.#documents(call, first)
  }

  #createIndex({ method }: Call, name: string): Answer {
    if (method !== 'PUT') return notFound
    if (this.indices.has(name)) {
      return { status: 400, body: { error: { type: 'resource_already_exists_exception', reason: name }, status: 400 } }
    }
    this.indices.set(name, new Map())
    return { status: 200, body: { acknowledged: true } }
  }

  #documents({ method, path, body }: Call, index: string): Answer {
    const [, kind, id = ''] = path
    const documents = this.#index(index)
    if (kind === '_mapping') return { status: 200, body: { [index]: { mappings: { _meta: { version: 1_000 } } } } }
    if (kind === '_search') {
      const { size, search_after: after } = JSON.parse(body || '{}') as { size?: number; search_after?: [number] }
      const all = [...documents].map(([_id, _source], at) => ({ _index: index, _id, _source, sort: [at] }))
      const from = after ? after[0] + 1 : 0
      const hits = all.slice(from, from + (size ?? all.length))
      return { status: 200, body: { hits: { total: { value: all.length, relation: 'eq' }, hits } } }
    }
    if (kind === '_mget') {
      const { ids } = JSON.parse(body) as { ids: string[] }
      const docs = ids.map((_id) => ({ _id, found: documents.has(_id), _source: documents.get(_id) }))
      return { status: 200, body: { docs } }
    }
    if (kind === '_create' && documents.has(id))
      return { status: 409, body: { error: { type: 'conflict' }, status: 409 } }
    if (method === 'PUT') {
      documents.set(id, JSON.parse(body))
      return { status: 201, body: { result: 'created' } }
    }
    if (method === 'DELETE') return documents.delete(id) ? { status: 200, body: { result: 'deleted' } } : notFound
    const found = documents.get(id)
    return found === undefined ? notFound : { status: 200, body: { found: true, _id: id, _source: found } }
  }

  #bulk(body: string): Answer {
    const lines = body.split('\n').filter(Boolean)
    const items: unknown[] = []
    for (let at = 0; at < lines.length; at += 2) {
      const [action = '', target] = Object.entries(JSON.parse(lines[at] ?? '{}') as Record<string, BulkTarget>)[0] ?? []
      if (action === 'delete') {
        const was = this.#index(target?._index ?? '').delete(target?._id ?? '')
        items.push({ delete: { ...target, status: was ? 200 : 404 } })
        // It has no line of its own.
        at -= 1
        continue
      }
      const item = this.#store(action, target ?? { _index: '' }, JSON.parse(lines[at + 1] ?? 'null'))
      items.push({ [action]: { _index: target?._index, _id: target?._id, ...item } })
    }
    return { status: 200, body: { errors: false, items } }
  }

  #store(action: string, { _index, _id = '' }: BulkTarget, document: unknown) {
    const refused = this.refuse?.(_index, document)
    if (refused) return { status: refused.status, error: { type: 'refused', reason: refused.reason } }
    const documents = this.#index(_index)
    if (action === 'update') {
      const before = documents.get(_id)
      if (before === undefined) return { status: 404, error: { type: 'document_missing_exception', reason: 'missing' } }
      documents.set(_id, { ...(before as object), ...(document as { doc: object }).doc })
      return { status: 200 }
    }
    if (action === 'create' && documents.has(_id)) {
      this.conflicts += 1
      return { status: 409, error: { type: 'version_conflict_engine_exception', reason: 'there already' } }
    }
    documents.set(_id, document)
    return { status: 201 }
  }

  #index(name: string): Documents {
    const documents = this.indices.get(name) ?? new Map()
    this.indices.set(name, documents)
    return documents
  }
}

interface BulkTarget {
  readonly _index: string
  readonly _id?: string
}
