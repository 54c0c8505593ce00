import { createLogger } from '@logstack/logging'
import { tempDir } from '@logstack/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChdbEngine } from '../engine/chdb.ts'
import type { Engine } from '../engine/engine.ts'
import type { IndexMeta } from '../model/index-meta.ts'
import type { Column, TokenCut } from '../model/table.ts'
import { ident, num, sql, str } from '../sql/sql.ts'
import { pairsOf, tokensOf } from '../sql/text-tokens.ts'
import { createStore } from '../store/lmdb-store.ts'
import type { Store } from '../store/store.ts'
import { createCatalogue, type OwnedCatalogue } from './lmdb-catalogue.ts'

const directory = tempDir('logstack-catalogue-engine')
let engine: Engine
let store: Store
let catalogue: OwnedCatalogue

async function open(): Promise<void> {
  store = createStore(`${directory.path}/catalogue`)
  catalogue = await createCatalogue({ store, engine, now: Date.now, logger: createLogger('search', 'silent') })
}
beforeAll(async () => {
  engine = await createChdbEngine({ directory: `${directory.path}/engine` })
  await open()
})
afterAll(async () => {
  await catalogue.purged()
  await store.close()
  await engine.close()
  directory.remove()
})

async function insert(index: IndexMeta, rows: number): Promise<void> {
  const table = ident(catalogue.table(index.table).name)
  await engine.execute(
    sql`INSERT INTO ${table} (_seq, _index, _slot, _time) SELECT number, ${num(index.id)}, ${num(index.slot)}, number FROM numbers(${num(rows)})`,
  )
}
async function count(table: number): Promise<unknown> {
  return (await engine.rows(sql`SELECT count() FROM ${ident(catalogue.table(table).name)}`))[0]?.[0]
}

it('makes columns of every type in the engine, and makes them again when the engine lost them', async () => {
  const index = await catalogue.createIndex({ name: 'all' })
  const types = [
    'string',
    'text',
    'long',
    'unsigned',
    'double',
    'boolean',
    'date',
    'date_nanos',
    'ip',
    'binary',
  ] as const
  const needed = types.flatMap((type) => [
    { path: `a.${type}`, type, many: false },
    { path: `b.${type}`, type, many: true },
  ])
  const table = await catalogue.ensureColumns(catalogue.table(index.table), needed)
  const stored = table.columns
    .filter(({ type }) => type !== 'binary')
    .flatMap(({ name, manyName }) => [name, ...(manyName ? [manyName] : [])])
  const present = async () =>
    (
      await engine.rows(sql`SELECT name FROM system.columns WHERE database = currentDatabase() AND table = 'events_1'`)
    ).map(([name]) => name)
  expect(await present()).toEqual(expect.arrayContaining(stored))
  const victim = table.columns.find(({ path }) => path === 'a.long')?.name ?? ''
  await engine.execute(sql`ALTER TABLE ${ident(table.name)} DROP COLUMN ${ident(victim)}`)
  await store.close()
  await open()
  expect(await present()).toContain(victim)
})

it('gives a text its token index when asked, also later, and again when the engine lost it; answers stay the same', async () => {
  const index = await catalogue.createIndex({ name: 'texts' })
  const text = { path: 'message', type: 'text', many: false } as const
  const plain = await catalogue.ensureColumns(catalogue.table(index.table), [text])
  const [table, column] = [ident(plain.name), plain.columns[0]?.name ?? '']
  const write = () =>
    engine.execute(
      sql`INSERT INTO ${table} (_seq, _index, _slot, _time, ${ident(column)}) SELECT number, 1, 0, number, concat('Logon of user-', toString(number)) FROM numbers(3000)`,
    )
  const found = async () =>
    (
      await engine.rows(sql`SELECT count() FROM ${table} WHERE hasAll(${tokensOf(ident(column))}, ['2047', 'logon'])`)
    )[0]
  const names = async () =>
    (
      await engine.rows(
        sql`SELECT name FROM system.data_skipping_indices WHERE table = ${str(plain.name)} AND name LIKE 'tokens%'`,
      )
    ).flat()
  await write()
  expect([await names(), await found()]).toEqual([[], [1]])
  const indexed = await catalogue.ensureColumns(plain, [{ ...text, indexed: true }])
  expect(indexed.columns).toEqual([{ ...plain.columns[0], indexed: true, cut: 'tokenizer' }])
  expect(await catalogue.ensureColumns(indexed, [{ ...text, indexed: true }, text])).toBe(indexed)
  await write()
  expect([await names(), await found()]).toEqual([[`tokens_${column}`], [2]])
  await engine.execute(sql`OPTIMIZE TABLE ${table} FINAL`)
  expect(await found()).toEqual([2])
  await engine.execute(sql`ALTER TABLE ${table} DROP INDEX ${ident(`tokens_${column}`)}`)
  await store.close()
  await open()
  expect([await names(), await found()]).toEqual([[`tokens_${column}`], [2]])
  await catalogue.deleteIndex(index)
  await catalogue.purged()
})

