import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { testCertificates } from '@logstack/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const { dir } = await testCertificates()
const send = searchOverWire({
  env: {
    LOGSTACK_SEARCH_REINDEX_REMOTE_WHITELIST: '127.0.0.1:*',
    LOGSTACK_SEARCH_REINDEX_SSL_CERTIFICATE_AUTHORITIES: join(dir, 'root-ca.crt'),
  },
})

const copy = async (remote: object, source: object, more: object = {}) => {
  const body = { source: { remote, ...source }, dest: { index: 'copied' }, ...more }
  const answer = await send('/_reindex?refresh=true', { method: 'POST', body })
  return { status: answer.status, json: answer.json() as Record<string, unknown> }
}
const copied = async () => {
  const { hits } = Object((await send('/copied/_search?size=100&version=true')).json())
  await send('/copied', { method: 'DELETE' })
  return hits.hits as { _id: string; _routing?: string; _version: number; _source: { n?: number } }[]
}

/** A cluster that is imitated: what it was asked, and its answers by the number of the question. */
type Answer = (request: IncomingMessage, body: string, response: ServerResponse) => object | undefined
const servers: Server[] = []
const imitated = async (answer: Answer) => {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    asked.push(`${request.method} ${request.url}${body === '' ? '' : ` ${body}`}`)
    const json = answer(request, body, response)
    if (json) response.end(JSON.stringify(json))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { host: `http://127.0.0.1:${(server.address() as AddressInfo).port}/before`, asked }
}
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const hit = (n: number) => ({ _index: 'old', _id: `d${n}`, _version: n + 1, _source: { n }, sort: [n] })
const found = (...hits: object[]) => ({ timed_out: false, _shards: { failed: 0 }, hits: { total: { value: 3 }, hits } })

describe('a copy from another cluster', () => {
  it('takes documents over TLS by name and password, just as they were written', async () => {
    const source = '{"a":1.0,"big":9007199254740993,"text":"\\u00e4"}'
    await send('/here/_doc/1?routing=r&refresh=true', {
      method: 'PUT',
      body: source,
      headers: { 'content-type': 'application/json' },
    })
    await send('/here/_doc/2?refresh=true', { method: 'PUT', body: { a: 2 } })
    const remote = { host: send.url(), username: 'elastic', password: send.password() }
    const { status, json } = await copy(remote, { index: 'here', query: { term: { text: 'ä' } } })
    expect({ status, json }).toMatchObject({ status: 200, json: { total: 1, created: 1, batches: 1, failures: [] } })
    const raw = await send('/copied/_source/1?routing=r')
    expect(raw.text).toBe(source)
    expect((await copied()).map(({ _routing }) => _routing)).toEqual(['r'])
    const wrong = await copy({ ...remote, password: 'wrong' }, { index: 'here' })
    expect(wrong).toMatchObject({ status: 401, json: { error: { type: 'status_exception' } } })
    const odd = await copy(remote, { index: 'here', query: { garbage: 'not a query' } })
    expect(odd).toMatchObject({ status: 400 })
    expect(JSON.stringify(odd.json)).toContain('query malformed, no start_object after query name')
  })

  it('asks for a page of a point in time again when it got lost, and goes on', async () => {
    let lost = 0
    const cluster = await imitated(({ url = '' }, body, response) => {
      if (url === '/before/') return { version: { number: '8.19.0' } }
      if (url.includes('/_pit')) return { id: 'p' }
      if (!body.includes('"search_after"')) return found(hit(0), hit(1))
      if (body.includes('"search_after":[2]')) return found()
      if (lost++ === 0) response.destroy()
      else return found(hit(2))
      return undefined
    })
    const { status, json } = await copy({ host: cluster.host }, { index: ['old', 'x y'], size: 2 })
    expect({ status, json }).toMatchObject({ status: 200, json: { created: 3, batches: 2, retries: { search: 1 } } })
    expect((await copied()).map(({ _source }) => _source.n).sort()).toEqual([0, 1, 2])
    expect(cluster.asked.at(1)).toBe('POST /before/old,x%20y/_pit?keep_alive=300s')
    expect(cluster.asked.at(-1)).toBe('DELETE /before/_pit {"id":"p"}')
  })

  it('reads clusters without points in time by scrolls, and ends where a page is lost', async () => {
    let lost = false
    const cluster = await imitated(({ url = '' }, body, response) => {
      if (url === '/before/') return { version: { number: '2.11.0', distribution: 'opensearch' } }
      if (url.includes('?scroll=')) return { _scroll_id: 's', ...found(hit(0), hit(1)) }
      if (body.includes('"scroll":') && lost) response.destroy()
      else return { _scroll_id: 's', ...found() }
      return undefined
    })
    const options = { dest: { index: 'copied', version_type: 'external' } }
    expect(await copy({ host: cluster.host }, { index: 'old' }, options)).toMatchObject({ json: { created: 2 } })
    expect((await copied()).map(({ _version }) => _version).sort()).toEqual([1, 2])
    expect(cluster.asked.at(-1)).toBe('DELETE /before/_search/scroll {"scroll_id":["s"]}')
    expect(cluster.asked.at(1)).toContain('"track_total_hits":true')
    lost = true
    const ended = await copy({ host: cluster.host }, { index: 'old' })
    expect(ended).toMatchObject({ status: 503, json: { error: { type: 'connect_exception' } } })
  })
})

