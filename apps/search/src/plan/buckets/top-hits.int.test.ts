import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reasonsOf } from '../../testing/reasons-of.ts'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs

const hosts = ['a', 'b', 'c']
/** Documents whose values are many, missing, beyond 2^53, and of other types in the second index. */
const documents = Array.from({ length: 40 }, (_, n) => ({
  host: hosts[n % 3],
  n,
  ...(n % 4 === 0 ? {} : { name: n % 5 === 0 ? [`k${n % 7}`, `a${n}`] : `k${n % 7}` }),
  ...(n % 6 === 0 ? {} : { big: String(9_007_199_254_740_993n + BigInt(n % 3)) }),
  ...(n % 3 === 1 ? {} : { ip: n % 2 === 0 ? `10.0.0.${n}` : `2001:db8::${n}` }),
  share: (n * 7) % 11,
  text: `quick fox ${'fox '.repeat(n % 4)}${n}`,
  at: new Date(Date.UTC(n % 2 === 0 ? 1960 : 2026, 10, 21, 8, n % 9)).toISOString(),
  ...(n % 5 === 0 ? {} : { half: n % 7 === 0 ? -0 : ((n % 7) - 3) / 2 }),
  ...(n % 5 === 1 ? {} : { far: n % 2 === 0 ? String(2n ** 64n - 1n - BigInt(n % 3)) : n % 3 }),
  ...(n % 5 === 2 ? {} : { flag: n % 2 === 0 }),
  ...(n % 5 === 3 ? {} : { exact: `${n % 2 === 0 ? 1970 : 2026}-11-21T08:00:00.00000000${n % 4}Z` }),
}))
const properties = (share: string) => ({
  host: { type: 'keyword' },
  n: { type: 'integer' },
  name: { type: 'keyword' },
  big: { type: 'long' },
  ip: { type: 'ip' },
  share: { type: share },
  text: { type: 'text' },
  at: { type: 'date' },
  half: { type: 'double' },
  far: { type: 'unsigned_long' },
  flag: { type: 'boolean' },
  exact: { type: 'date_nanos' },
})

beforeAll(async () => {
  logs = await openSampleLogs()
  for (const [index, share] of [
    ['top-1', 'long'],
    ['top-2', 'double'],
  ] as const) {
    await logs.services.create(index, { properties: properties(share) })
    const own = documents.filter(({ n }) => n < 25 === (index === 'top-1'))
    await logs.services.write(
      index,
      own.map((document) => [String(document.n), document]),
    )
  }
})
afterAll(() => logs.services.close())

interface Hits {
  readonly hits: { readonly total: unknown; readonly max_score: number | null; readonly hits: readonly unknown[] }
}

const query = { bool: { must: { match: { text: 'fox' } }, filter: { range: { n: { lt: 38 } } } } }

