import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, or, type Predicate } from '@logstack/rules'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../engine/engine.ts'
import { predicateSql } from '../sql/predicate-to-sql.ts'
import { ident, sql } from '../sql/sql.ts'
import { answerOf } from '../testing/answer-of.ts'
import { type OpenServices, openServices } from '../testing/search-services.ts'
import { parseBulk } from './bulk-parser.ts'

// As many batches as are looked at before an index is made, and three that come after it.
const before = 32
const after = 3
/** So many that an insert makes indexes itself. */
const perBatch = 2_100
const rows = (before + after) * perBatch

let directory: string
let services: OpenServices
/** What the engine was asked. */
let asked: string[] = []
/** Rows that were deleted. */
const gone = new Set<number>()

const addressOf = (row: number): string => `10.${row >> 16}.${(row >> 8) & 255}.${row & 255}`

/** Every hundredth has two ids, two addresses; every seventh has no id. */
function sourceOf(row: number): Record<string, unknown> {
  if (row % 7 === 0) return { ip: addressOf(row), host: `h${row % 50}` }
  if (row % 100 === 1) return { id: [`a${row}`, `b${row}`], ip: [addressOf(row), `fd00::${row % 9_000}`], host: 'h1' }
  return { id: `a${row}`, ip: addressOf(row), other: `o${row}`, host: `h${row % 50}` }
}

async function apply(lines: readonly unknown[]): Promise<void> {
  const body = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const compileScript = (): never => {
    throw new Error('no script is in these')
  }
  const results = await services.documents.apply(parseBulk(body, { index: 'events', compileScript }))
  for (const result of results) if ('error' in result) throw result.error
}

async function writeBatch(batch: number): Promise<void> {
  const at = Array.from({ length: perBatch }, (_, place) => batch * perBatch + place)
  await apply(at.flatMap((row) => [{ index: { _id: `${row}` } }, sourceOf(row)]))
}

async function open(): Promise<void> {
  const noting = (engine: Engine): Engine => ({
    ...engine,
    rows(query, options) {
      asked.push(query.text)
      return engine.rows(query, options)
    },
  })
  services = await openServices(directory, { around: noting })
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'logstack-needles-'))
  await open()
  const keyword = { type: 'keyword' }
  await services.catalogue.createIndex({
    name: 'events',
    mappings: { properties: { id: keyword, other: keyword, host: keyword, ip: { type: 'ip' } } },
  })
  for (let batch = 0; batch < before + after; batch += 1) await writeBatch(batch)
}, 120_000)
afterAll(async () => {
  await services.close()
  rmSync(directory, { recursive: true })
})

const table = () => {
  const [index] = services.catalogue.indices()
  return services.catalogue.table(index?.table ?? 0)
}
const nameOf = (path: string): string => table().columns.find((column) => column.path === path)?.name ?? ''

/** The columns with an index for needles. */
async function indexed(): Promise<unknown[]> {
  const found = await services.engine.rows(
    sql`SELECT expr FROM system.data_skipping_indices WHERE startsWith(name, 'needles_')`,
  )
  return found.flat().sort()
}

/** The columns that should have one: the companions of values that came several at once, too, and no host. */
const needles = (): unknown[] =>
  table()
    .columns.filter(({ path }) => path !== 'host')
    .flatMap(({ name, manyName }) => (manyName === undefined ? [name] : [name, manyName]))
    .sort()

const ask = <T>(body: Record<string, unknown>): Promise<T> =>
  answerOf<T>(services, 'events', { track_total_hits: true, ...body })

async function idsOf(query: unknown): Promise<number[]> {
  const { hits } = await ask<{ hits: { total: { value: number }; hits: { _id: string }[] } }>({ query, size: 100 })
  expect(hits.total.value).toBe(hits.hits.length)
  return hits.hits.map(({ _id }) => Number(_id)).sort((a, b) => a - b)
}

const term = (field: string, value: string) => ({ term: { [field]: value } })

