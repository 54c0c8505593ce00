import { afterAll, beforeAll, expect, it } from 'vitest'
import { type NotedSearch, openNotedSearch } from '../testing/noted-search.ts'
import { ask } from './run-esql.fixture.ts'

// Indices of one name but for numbers lie in one table, so these are in tables of their own, with fields that no other has: together more columns than are read of each table.
const letters = 'abcdefghijklmno'
const families = letters.length
const ownFields = 9
const documentsOfEach = 6
const startMs = Date.UTC(2026, 0, 1)
const own = (family: number, field: number): string => `own_${letters[family]}_${field}`
const ownTypes = ['keyword', 'long', 'ip', 'double'] as const

interface Written {
  readonly family: number
  readonly at: number
  readonly n: number
}
const documents: readonly Written[] = Array.from({ length: families }, (_, family) =>
  Array.from({ length: documentsOfEach }, (_, at): Written => ({ family, at, n: family * 100 + at })),
).flat()
const timeOf = ({ family, at }: Written): number => startMs + (family < 3 ? 1_000_000 : 0) + at * 1000 + family

function ownValue({ family, at }: Written, field: number): unknown {
  const values = {
    keyword: [`b${family}`, `a${at}`],
    long: at * 10 + field,
    ip: `10.0.${family}.${at}`,
    double: at / 4,
  }
  return values[ownTypes[field % ownTypes.length] ?? 'keyword']
}

let search: NotedSearch
beforeAll(async () => {
  search = await openNotedSearch(() => startMs)
  for (let family = 0; family < families; family += 1) {
    const fields = Array.from({ length: ownFields }, (_, field) => [
      own(family, field),
      { type: ownTypes[field % ownTypes.length] },
    ])
    const shared = { '@timestamp': { type: 'date' }, n: { type: 'long' }, word: { type: 'keyword' } }
    await search.services.create(`many-${letters[family]}`, {
      properties: { ...shared, ...Object.fromEntries(fields) },
    } as never)
    const some = documents.filter((one) => one.family === family)
    await search.services.write(
      `many-${letters[family]}`,
      some.map((one) => [
        `d${one.n}`,
        {
          '@timestamp': new Date(timeOf(one)).toISOString(),
          n: one.n,
          word: one.n % 2 === 0 ? 'even' : 'odd',
          ...Object.fromEntries(
            Array.from({ length: ownFields }, (_, field) => [own(family, field), ownValue(one, field)]),
          ),
        },
      ]),
    )
  }
}, 120_000)
afterAll(() => search.services.close())

/** The rows of an answer as objects, without what is null. */
async function rowsOf(query: string): Promise<Record<string, unknown>[]> {
  const { columns, rows } = await ask(search.services, query)
  return rows.map((row) =>
    Object.fromEntries(
      columns.flatMap(({ name }, at) => (row[at] === null || row[at] === undefined ? [] : [[name, row[at]]])),
    ),
  )
}

/** What a row of a document holds in all of its columns. */
function rowOf(one: Written): Record<string, unknown> {
  const fields = Array.from({ length: ownFields }, (_, field) => {
    const value = ownValue(one, field)
    return [own(one.family, field), Array.isArray(value) ? value.toSorted() : value]
  })
  return {
    '@timestamp': new Date(timeOf(one)).toISOString(),
    n: one.n,
    word: one.n % 2 === 0 ? 'even' : 'odd',
    ...Object.fromEntries(fields),
  }
}

const newestFirst = documents.toSorted((a, b) => timeOf(b) - timeOf(a))
const even = newestFirst.filter(({ n }) => n % 2 === 0)

it.each<readonly [string, readonly Written[]]>([
  ['FROM many-* | SORT @timestamp DESC | LIMIT 5', newestFirst.slice(0, 5)],
  ['FROM many-* | SORT @timestamp DESC | LIMIT 80', newestFirst.slice(0, 80)],
  ['FROM many-* | SORT n', documents],
  ['FROM many-* | WHERE word LIKE "ev*" | SORT @timestamp DESC | LIMIT 20', even.slice(0, 20)],
  [
    'FROM many-* | SORT @timestamp DESC | LIMIT 20 | WHERE word == "even"',
    even.filter((one) => newestFirst.indexOf(one) < 20),
  ],
  ['FROM many-* | WHERE own_c_1 >= 20 | SORT n', documents.filter(({ family, at }) => family === 2 && at >= 2)],
  ['FROM many-* | SORT own_d_1 DESC NULLS LAST, n | LIMIT 3', [5, 4, 3].map((at) => ({ family: 3, at, n: 300 + at }))],
])('shows the rows of all tables: %s', async (query, expected) => {
  expect(await rowsOf(query)).toEqual(expected.map(rowOf))
})

it('asks where rows are before it reads columns that few tables have, and reads only those tables', async () => {
  await rowsOf('FROM many-* | SORT @timestamp DESC | LIMIT 5')
  const last = search.statements().at(-1) ?? ''
  const tables = new Set(last.match(/events_\d+/gu))
  expect(tables.size).toBe(new Set(newestFirst.slice(0, 5).map(({ family }) => family)).size)
  expect(tables.size).toBeLessThan(families)
})

it('writes a column that few tables have in their statements alone', async () => {
  await rowsOf('FROM many-* | SORT n')
  const last = search.statements().at(-1) ?? ''
  expect(last.match(/UNION ALL/gu)).toHaveLength(families - 1)
  // One for each of four types and each table; plainly they were 15 × 135.
  expect(last.match(/CAST\(/gu)?.length).toBeLessThan(families * 8)
})

it.each<readonly [string, Record<string, unknown>[]]>([
  [
    'FROM many-* | STATS c = COUNT(own_a_0), m = MAX(own_b_1), d = COUNT_DISTINCT(own_c_2), all = COUNT(*)',
    [{ c: 12, m: 51, d: 6, all: families * documentsOfEach }],
  ],
  [
    'FROM many-* | STATS c = COUNT(*) BY own_a_1 | SORT own_a_1 | LIMIT 2',
    [
      { c: 1, own_a_1: 1 },
      { c: 1, own_a_1: 11 },
    ],
  ],
  ['FROM many-* | WHERE CIDR_MATCH(own_e_2, "10.0.4.0/30") | STATS c = COUNT(*)', [{ c: 4 }]],
])('counts over them: %s', async (query, expected) => {
  expect(await rowsOf(query)).toEqual(expected)
})

it('finds nothing where nothing is', async () => {
  expect(await rowsOf('FROM many-* | WHERE n < 0')).toEqual([])
})
