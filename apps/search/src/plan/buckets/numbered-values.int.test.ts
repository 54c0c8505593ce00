import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { columnValues } from '../../documents/column-values.ts'
import { type KnownValues, ValueSet } from '../../documents/value-set.ts'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'

let search: NotedSearch
const startMs = Date.UTC(2026, 10, 21)

/** Texts that compare otherwise by their letters than by their bytes, or that a list of texts must not be cut at. */
const odd = ['', 'b', 'B', 'ä', 'é\n', 'z\0', "o'neill\\", '\u{1f600}', '\uffee', 'b b', 'b\u001f']
const keyword = { type: 'keyword' }
const mappings = {
  properties: {
    '@timestamp': { type: 'date' },
    odd: keyword,
    level: keyword,
    none: keyword,
    size: { type: 'long' },
    many: keyword,
  },
}
let written = 0

function document(n: number) {
  return {
    '@timestamp': new Date(startMs + n * 60_000).toISOString(),
    ...(n % 6 === 0 ? {} : { odd: odd[(n * n) % odd.length] }),
    ...(n % 5 === 0 ? {} : { level: `l${n % 3}` }),
    size: n % 10,
    many: n % 4 === 0 ? ['x', 'y'] : `m${n % 3}`,
  }
}

async function write(count: number, index = 'events', of: (n: number) => object = document): Promise<void> {
  const rows = Array.from({ length: count }, () => written++)
  await search.services.write(
    index,
    rows.map((n) => [`${n}`, of(n)]),
  )
}

beforeAll(async () => {
  search = await openNotedSearch(() => startMs)
  const { services } = search
  columnValues(services, { rowsMin: 0 })
  await services.create('events', mappings)
  const level = { type: 'constant_keyword', value: 'l1' }
  await services.create('others', { properties: { ...mappings.properties, level } })
  await write(600)
  await write(200, 'others', (n) => ({ ...document(n), level: undefined, odd: `other ${n % 4}` }))
}, 60_000)
afterEach(() => vi.restoreAllMocks())
afterAll(() => search.services.close())

const terms = (field: string, more: object = {}, aggs: object = {}) => ({ terms: { field, ...more }, aggs })
const source = (name: string, more: object = {}) => ({ [name]: { terms: { field: name, ...more } } })
const composite = (sources: object[], more: object = {}, aggs: object = {}) => ({
  composite: { sources, size: 7, ...more },
  aggs,
})
const days = { date_histogram: { field: '@timestamp', fixed_interval: '2h' } }
const sum = { sum: { sum: { field: 'size' } } }

const trees: Readonly<Record<string, object>> = {
  'pairs in order': composite([source('odd'), source('level')], { size: 100 }),
  'pairs in order, with those that have no value': composite(
    [
      source('odd', { missing_bucket: true }),
      source('level', { missing_bucket: true, order: 'desc', missing_order: 'first' }),
    ],
    { size: 100 },
  ),
  'pairs after one that there is': composite([source('odd'), source('level', { order: 'desc' })], {
    after: { odd: 'b', level: 'l1' },
  }),
  'pairs after one that there is none of': composite(
    [source('odd'), source('level')],
    { after: { odd: 'ab', level: '' } },
    sum,
  ),
  'pairs after one without a value': composite(
    [source('odd', { missing_bucket: true }), source('level', { missing_bucket: true })],
    { after: { odd: 'b', level: null } },
  ),
  'pairs of a moment and a text': composite([
    { t: { date_histogram: { field: '@timestamp', fixed_interval: '1h' } } },
    source('odd'),
  ]),
  'pairs of a text and a field without values': composite([source('odd'), source('none', { missing_bucket: true })], {
    size: 100,
  }),
  'most frequent pairs': { multi_terms: { terms: [{ field: 'odd' }, { field: 'level' }], size: 4 } },
  'pairs by a metric': {
    multi_terms: { terms: [{ field: 'odd' }, { field: 'level' }], order: { sum: 'desc' } },
    aggs: sum,
  },
  'pairs that are frequent enough': {
    multi_terms: { terms: [{ field: 'odd' }, { field: 'level' }], min_doc_count: 8, size: 50, order: { _key: 'desc' } },
  },
  'texts of the most frequent texts': terms('odd', { size: 3 }, { level: terms('level', { size: 2 }, sum) }),
  'texts of texts by key': terms(
    'odd',
    { order: { _key: 'desc' }, size: 20 },
    { level: terms('level', { order: { sum: 'asc' } }, sum) },
  ),
  'texts of texts of texts': terms('level', {}, { odd: terms('odd', {}, { level: terms('level') }) }),
  'texts of moments': { ...days, aggs: { odd: terms('odd', { size: 2 }) } },
  'moments of texts': terms('odd', {}, { days }),
  'numbers of texts': terms('odd', { size: 3 }, { size: terms('size', { size: 3 }) }),
  'texts of rare texts': { rare_terms: { field: 'odd', max_doc_count: 60 }, aggs: { level: terms('level') } },
  'documents of texts of texts': terms(
    'odd',
    { size: 2 },
    { level: terms('level', {}, { top: { top_hits: { size: 1, sort: [{ size: 'desc' }] } } }) },
  ),
  'texts of sampled documents': {
    sampler: { shard_size: 90 },
    aggs: { odd: terms('odd', {}, { level: terms('level') }) },
  },
  'texts within all documents': { global: {}, aggs: { odd: terms('odd', {}, { level: terms('level') }) } },
}

