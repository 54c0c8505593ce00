import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../testing/search-over-wire.ts'

const send = searchOverWire()
const properties = {
  '@timestamp': { type: 'date' },
  message: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 40 } } },
  kind: { type: 'keyword', ignore_above: 30 },
  unseen: { type: 'keyword', index: false, doc_values: false },
  count: { type: 'long' },
  load: { type: 'double' },
  short: { type: 'float' },
  ok: { type: 'boolean' },
  ip: { type: 'ip' },
  labels: { type: 'flattened' },
  parts: { type: 'nested', properties: { name: { type: 'keyword' } } },
  host: { properties: { name: { type: 'keyword' }, os: { properties: { family: { type: 'keyword' } } } } },
}
const headers = { 'content-type': 'application/x-ndjson' }
const create = (name: string, body: object) =>
  send(`/${name}`, { method: 'PUT', body: { ...body, mappings: { _source: { mode: 'synthetic' }, properties } } })

const text = fc.oneof(
  fc.string({ maxLength: 50 }),
  fc.constantFrom('linux', 'a "b" \\ / c', 'Größe', '\u0000', '\n', '\ud800', ''),
)
const one = {
  message: text,
  kind: text,
  unseen: text,
  count: fc.oneof(fc.integer(), fc.constantFrom(0, -1, 2 ** 53, '7')),
  load: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(-0, 1e300, 5, '1.5')),
  short: fc.constantFrom(0.5, 0.1),
  ok: fc.constantFrom(true, false, 'true'),
  ip: fc.oneof(fc.ipV4(), fc.constantFrom('::1', '::ffff:1.2.3.4', '2001:DB8::1')),
  labels: fc.constantFrom({ a: 'b' }, { a: { b: [1, 2] } }),
  parts: fc.constantFrom([{ name: 'x' }], { name: 'y' }),
  '@timestamp': fc.constantFrom(
    '2026-11-23T10:00:00.123Z',
    '2026-11-23T10:00:00.120Z',
    '1969-12-31T00:00:00.000Z',
    1e12,
  ),
}
const listable = (value: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 5, arbitrary: value }, fc.array(value, { maxLength: 3 }), fc.constant(null))
const host = fc.oneof(
  fc.record(
    { name: listable(text), os: fc.oneof(fc.record({ family: text }), fc.constantFrom({}, null)) },
    { requiredKeys: [] },
  ),
  fc.constantFrom(null, {}),
)
const document = fc.record(
  {
    ...Object.fromEntries(Object.entries(one).map(([name, value]) => [name, listable(value)])),
    host,
    'host.name': fc.constant('dotted'),
  },
  { requiredKeys: [] },
)

/** What a document says, whether its source was kept or made again: a list of one is its value. */
function said(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 ? said(value[0]) : value.map(said)
  if (typeof value !== 'object' || value === null) return value === 0 ? 0 : value
  const object: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    if (name === 'host.name') object['host'] = { ...Object(object['host']), name: said(member) }
    else object[name] = said(member)
  }
  return object
}

beforeAll(async () => {
  await create('made', {})
})

describe('sources made again from columns', () => {
  it('say what was written', async () => {
    const documents = fc
      .sample(document, {
        numRuns: Number(process.env['LOGSTACK_CASES'] ?? 400),
        seed: Number(process.env['LOGSTACK_SEED'] ?? 7),
      })
      // A name twice is a fault of the document.
      .filter((one) => !('host' in one && 'host.name' in one))
    const body = documents.map((one, at) => `{"create":{"_id":"${at}"}}\n${JSON.stringify(one)}\n`).join('')
    const written = (await send('/made/_bulk?refresh=true', { method: 'POST', headers, body })).json() as {
      items: { create: { status: number } }[]
    }
    const found = (
      await send('/made/_search', { method: 'POST', body: { size: 10_000, query: { match_all: {} } } })
    ).json() as { hits: { hits: { _id: string; _source: object }[] } }
    const taken = documents.flatMap((one, at) => (written.items[at]?.create.status === 201 ? [{ one, at }] : []))
    expect(taken.length).toBeGreaterThan(documents.length / 4)
    const byId = new Map(found.hits.hits.map(({ _id, _source }) => [_id, _source]))
    for (const { one, at } of taken) expect(said(byId.get(String(at)))).toEqual(said(JSON.parse(JSON.stringify(one))))
  })

  it('are what gets, updates, copies, scripts and aggregations see, and take no room themselves', async () => {
    await create('small', {})
    const log = {
      '@timestamp': '2026-11-23T10:00:00.000Z',
      message: 'a / "log"',
      kind: ['b', 'a'],
      count: 3,
      host: { name: 'web' },
    }
    await send('/small/_doc/1?refresh=true', { method: 'PUT', body: log })
    const shown = { ...log }
    expect((await send('/small/_doc/1')).json()).toMatchObject({ _source: shown })
    // Names in the order of the alphabet: it was made again.
    expect((await send('/small/_search', { method: 'POST', body: {} })).text).toContain(
      '"_source":{"@timestamp":"2026-11-23T10:00:00.000Z","count":3,"host":{"name":"web"},"kind":["b","a"],"message":"a / \\"log\\""}',
    )
    await send('/small/_update/1?refresh=true', { method: 'POST', body: { doc: { count: 4 } } })
    expect((await send('/small/_doc/1')).json()).toMatchObject({ _source: { ...shown, count: 4 } })
    await send('/_reindex?refresh=true', {
      method: 'POST',
      body: { source: { index: 'small' }, dest: { index: 'copied' } },
    })
    expect((await send('/copied/_doc/1')).json()).toMatchObject({ _source: { ...shown, count: 4 } })
    const script = { source: 'ctx._source.kind.add(ctx._source["host"].name)' }
    await send('/small/_update_by_query?refresh=true', { method: 'POST', body: { script } })
    const aggs = { best: { top_hits: { _source: ['kind'] } } }
    const found = (await send('/small/_search', { method: 'POST', body: { size: 0, aggs } })).json()
    expect(found).toMatchObject({
      aggregations: { best: { hits: { hits: [{ _source: { kind: ['b', 'a', 'web'] } }] } } },
    })
  })

  it.each([
    [{ mappings: { _source: { mode: 'odd' } } }, /Unknown value \[odd\] for field \[mode\]/],
    [{ settings: { 'index.mapping.source.mode': 'odd' } }, /unknown value \[odd\]/],
  ])('are asked for by %j and no other word', async (body, reason) => {
    const answer = await send('/refused', { method: 'PUT', body })
    expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(reason)])
  })

  it('stay what they were when the index was made', async () => {
    const answer = await send('/made/_mapping', { method: 'PUT', body: { _source: { mode: 'stored' } } })
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringMatching(/parameter \[mode\] from \[synthetic\] to \[stored\]/),
    ])
  })
})