/** Each value alone, among others, or in another field, in parts with the index and without it. */
async function check(): Promise<void> {
  for (const row of [1, 5, 2_101, 33_601, 60_002, rows - perBatch + 1, rows - 1].filter((at) => at % 7 !== 0)) {
    const expected = gone.has(row) ? [] : [row]
    for (const query of [
      term('id', `a${row}`),
      term('ip', addressOf(row)),
      { terms: { id: [`a${row}`, 'nobody'] } },
      { bool: { filter: [term('id', `a${row}`), term('ip', addressOf(row))] } },
      { bool: { should: [term('id', `a${row}`), term('other', 'nobody')] } },
      ...(row % 100 === 1 ? [term('id', `b${row}`)] : [term('other', `o${row}`)]),
    ])
      expect(await idsOf(query), JSON.stringify(query)).toEqual(expected)
    expect(await idsOf({ bool: { filter: term('id', `a${row}`), must_not: term('ip', addressOf(row)) } })).toEqual([])
    expect(await idsOf({ ids: { values: [`${row}`] } })).toEqual(expected)
  }
  for (const query of [term('id', 'nobody'), term('ip', '192.168.7.7'), term('other', '')])
    expect(await idsOf(query)).toEqual([])
  expect(await idsOf(term('ip', 'fd00::1'))).toEqual(
    Array.from({ length: rows }, (_, row) => row).filter(
      (row) => row % 100 === 1 && row % 7 !== 0 && row % 9_000 === 1 && !gone.has(row),
    ),
  )
}

/** The share of granules that a condition of a search is still looked for in. */
async function shareLeft(predicate: Predicate): Promise<number> {
  const condition = predicateSql(predicate, ({ path }) => {
    const column = table().columns.find((one) => one.path === path)
    return (
      column && { one: ident(column.name), many: column.manyName === undefined ? undefined : ident(column.manyName) }
    )
  })
  // Made a table, because what only reads may not change how; the rows of a search are ruled out as these are, but its plan does not say so.
  await services.engine.execute(sql`DROP TABLE IF EXISTS plan`)
  await services.engine.execute(
    sql`CREATE TABLE plan ENGINE = Memory AS SELECT * FROM (EXPLAIN indexes = 1 SELECT _seq FROM ${ident(table().name)} WHERE ${condition}) SETTINGS use_skip_indexes_on_data_read = 0`,
  )
  const plan = await services.engine.rows(sql`SELECT * FROM plan`)
  const found = [
    ...plan
      .flat()
      .join('\n')
      .matchAll(/Granules: (\d+)(?:\/(\d+))?/gu),
  ]
  return Number(found[0]?.[1]) / Math.ceil(rows / 1_024)
}

const equals = (path: string, value: string, type: 'string' | 'ip' = 'string'): Predicate => ({
  op: 'equals',
  field: { path, type },
  values: [value],
})

const merge = () => services.engine.execute(sql`OPTIMIZE TABLE ${ident(table().name)} FINAL`)

it('gives columns that hold needles an index, and finds the same in parts with it and without', async () => {
  expect(needles()).toHaveLength(5)
  expect(await indexed()).toEqual(needles())
  await check()
})

it('finds the same after merges and of rows that were deleted or replaced, and asks the index', async () => {
  for (const row of [5, 60_002]) gone.add(row)
  await apply([...gone].map((row) => ({ delete: { _id: `${row}` } })))
  await check()
  await merge()
  await check()
  const id = equals('id', 'nobody')
  const other = equals('other', 'nobody')
  const absent = [id, equals('ip', '192.168.7.7', 'ip'), and([equals('host', 'h1'), id]), or([id, other])]
  for (const predicate of absent) expect(await shareLeft(predicate), JSON.stringify(predicate)).toBeLessThan(0.2)
  expect(await shareLeft(equals('host', 'nobody'))).toBeGreaterThan(0.8)
})

interface Counted {
  readonly hits: { readonly total: { readonly value: number } }
  readonly aggregations: {
    readonly needles: { readonly sum_other_doc_count: number; readonly buckets: readonly { readonly key: string }[] }
  }
}

/** All hits, those that the shown buckets do not hold, and the keys of these. */
async function counted(field: string, query?: unknown, more: Record<string, unknown> = {}): Promise<unknown> {
  const aggs = { needles: { terms: { field, size: 3, ...more } } }
  const { hits, aggregations } = await ask<Counted>({ size: 0, aggs, ...(query === undefined ? {} : { query }) })
  const { sum_other_doc_count: others, buckets } = aggregations.needles
  return [hits.total.value, others, buckets.map(({ key }) => key)]
}

