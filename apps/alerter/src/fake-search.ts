import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { testCertificates } from '@logstack/testkit'

interface Stored {
  readonly seqNo: number
  readonly source: Record<string, unknown>
}

/**
 * The few endpoints of Elasticsearch that the alerter uses, over HTTPS, in memory. Filters are not evaluated beyond the range of
 * sequence numbers and `logstack.alert.delivery`: what an index holds is what matches.
 */
export class FakeSearch {
  readonly indices = new Map<string, Map<string, Stored>>()
  readonly requests: string[] = []
  #server: Server | undefined
  #port = 0

  async start(): Promise<void> {
    const { cert, key } = await testCertificates()
    const server = createServer({ cert, key }, (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { pathname } = new URL(request.url ?? '/', 'https://search')
        this.requests.push(`${request.method} ${pathname}`)
        const { status = 200, body } = this.#answer(request.method ?? '', pathname, Buffer.concat(chunks).toString())
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      })
    })
    this.#server = server
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (server.address() as AddressInfo).port
  }

  /** Ends the server and every connection; `start` brings it back at the same port with what it held. */
  async stop(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise((resolve) => this.#server?.close(resolve) ?? resolve(undefined))
    this.#server = undefined
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`
  }

  put(index: string, id: string, source: Record<string, unknown>): void {
    const documents = this.indices.get(index) ?? new Map<string, Stored>()
    this.indices.set(index, documents)
    const seqNo = Math.max(-1, ...[...documents.values()].map((stored) => stored.seqNo)) + 1
    documents.set(id, { seqNo, source })
  }

  documents(index: string): [string, Record<string, unknown>][] {
    return [...(this.indices.get(index) ?? [])].map(([id, { source }]) => [id, source])
  }

  #answer(method: string, path: string, text: string): { status?: number; body: unknown } {
    const [, first = '', second = '', third = ''] = path.split('/').map(decodeURIComponent)
    if (path === '/') return { body: { version: { number: '8.19.0', build_type: 'logstack' } } }
    if (path === '/_bulk') return { body: this.#bulk(text) }
    if (path === '/_logstack/checkpoints') return { body: this.#checkpoints(text) }
    if (first === '_resolve') {
      const prefix = third.replace(/\*$/, '')
      return {
        body: { indices: [...this.indices.keys()].filter((name) => name.startsWith(prefix)).map((name) => ({ name })) },
      }
    }
    const documents = this.indices.get(first)
    if (method === 'PUT' && second === '') {
      if (documents) return { status: 400, body: { error: { type: 'resource_already_exists_exception' } } }
      this.indices.set(first, new Map())
      return { body: { acknowledged: true } }
    }
    if (second === '_mapping') return { body: { [first]: { mappings: { _meta: { version: 1 } } } } }
    if (second === '_refresh') return { body: {} }
    if (second === '_fleet') {
      const checkpoint = Math.max(-1, ...[...(documents?.values() ?? [])].map(({ seqNo }) => seqNo))
      return { body: { global_checkpoints: [checkpoint], timed_out: false } }
    }
    if (second === '_search') return { body: { hits: { hits: this.#search(first, text) } } }
    if (second === '_doc' && method === 'PUT') {
      this.put(first, third, JSON.parse(text))
      return { body: { result: 'created' } }
    }
    if (second === '_doc') {
      const found = documents?.get(third)
      return found ? { body: { _source: found.source } } : { status: 404, body: { found: false } }
    }
    return { status: 400, body: { error: { type: 'illegal_argument_exception', reason: `${method} ${path}` } } }
  }

  #checkpoints(text: string): unknown {
    const { expressions } = JSON.parse(text) as { expressions: string[] }
    const namesOf = (expression: string): string[] =>
      [...this.indices.keys()].filter((name) =>
        expression.endsWith('*') ? name.startsWith(expression.slice(0, -1)) : name === expression,
      )
    const found = expressions.map((expression) => [expression, namesOf(expression)] as const)
    const indices = found.flatMap(([, names]) =>
      names.map((name) => {
        const written = Math.max(-1, ...[...(this.indices.get(name)?.values() ?? [])].map(({ seqNo }) => seqNo))
        return [name, { uuid: name, checkpoint: written, written }]
      }),
    )
    return { expressions: Object.fromEntries(found), indices: Object.fromEntries(indices) }
  }

  #search(index: string, text: string): unknown[] {
    const request = JSON.parse(text) as { size: number; query: { bool?: { filter?: unknown[] }; term?: unknown } }
    const range = JSON.stringify(request.query.bool?.filter?.[0] ?? null).match(/"gt":(-?\d+),"lte":(-?\d+)/)
    const [after, upTo] = range ? [Number(range[1]), Number(range[2])] : [-1, Number.POSITIVE_INFINITY]
    return [...(this.indices.get(index) ?? [])]
      .filter(([, { seqNo }]) => seqNo > after && seqNo <= upTo)
      .filter(([, { source }]) => !request.query.term || JSON.stringify(source).includes('"delivery":"pending"'))
      .slice(0, request.size)
      .map(([id, { seqNo, source }]) => ({ _index: index, _id: id, _seq_no: seqNo, _source: source }))
  }

  #bulk(text: string): unknown {
    const lines = text.trim().split('\n')
    const items: unknown[] = []
    while (lines.length > 0) {
      const [[action, { _index: index, _id: id }]] = Object.entries(JSON.parse(lines.shift() ?? '')) as [
        [string, { _index: string; _id: string }],
      ]
      const document = JSON.parse(lines.shift() ?? '') as Record<string, unknown>
      const known = this.indices.get(index)?.get(id)
      if (action === 'create' && known) {
        items.push({
          create: { status: 409, _id: id, error: { type: 'version_conflict_engine_exception', reason: 'x' } },
        })
        continue
      }
      this.put(index, id, action === 'update' ? merged(known?.source ?? {}, document['doc']) : document)
      items.push({ [action]: { status: action === 'create' ? 201 : 200, _id: id } })
    }
    return { errors: false, items }
  }
}

function merged(target: Record<string, unknown>, change: unknown): Record<string, unknown> {
  const result = { ...target }
  for (const [name, value] of Object.entries(change as Record<string, unknown>)) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    result[name] = isObject ? merged((target[name] ?? {}) as Record<string, unknown>, value) : value
  }
  return result
}