const bodies: Readonly<Record<string, object>> = {
  'by score': {},
  'by score from another on': { from: 2, size: 4 },
  'by texts, descending': { sort: [{ name: 'desc' }, { n: 'asc' }], size: 20 },
  'by texts, missing ones first': { sort: [{ name: { order: 'asc', missing: '_first' } }, { n: 'desc' }], size: 20 },
  'by addresses': { sort: [{ ip: 'desc' }, 'n'], size: 20 },
  'by addresses, ascending': { sort: ['ip', 'n'], size: 5 },
  'by long numbers': { sort: [{ big: 'desc' }, 'n'], size: 20 },
  'by numbers of two types': { sort: [{ share: 'desc' }, 'n'], size: 6 },
  'by time': { sort: [{ at: 'desc' }], size: 20 },
  'by doubles of either sign': { sort: [{ half: 'desc' }], size: 20 },
  'by doubles, missing ones first': { sort: [{ half: { order: 'asc', missing: '_first' } }], size: 20 },
  'by doubles, missing ones among them': { sort: [{ half: { order: 'asc', missing: 0.25 } }], size: 20 },
  'by numbers beyond the signed ones': { sort: [{ far: 'desc' }], size: 20 },
  'by numbers beyond the signed ones, missing ones first': { sort: [{ far: { missing: '_first' } }], size: 20 },
  'by nanoseconds': { sort: [{ exact: 'asc' }], size: 20 },
  'by three numbers': { sort: [{ flag: 'desc' }, { half: 'asc' }, { far: 'desc' }], size: 20 },
  'by four numbers': { sort: [{ flag: 'asc' }, { exact: 'desc' }, { half: 'asc' }, { far: 'desc' }], size: 20 },
  'by score and number': { sort: ['_score', { n: 'desc' }], size: 3 },
  'by a script': {
    sort: { _script: { type: 'number', script: "doc['n'].value % 5", order: 'desc' } },
    size: 20,
  },
  'by order of arrival': { sort: ['_doc'], size: 2, version: true, seq_no_primary_term: true },
  'with a score beside a sort': { sort: [{ n: 'desc' }], track_scores: true, explain: true },
  'with fields': { fields: ['n', { field: 'at', format: 'epoch_millis' }], docvalue_fields: ['ip'], _source: false },
  'with what scripts give': { script_fields: { twice: { script: "doc['n'].value * 2" } }, _source: ['n'], size: 2 },
  'with marks': { highlight: { fields: { 'te*': {} }, pre_tags: ['<'], post_tags: ['>'] }, _source: 'host' },
}

describe('top_hits', () => {
  it.each(Object.entries(bodies))('shows what a search for its bucket shows: %s', async (_, body) => {
    const aggs = { hosts: { terms: { field: 'host', order: { _key: 'asc' } }, aggs: { top: { top_hits: body } } } }
    const found = (await logs.aggs(aggs, { query }, 'top-*')) as {
      hosts: { buckets: readonly { readonly key: string; readonly top: Hits }[] }
    }
    expect(found.hosts.buckets.map(({ key }) => key)).toEqual(hosts)
    for (const { key, top } of found.hosts.buckets) {
      const own = { bool: { ...query.bool, filter: [query.bool.filter, { term: { host: key } }] } }
      const answer = await logs.answer({ size: 3, ...body, query: own }, {}, 'top-*')
      const { total, max_score: best, hits } = (answer as unknown as Hits).hits
      expect(hits.length).toBeGreaterThan(1)
      expect(top.hits).toEqual({ total, max_score: best, hits })
    }
  })

  it('stands alone, below filters and beside others, and shows nothing of nothing', async () => {
    const top = { top_hits: { size: 1, sort: [{ n: 'desc' }], _source: ['n'] } }
    const none = { filter: { term: { host: 'z' } }, aggs: { top } }
    const some = { filter: { term: { n: 7 } }, aggs: { first: top, again: top, most: { max: { field: 'n' } } } }
    const shown = (n: number, total: number) => ({
      hits: {
        total: { value: total, relation: 'eq' },
        max_score: null,
        hits: [{ _index: n < 25 ? 'top-1' : 'top-2', _id: String(n), _score: null, _source: { n }, sort: [n] }],
      },
    })
    expect(await logs.aggs({ top, none, some }, {}, 'top-*')).toEqual({
      top: shown(39, 40),
      none: { doc_count: 0, top: { hits: { total: { value: 0, relation: 'eq' }, max_score: null, hits: [] } } },
      some: { doc_count: 1, first: shown(7, 1), again: shown(7, 1), most: { value: 7 } },
    })
  })

  it('refuses what it does not know, and more than a window', async () => {
    const refused = (body: object) => reasonsOf(logs.aggs({ top: { top_hits: body } }, {}, 'top-*'))
    expect(await refused({ sise: 1 })).toMatch(/unknown field \[sise\]|Unknown key/u)
    expect(await refused({ size: 101 })).toContain('Top hits result window is too large')
    expect(await refused({ sort: ['nowhere'] })).toContain('No mapping found for [nowhere] in order to sort on')
  })
})
