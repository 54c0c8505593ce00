import { beforeAll } from 'vitest'
import { searchOverWire } from '../testing/search-over-wire.ts'

interface Event {
  readonly _index: string
  readonly _id: string
  readonly _source?: unknown
  readonly fields?: unknown
  readonly missing?: boolean
}

/** What `_eql/search` answers. */
interface EqlAnswer {
  readonly id?: string
  readonly error?: { readonly type: string; readonly reason: string }
  readonly hits?: {
    readonly total: { readonly value: number; readonly relation: string }
    readonly events?: readonly Event[]
    readonly sequences?: readonly { readonly join_keys?: readonly unknown[]; readonly events: readonly Event[] }[]
  }
}

/** The time of an event of a test, by its second. */
export const secondsIn = (second: number): string => new Date(Date.UTC(2026, 10, 21, 10, 0, second)).toISOString()

const keyword = { type: 'keyword' }
const events: Readonly<Record<string, object>> = {
  a: {
    category: 'process',
    name: 'cmd.exe',
    path: 'C:\\Windows\\System32\\cmd.exe',
    pid: 10,
    parent: 5,
    ok: true,
    ip: '10.1.2.3',
    load: 0.5,
  },
  b: {
    category: 'process',
    name: 'CMD.EXE',
    path: 'C:\\tmp\\CMD.EXE',
    pid: 20,
    parent: 20,
    ok: false,
    ip: '192.168.0.9',
  },
  c: { category: 'file', name: 'x*y?z', pid: 30, text: 'a text of words', args: ['one', 'two'], load: 2.5 },
  d: { category: 'file', 'field name': 'say "hi"\n', text: 'short', hex: '0xff', when: '2026-01-01T00:00:00Z' },
  e: { name: '', pid: 0, hex: ' 42.5 ', args: ['two', 'three'] },
}

/** A search of its own with a few events in `events`, and how EQL is asked of it. */
export function sampleEvents() {
  const send = searchOverWire()
  const eql = async (query: string, more: object = {}, path = '/events/_eql/search', auth?: string) => {
    const body = { query, size: 100, ...more }
    const answer = await send(path, { method: 'POST', body, ...(auth === undefined ? {} : { auth }) })
    return { status: answer.status, body: answer.json() as EqlAnswer }
  }
  /** The ids of the events that a query or its condition finds, or why it is refused. */
  const found = async (condition: string, more: object = {}, path?: string): Promise<string> => {
    const query = condition.includes(' where ') ? condition : `any where ${condition}`
    const { body } = await eql(query, more, path)
    return body.error?.reason ?? (body.hits?.events ?? []).map(({ _id }) => _id).join()
  }
  beforeAll(async () => {
    const properties = {
      '@timestamp': { type: 'date' },
      event: { properties: { category: keyword } },
      name: keyword,
      path: { type: 'wildcard' },
      pid: { type: 'long' },
      parent: { type: 'integer' },
      load: { type: 'double' },
      ok: { type: 'boolean' },
      ip: { type: 'ip' },
      text: { type: 'text', fields: { keyword } },
      words: { type: 'text' },
      args: keyword,
      hex: keyword,
      when: { type: 'date' },
      'field name': keyword,
      place: { type: 'geo_point' },
      parts: { type: 'nested', properties: { n: { type: 'long' } } },
    }
    await send('/events', { method: 'PUT', body: { mappings: { properties } } })
    for (const [second, [id, { category, ...source }]] of Object.entries(
      events as Record<string, { category?: string }>,
    ).entries()) {
      const body = { '@timestamp': secondsIn(second), ...(category ? { event: { category } } : {}), ...source }
      await send(`/events/_doc/${id}`, { method: 'PUT', body })
    }
  })
  return { send, eql, found }
}
