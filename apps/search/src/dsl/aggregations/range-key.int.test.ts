import { formatIp } from '@logstack/rules'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'

let search: NotedSearch
/** Smaller numbers are read as years. */
const startMs = Date.UTC(2026, 10, 21)

/** Small numbers, so that values lie on bounds; a third of the documents have several, some none. */
const documents = Array.from({ length: 300 }, (_, n) => {
  const value = ((n * 37) % 61) - 20
  const values = n % 3 === 0 ? [value, (n * 11) % 40, value] : value
  return n % 13 === 0
    ? { n }
    : { n, one: value / 2, several: values, at: startMs + value * 1_000, ip: addressOf(value) }
})

function addressOf(value: number): string {
  // Below and above 64 bits, and of both families.
  return formatIp(BigInt(Math.abs(value)) * (value < 0 ? 1n << 70n : 1n) + (value % 2 === 0 ? 0xffff0a000000n : 0n))
}

beforeAll(async () => {
  search = await openNotedSearch(Date.now)
  await search.services.create('spans', {
    properties: {
      n: { type: 'long' },
      one: { type: 'double' },
      several: { type: 'long' },
      at: { type: 'date' },
      ip: { type: 'ip' },
    },
  })
  await search.services.write(
    'spans',
    documents.map((document) => [String(document.n), document]),
  )
})
afterAll(() => search.services.close())

interface Buckets {
  readonly aggregations: {
    readonly a: {
      readonly buckets: readonly { readonly key: string; readonly doc_count: number; n: { value: number } }[]
    }
  }
}

const ask = async (type: string, field: string, ranges: readonly object[]) => {
  const aggs = { a: { [type]: { field, ranges }, aggs: { n: { sum: { field: 'n' } } } } }
  return (await search.ask<Buckets>('spans', { size: 0, aggs })).aggregations.a.buckets
}

const bound = fc.option(fc.integer({ min: -25, max: 45 }), { nil: undefined, freq: 8 })
/** Some that follow each other without a gap, and any others. */
const spans = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: -25, max: 45 }), { maxLength: 30 }),
    fc.array(fc.record({ from: bound, to: bound }), { maxLength: 40 }),
  )
  .map(([bounds, others]) => {
    const sorted = bounds.sort((a, b) => a - b)
    return [...sorted.map((from, at) => ({ from, to: sorted[at + 1] })), ...others]
  })
  .filter((all) => all.length > 0)

const kinds = [
  { type: 'range', field: 'one', valuesOf: (one: unknown) => [one as number], boundOf: (value: number) => value },
  {
    type: 'range',
    field: 'several',
    valuesOf: (all: unknown) => [all].flat() as number[],
    boundOf: (value: number) => value,
  },
  {
    type: 'date_range',
    field: 'at',
    valuesOf: (at: unknown) => [at as number],
    boundOf: (value: number) => startMs + value * 1_000,
  },
] as const

it.each(kinds)(
  'counts what lies in each of many spans: $type of $field',
  async ({ type, field, valuesOf, boundOf }) => {
    await fc.assert(
      fc.asyncProperty(spans, async (asked) => {
        const ranges = asked.map(({ from, to }, at) => ({
          key: String(at),
          ...(from === undefined ? {} : { from: boundOf(from) }),
          ...(to === undefined ? {} : { to: boundOf(to) }),
        }))
        const found = await ask(type, field, ranges)
        expect(found).toHaveLength(ranges.length)
        for (const { key, doc_count, n } of found) {
          const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = ranges[Number(key)] as {
            from?: number
            to?: number
          }
          const within = documents.filter((document) => {
            const given: unknown = Object(document)[field]
            return given !== undefined && valuesOf(given).some((value) => value >= from && value < to)
          })
          expect([doc_count, n.value]).toEqual([within.length, within.reduce((sum, one) => sum + one.n, 0)])
        }
      }),
      { numRuns: 60 },
    )
  },
)

it('counts addresses in each of many networks and spans of them', async () => {
  const values = documents.flatMap(({ ip, n }) => (ip === undefined ? [] : [{ ip, n }]))
  const bounds = [...new Set(values.map(({ ip }) => ip))]
  const ranges = [
    ...bounds.map((from, at) => ({ key: `at ${from} ${at}`, from })),
    ...bounds.map((to, at) => ({ key: `below ${to} ${at}`, to })),
    ...bounds.map((ip, at) => ({ key: `is ${ip} ${at}`, mask: `${ip}/${ip.includes(':') ? 128 : 32}` })),
    { key: 'all', mask: '::/0' },
  ]
  const found = await ask('ip_range', 'ip', ranges)
  expect(found).toHaveLength(ranges.length)
  const order = await search.ask<{ hits: { hits: { _source: { ip: string } }[] } }>('spans', {
    size: values.length,
    query: { exists: { field: 'ip' } },
    sort: 'ip',
  })
  const sorted = order.hits.hits.map(({ _source }) => _source.ip)
  for (const { key, doc_count } of found) {
    const [kind, ip = ''] = key.split(' ')
    const first = sorted.indexOf(ip)
    const past = sorted.lastIndexOf(ip) + 1
    const wanted = { at: sorted.length - first, below: first, is: past - first, all: sorted.length }[kind ?? '']
    expect([key, doc_count]).toEqual([key, wanted])
  }
})

it.each([
  ['range', (at: number) => ({ from: at, to: at + 1 })],
  ['ip_range', (at: number) => ({ mask: `10.${at >> 8}.${at & 255}.0/24` })],
])('compares a value with a thousand spans as with fifty: %s', async (type, rangeAt) => {
  const mentions = async (count: number) => {
    await ask(
      type,
      type === 'range' ? 'one' : 'ip',
      Array.from({ length: count }, (_, at) => rangeAt(at)),
    )
    return search.statements().reduce((sum, text) => sum + text.split('>=').length + text.split('roundDown').length, 0)
  }
  expect(await mentions(1_000)).toBe(await mentions(50))
})
