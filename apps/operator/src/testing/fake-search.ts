import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

interface StoredUser {
  password: string
  roles: string[]
}

interface Seen {
  readonly method: string
  readonly path: string
}

/** The few requests of search's security and template APIs that steps send, over a real TLS server. */
export interface FakeSearch {
  readonly port: number
  readonly users: Map<string, StoredUser>
  readonly roles: Map<string, unknown>
  readonly templates: Map<string, { version?: number }>
  /** Component templates and pipelines. */
  readonly parts: Map<string, { version?: number; _meta?: object }>
  /** Requests that changed something, in order. */
  readonly changes: Seen[]
  /** Set by a test: a request it names gets no answer, before or after it had its effect. */
  fault: ((request: Seen) => 'cut-before' | 'cut-after' | undefined) | undefined
  close(): Promise<void>
}

/** Starts a fake search that knows the given administrator. */
export async function startFakeSearch(
  tls: { cert: string; key: string },
  administrator: { name: string; password: string },
): Promise<FakeSearch> {
  const users = new Map([[administrator.name, { password: administrator.password, roles: ['superuser'] }]])
  const roles = new Map<string, unknown>()
  const templates = new Map<string, { version?: number }>()
  const parts: FakeSearch['parts'] = new Map()
  const changes: Seen[] = []
  const known: Record<string, (request: Seen & { name: string; body: unknown }) => unknown> = {
    '_security/_authenticate': ({ name }) => ({ username: name, roles: users.get(name)?.roles }),
    '_security/role': ({ method, name, body }) => {
      if (method === 'PUT') roles.set(name, body)
      return roles.has(name) ? { [name]: roles.get(name) } : undefined
    },
    '_security/user': ({ method, path, name, body }) => {
      const before = users.get(name)
      if (method === 'PUT') users.set(name, body as StoredUser)
      else if (path.endsWith('/_password') && before) users.set(name, { ...before, ...(body as StoredUser) })
      const shown = [...users.keys()].map((user): [string, object] => [user, {}])
      const reserved = { metadata: { _reserved: true } }
      return { ...Object.fromEntries(shown), [administrator.name]: reserved, kibana_system: reserved }
    },
    _component_template: ({ method, name, body }) => {
      if (method === 'PUT') parts.set(name, body as object)
      return { component_templates: [...parts].map(([key, found]) => ({ name: key, component_template: found })) }
    },
    '_ingest/pipeline': ({ method, name, body }) => {
      if (method === 'PUT') parts.set(name, body as object)
      return Object.fromEntries(parts)
    },
    _index_template: ({ method, name, body }) => {
      if (method === 'PUT') templates.set(name, body as { version?: number })
      return { index_templates: [...templates].map(([key, found]) => ({ name: key, index_template: found })) }
    },
  }
  const handle = (method: string, path: string, caller: string, body: unknown): [number, unknown] => {
    if (method !== 'GET') changes.push({ method, path })
    const kind = Object.keys(known).find((prefix) => path.startsWith(`/${prefix}`)) ?? ''
    const name = path.slice(kind.length + 2).split('/')[0] || caller
    const answer = known[kind]?.({ method, path, name: decodeURIComponent(name), body })
    return answer === undefined ? [404, {}] : [200, answer]
  }
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  const fake = { port: 0, users, roles, templates, parts, changes, fault: undefined as FakeSearch['fault'], close }
  const server = createServer(tls, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const basic = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString('utf8')
      const caller = basic.slice(0, basic.indexOf(':'))
      const isKnown = users.get(caller)?.password === basic.slice(basic.indexOf(':') + 1)
      const seen = { method: request.method ?? '', path: request.url ?? '' }
      const cut = fake.fault?.(seen)
      const refused = { error: { type: 'security_exception', reason: `unable to authenticate user [${caller}]` } }
      const [status, body] =
        isKnown && cut !== 'cut-before'
          ? handle(request.method ?? '', request.url ?? '', caller, text === '' ? undefined : JSON.parse(text))
          : [401, refused]
      if (cut) return void request.socket.destroy()
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  fake.port = (server.address() as AddressInfo).port
  return fake
}