const queries: Readonly<Record<string, object>> = {
  'all documents': {},
  'some documents': { query: { range: { '@timestamp': { gte: startMs + 5 * 3_600_000 } } } },
}

interface Answer {
  readonly aggregations: unknown
}

const usesNumbers = () => search.statements().some((text) => text.includes('splitByChar'))

/** The answer by the values, and the one by their numbers; values are read in the background. */
async function asked(
  indices: string,
  body: object,
): Promise<{ readonly byValues: unknown; readonly byNumbers: unknown }> {
  const known = vi.spyOn(columnValues(search.services), 'of').mockResolvedValue(new Map())
  const { aggregations: byValues } = await search.ask<Answer>(indices, body)
  expect(usesNumbers()).toBe(false)
  known.mockRestore()
  // Unlike `waitFor` it ends at what is thrown.
  const byNumbers = await vi.waitUntil(async () => {
    const { aggregations } = await search.ask<Answer>(indices, body)
    return usesNumbers() && aggregations
  }, 10_000)
  return { byValues, byNumbers }
}

describe('buckets by numbers of values', () => {
  it.each(Object.entries(trees))('are those by the values: %s', async (_, tree) => {
    for (const query of Object.values(queries))
      for (const indices of ['events', 'events,others']) {
        const { byValues, byNumbers } = await asked(indices, { size: 0, ...query, aggs: { tree } })
        expect(JSON.stringify(byValues)).toContain('doc_count')
        expect(byNumbers).toEqual(byValues)
      }
  })

  it('have what was written since', async () => {
    const body = { size: 0, aggs: { tree: composite([source('odd'), source('level')], { size: 100 }) } }
    for (const value of ['new', '', 'newer\n']) {
      await write(3, 'events', () => ({ odd: value, level: `${value}!` }))
      const { byValues, byNumbers } = await asked('events', body)
      expect(JSON.stringify(byValues)).toContain(JSON.stringify(`${value}!`))
      expect(byNumbers).toEqual(byValues)
    }
  })

  it('say so where a value is not known, and leave no row out', async () => {
    const body = { size: 0, aggs: { tree: composite([source('odd'), source('level')], { size: 100 }) } }
    await asked('events', body)
    const values = columnValues(search.services)
    const read = values.of.bind(values)
    vi.spyOn(values, 'of').mockImplementation(async (...columns) => {
      const known = await read(...columns)
      const less = (set: KnownValues) => (set === 'many' ? set : new ValueSet(new Set([...set.values].slice(1))))
      return new Map([...known].map(([name, set]) => [name, less(set)]))
    })
    await expect(search.ask('events', body)).rejects.toThrow('a value that has no number')
  })

  it.each([
    ['lists', terms('many', {}, { level: terms('level') })],
    ['what stands for a missing value', terms('odd', { missing: 'b' }, { level: terms('level') })],
    ['some keys only', terms('odd', { include: ['b', 'B'] }, { level: terms('level') })],
    ['one text', terms('odd')],
  ])('are not made of %s', async (_, tree) => {
    await search.ask('events', { size: 0, aggs: { tree } })
    expect(usesNumbers()).toBe(false)
  })
})