describe('a copy that ended on the way', () => {
  it('goes on with what is missing when it is asked for again', async () => {
    let pages = 0
    const cluster = await imitated(({ url = '' }, body, response) => {
      if (url === '/before/') return { version: { number: '2.11.0', distribution: 'opensearch' } }
      if (url.includes('?scroll=')) return { _scroll_id: 's', ...found(hit(0), hit(1)) }
      if (!body.includes('"scroll":')) return {}
      pages += 1
      if (pages === 1) response.destroy()
      else return { _scroll_id: 's', ...(pages === 2 ? found(hit(2)) : found()) }
      return undefined
    })
    const again = { dest: { index: 'copied', op_type: 'create' }, conflicts: 'proceed' }
    expect(await copy({ host: cluster.host }, { index: 'old' }, again)).toMatchObject({ status: 503 })
    const { status, json } = await copy({ host: cluster.host }, { index: 'old' }, again)
    expect({ status, json }).toMatchObject({ status: 200, json: { created: 1, version_conflicts: 2, failures: [] } })
    expect((await copied()).map(({ _source }) => _source.n).sort()).toEqual([0, 1, 2])
  })
})

describe('a copy from another cluster', () => {
  it.each([
    [{ timed_out: true, hits: {} }, 'the other cluster could search a part only'],
    [{ timed_out: false, _shards: { failed: 2 }, hits: {} }, 'the other cluster could search a part only: [2] shards'],
    [{ ...found({ _index: 'old', _id: 'x' }) }, "[old][x] didn't store _source"],
  ])('is refused where the other cluster answers %j', async (answer, reason) => {
    const cluster = await imitated(({ url }) => (url === '/before/' ? { version: { number: '7.0.0' } } : answer))
    const { json } = await copy({ host: cluster.host }, { index: 'old' })
    expect(JSON.stringify(json)).toContain(reason)
  })

  it.each([
    [{ host: 'http://localhost:1' }, {}, '[localhost:1] not whitelisted in reindex.remote.whitelist'],
    [{ host: 'ftp://127.0.0.1:1' }, {}, '[host] must be of http or https but was [ftp://127.0.0.1:1]'],
    [{ host: 'http://127.0.0.1:1', username: 'x' }, {}, '[username] and [password] must be given together, as texts'],
    [
      { host: 'http://127.0.0.1:1' },
      { slice: { id: 0, max: 2 } },
      "reindex from remote sources doesn't support source",
    ],
  ])('refuses %j with %j', async (remote, source, reason) => {
    const { status, json } = await copy(remote, { index: 'old', ...source })
    expect(status).toBe(400)
    expect(JSON.stringify(json)).toContain(reason)
  })
})