it('counts what the buckets of needles hold that are not shown', async () => {
  const alive = Array.from({ length: rows }, (_, row) => row).filter((row) => !gone.has(row))
  const first = (keys: readonly string[]) => [...keys].sort().slice(0, 3)
  const ofRow = (row: number): string[] => (row % 7 === 0 ? [] : row % 100 === 1 ? [`a${row}`, `b${row}`] : [`a${row}`])
  const single = alive.filter((row) => row % 7 !== 0 && row % 100 !== 1)
  const others = single.map((row) => `o${row}`)
  const ids = alive.flatMap(ofRow)
  asked = []
  expect(await counted('other')).toEqual([alive.length, others.length - 3, first(others)])
  expect(asked.filter((text) => text.includes('OVER ()'))).toEqual([])
  expect(await counted('id')).toEqual([alive.length, ids.length - 3, first(ids)])
  const without = alive.length - single.length
  expect(await counted('other', undefined, { missing: 'none' })).toEqual([
    alive.length,
    alive.length - without - 2,
    ['none', ...first(others).slice(0, 2)],
  ])
  const some = single.filter((row) => row % 50 === 4)
  expect(await counted('other', { bool: { filter: [term('host', 'h4'), { exists: { field: 'other' } }] } })).toEqual([
    some.length,
    some.length - 3,
    first(some.map((row) => `o${row}`)),
  ])
  expect(await counted('other', term('host', 'nobody'))).toEqual([0, 0, []])
  expect(await counted('other', undefined, { min_doc_count: 2 })).toEqual([alive.length, 0, []])
})

interface Paged {
  readonly aggregations: {
    readonly pages: {
      readonly after_key?: unknown
      readonly buckets: readonly { readonly key: { readonly needle: string; readonly host?: string } }[]
    }
  }
}

/** The keys of all pages of a composite. */
async function paged(sources: readonly unknown[]): Promise<string[]> {
  const keys: string[] = []
  for (let after: unknown; ; ) {
    const pages = { composite: { size: 20_000, sources, ...(after === undefined ? {} : { after }) } }
    const { aggregations } = await ask<Paged>({ size: 0, aggs: { pages } })
    keys.push(...aggregations.pages.buckets.map(({ key }) => [key.needle, key.host ?? ''].join(' ').trim()))
    after = aggregations.pages.after_key
    if (after === undefined) return keys
  }
}

it('groups needles as plain texts, which files of groups can hold, by pages and with others', async () => {
  const alive = Array.from({ length: rows }, (_, row) => row).filter((row) => !gone.has(row))
  const single = alive.filter((row) => row % 7 !== 0 && row % 100 !== 1)
  const needle = { needle: { terms: { field: 'other' } } }
  asked = []
  expect(await paged([needle])).toEqual(single.map((row) => `o${row}`).sort())
  expect(await paged([needle, { host: { terms: { field: 'host' } } }])).toEqual(
    single.map((row) => `o${row} h${row % 50}`).sort(),
  )
  const together = { multi_terms: { size: 1, terms: [{ field: 'host' }, { field: 'other' }] } }
  expect(await ask({ size: 0, aggs: { together } })).toMatchObject({
    aggregations: {
      together: { sum_other_doc_count: single.length - 1, buckets: [{ key: ['h0', first(single, 0)], doc_count: 1 }] },
    },
  })
  const grouping = asked.filter((text) => text.includes('GROUP BY'))
  expect(grouping.length).toBeGreaterThan(0)
  expect(grouping.filter((text) => !text.includes(' AS Nullable(String))'))).toEqual([])
})

/** The least of the needles of a host. */
function first(alive: readonly number[], host: number): string | undefined {
  return alive
    .filter((row) => row % 50 === host)
    .map((row) => `o${row}`)
    .sort()[0]
}

it('makes an index anew that a crash kept from being made', async () => {
  const name = `needles_${nameOf('id')}`
  await services.engine.execute(sql`ALTER TABLE ${ident(table().name)} DROP INDEX ${ident(name)}`)
  expect(await indexed()).not.toEqual(needles())
  await services.close()
  await open()
  expect(await indexed()).toEqual(needles())
  await check()
})