it('gives a text the index of its pairs of words, by the expression of its token index, and makes it again where the engine lacks it', async () => {
  const index = await catalogue.createIndex({ name: 'phrases' })
  const text = { path: 'message', type: 'text', many: false } as const
  const indexed = await catalogue.ensureColumns(catalogue.table(index.table), [{ ...text, indexed: true }])
  const names = async () =>
    (
      await engine.rows(
        sql`SELECT name FROM system.data_skipping_indices WHERE table = ${str(indexed.name)} AND match(name, 'tokens|pairs') ORDER BY name`,
      )
    ).flat()
  expect(await names()).toEqual(['tokens_c1_message'])
  const paired = await catalogue.ensureColumns(indexed, [{ ...text, indexed: true, pairs: true }])
  expect(paired.columns).toEqual([{ ...indexed.columns[0], pairs: true }])
  expect(await catalogue.ensureColumns(paired, [{ ...text, indexed: true, pairs: true }, text])).toBe(paired)
  expect(await names()).toEqual(['pairs_c1_message', 'tokens_c1_message'])
  await engine.execute(sql`ALTER TABLE ${ident(paired.name)} DROP INDEX ${ident('pairs_c1_message')}`)
  await store.close()
  await open()
  expect(await names()).toEqual(['pairs_c1_message', 'tokens_c1_message'])
  await engine.execute(
    sql`INSERT INTO ${ident(paired.name)} (_seq, _index, _slot, _time, c1_message) SELECT number, 1, 0, number, concat('Logon of user-', toString(number)) FROM numbers(3000)`,
  )
  const found = sql`SELECT count() FROM ${ident(paired.name)} WHERE hasAll(${pairsOf(ident('c1_message'))}, ['user 2047'])`
  expect(await engine.rows(found)).toEqual([[1]])
  expect((await engine.rows(sql`EXPLAIN indexes = 1 ${found}`)).flat().join('\n')).toContain('pairs_c1_message')
  await catalogue.deleteIndex(index)
  await catalogue.purged()
})

it('asks the token index of a table that an earlier version made by the expression it was declared with', async () => {
  const index = await catalogue.createIndex({ name: 'older' })
  const { name } = await catalogue.ensureColumns(catalogue.table(index.table), [
    { path: 'message', type: 'text', many: false, indexed: true },
  ])
  const [table, indexName] = [ident(name), 'tokens_c1_message']
  const granules = async (cut: TokenCut): Promise<string> => {
    const found = sql`SELECT count() FROM ${table} WHERE hasAll(${tokensOf(ident('c1_message'), cut)}, ['2047'])`
    expect(await engine.rows(found)).toEqual([[1]])
    const plan = (await engine.rows(sql`EXPLAIN indexes = 1 ${found}`)).flat()
    return plan.some((line) => String(line).includes(indexName)) ? 'by the index' : 'in every row'
  }
  const write = () =>
    engine.execute(
      sql`INSERT INTO ${table} (_seq, _index, _slot, _time, c1_message) SELECT number, 1, 0, number, concat('Logon of user-', toString(number)) FROM numbers(3000)`,
    )
  await write()
  expect([await granules('tokenizer'), await granules('pattern')]).toEqual(['by the index', 'in every row'])

  const tables = store.collection<{ columns: Column[] }>('catalogue_table')
  const [key, record] = [...tables.entries()].find(([, { columns }]) => columns.some(({ cut }) => cut)) ?? []
  if (key === undefined || record === undefined) throw new Error('there is no table with a token index')
  await store.transaction(() => {
    tables.put(key, { ...record, columns: record.columns.map(({ cut: _, ...column }) => column) })
  })
  await engine.execute(sql`ALTER TABLE ${table} DROP INDEX ${ident(indexName)}`)
  await engine.execute(sql`TRUNCATE TABLE ${table}`)
  await store.close()
  await open()
  await write()
  const column = catalogue.column(catalogue.table(index.table), 'message', 'text')
  expect(column).toMatchObject({ indexed: true })
  expect(column?.cut).toBeUndefined()
  expect([await granules('tokenizer'), await granules('pattern')]).toEqual(['in every row', 'by the index'])
  await catalogue.deleteIndex(index)
  await catalogue.purged()
})

it('makes parts wide only when they are larger where a table has many columns, also one that an earlier version made', async () => {
  const index = await catalogue.createIndex({ name: 'wild' })
  const wide = async () =>
    (
      await engine.rows(
        sql`SELECT extract(engine_full, 'min_bytes_for_wide_part = ([0-9]+)') FROM system.tables WHERE name = ${str(catalogue.table(index.table).name)}`,
      )
    ).flat()
  const fields = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ path: `f${at}`, type: 'string', many: false }) as const)
  const text = { path: 'message', type: 'text', many: false } as const
  await catalogue.ensureColumns(catalogue.table(index.table), [...fields(127), text])
  // An index is no column.
  await catalogue.ensureColumns(catalogue.table(index.table), [{ ...text, indexed: true }])
  expect(await wide()).toEqual([String(32 * 1024 ** 2)])
  await catalogue.ensureColumns(catalogue.table(index.table), fields(129))
  expect(await wide()).toEqual([String(256 * 1024 ** 2)])
  const { name } = catalogue.table(index.table)
  await engine.execute(sql`ALTER TABLE ${ident(name)} MODIFY SETTING min_bytes_for_wide_part = ${num(32 * 1024 ** 2)}`)
  await store.close()
  await open()
  expect(await wide()).toEqual([String(256 * 1024 ** 2)])
  await catalogue.deleteIndex(index)
  await catalogue.purged()
})

it('writes small blocks where many text indexes each need room for them, also in a table that an earlier version made', async () => {
  const index = await catalogue.createIndex({ name: 'texts' })
  const { name } = catalogue.table(index.table)
  const blocks = async () =>
    (
      await engine.rows(
        sql`SELECT extract(engine_full, 'max_compress_block_size = ([0-9]+)') FROM system.tables WHERE name = ${str(name)}`,
      )
    ).flat()
  const texts = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ path: `f${at}`, type: 'text', many: false, indexed: true }) as const)
  await catalogue.ensureColumns(catalogue.table(index.table), texts(16))
  expect(await blocks()).toEqual(['0'])
  await catalogue.ensureColumns(catalogue.table(index.table), texts(17))
  expect(await blocks()).toEqual(['65536'])
  await engine.execute(sql`ALTER TABLE ${ident(name)} RESET SETTING max_compress_block_size`)
  await store.close()
  await open()
  expect(await blocks()).toEqual(['65536'])
  await catalogue.deleteIndex(index)
  await catalogue.purged()
})

it('removes parts that are no longer needed one after the other, also of a table that an earlier version made', async () => {
  const index = await catalogue.createIndex({ name: 'many-parts' })
  const { name } = catalogue.table(index.table)
  const threshold = async () =>
    (
      await engine.rows(
        sql`SELECT extract(engine_full, 'concurrent_part_removal_threshold = ([0-9]+)') FROM system.tables WHERE name = ${str(name)}`,
      )
    ).flat()
  expect(await threshold()).toEqual(['1000000'])
  await engine.execute(sql`ALTER TABLE ${ident(name)} RESET SETTING concurrent_part_removal_threshold`)
  expect(await threshold()).toEqual([''])
  await store.close()
  await open()
  expect(await threshold()).toEqual(['1000000'])
  await catalogue.deleteIndex(index)
  await catalogue.purged()
})

it('purges one index among others, a slot, and at last the table', async () => {
  const made: IndexMeta[] = []
  for (let day = 1; day <= 10; day++) made.push(await catalogue.createIndex({ name: `daily-2026.11.${day}` }))
  const [first, second] = [made[0], made[1]]
  if (!first || !second) throw new Error('not made')
  expect(new Set(made.map(({ slot }) => slot)).size).toBe(2)
  for (const index of made) await insert(index, 10)
  await catalogue.deleteIndex(first)
  await catalogue.purged()
  expect(await count(second.table)).toBe(90)
  for (const index of made.slice(1, 8)) await catalogue.deleteIndex(index)
  await catalogue.purged()
  expect(await count(second.table)).toBe(20)
  for (const index of made.slice(8)) await catalogue.deleteIndex(index)
  await catalogue.purged()
  await expect(count(second.table)).rejects.toThrow(expect.objectContaining({ code: 'engine_query_failed' }))
  expect([...catalogue.indices()].map(({ name }) => name)).toEqual(['all'])
})
