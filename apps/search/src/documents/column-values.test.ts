import { afterEach, expect, it, vi } from 'vitest'
import type { IndexMeta } from '../model/index-meta.ts'
import type { TableMeta } from '../model/table.ts'
import type { Sql } from '../sql/sql.ts'
import { ColumnValues, type ColumnValuesOptions } from './column-values.ts'
import type { KeptValues } from './kept-values.ts'
import { type KnownValues, ValueSet } from './value-set.ts'

const table: TableMeta = { id: 1, family: 'logs', name: 'events_1', columns: [] }
const level = { name: 'c1_level', isArray: false }
const host = { name: 'c2_host', isArray: false }

const catalogue = { indices: () => [{ table: 1 } as IndexMeta], table: () => table }

const noneKept: Pick<KeptValues, 'of' | 'keep'> = { of: () => new Map(), keep: async () => undefined }

/** A table of rows numbered from 0, each with its level and host, and what the engine is asked. */
class FakeTable {
  readonly asked: string[] = []
  readonly rows: (readonly [level: string | null, host: string])[] = []
  restores = 0
  fails = false
  failsAbove = Number.POSITIVE_INFINITY
  waits: Promise<void> = Promise.resolve()

  values(options: ColumnValuesOptions = {}, keptValues = noneKept): ColumnValues {
    const engine = { rows: (query: Sql) => this.answer(query.text) }
    return new ColumnValues(
      engine,
      { contents: { restores: () => this.restores }, keptValues },
      { rowsMin: 0, ...options },
    )
  }

  async answer(text: string): Promise<unknown[][]> {
    this.asked.push(text)
    await this.waits
    if (this.fails) throw new Error('the engine is busy')
    if (text.includes('count()')) return [[this.rows.length]]
    const since = Number(/_seq > (\d+)/u.exec(text)?.[1] ?? -1)
    const to = Number(/_seq <= (\d+)/u.exec(text)?.[1] ?? this.rows.length)
    if (text.includes('WHERE') && to > this.failsAbove) throw new Error('the engine is busy')
    const columns = [...text.matchAll(/substring\(`c(\d)_/gu)].map(([, digit]) => Number(digit) - 1)
    const distinct = (column: number) => [
      ...new Set(this.rows.slice(since + 1, to + 1).map((row) => row[column] ?? null)),
    ]
    return [columns.map((column) => distinct(column).filter((value) => value !== null))]
  }
}

afterEach(() => void vi.restoreAllMocks())

const held = (known: KnownValues | undefined): unknown => (known instanceof ValueSet ? known.values : known)

const filled = (): FakeTable => {
  const made = new FakeTable()
  made.rows.push(['info', 'a'], [null, 'b'], ['warn', 'a'])
  return made
}

it('are read once, and afterwards what came since', async () => {
  const fake = filled()
  const values = fake.values()
  expect(await values.of(table, [level, host], 2)).toEqual(
    new Map([
      ['c1_level', new ValueSet(new Set(['info', 'warn']))],
      ['c2_host', new ValueSet(new Set(['a', 'b']))],
    ]),
  )
  expect(fake.asked.length).toBe(3)
  await values.of(table, [level, host], 2)
  expect(fake.asked.length).toBe(3)
  fake.rows.push(['error', 'c'])
  expect(held((await values.of(table, [level], 3)).get('c1_level'))).toEqual(new Set(['info', 'warn', 'error']))
  expect(fake.asked.at(-1)).toContain('_seq > 2')
  // The other column is still where it was.
  expect(held((await values.of(table, [level, host], 3)).get('c2_host'))).toEqual(new Set(['a', 'b', 'c']))
  // An older snapshot has no values beyond these.
  await values.of(table, [level, host], 1)
  expect(fake.asked.length).toBe(5)
})

it('are not known while they are read, where a search does not wait', async () => {
  const fake = filled()
  const values = fake.values()
  expect(await values.of(table, [level], 2, false)).toEqual(new Map())
  await new Promise((done) => setImmediate(done))
  expect(held((await values.of(table, [level], 2)).get('c1_level'))).toEqual(new Set(['info', 'warn']))
})

it('are read by one statement for searches at the same moment', async () => {
  const fake = filled()
  const values = fake.values()
  await values.of(table, [level], 2)
  fake.rows.push(['error', 'c'])
  const asked = fake.asked.length
  await Promise.all([values.of(table, [level], 3), values.of(table, [level], 3)])
  expect(fake.asked.length).toBe(asked + 1)
})

it('are read anew where rows were restored, also meanwhile', async () => {
  const fake = filled()
  const values = fake.values()
  await values.of(table, [level], 2)
  fake.restores = 1
  fake.rows.splice(0, 0, ['restored', 'z'])
  expect(held((await values.of(table, [level], 2)).get('c1_level'))).toEqual(new Set(['restored', 'info', 'warn']))
  fake.restores = 2
  let goOn = (): void => undefined
  fake.waits = new Promise((done) => {
    goOn = done
  })
  const answer = values.of(table, [level], 2)
  fake.restores = 3
  goOn()
  expect(await answer).toEqual(new Map())
})

it('are many where there are too many, or one is long', async () => {
  const fake = filled()
  const values = fake.values()
  for (let at = 0; at < 4_097; at += 1) fake.rows.push(['info', `host ${at}`])
  expect((await values.of(table, [level, host], 4_099)).get('c2_host')).toBe('many')
  fake.rows.push(['x'.repeat(257), 'a'])
  expect((await values.of(table, [level, host], 4_100)).get('c1_level')).toBe('many')
  const asked = fake.asked.length
  await values.of(table, [level, host], 5_000)
  expect(fake.asked.length).toBe(asked)
})

it('are left out where what came since cannot be read, and read from where they were a while later', async () => {
  const fake = filled()
  const values = fake.values()
  await values.of(table, [level], 2)
  fake.rows.push(['error', 'c'])
  fake.fails = true
  expect(await values.of(table, [level], 3)).toEqual(new Map())
  fake.fails = false
  const asked = fake.asked.length
  expect(await values.of(table, [level], 3)).toEqual(new Map())
  expect(fake.asked.length).toBe(asked)
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000)
  expect(held((await values.of(table, [level], 3)).get('c1_level'))).toEqual(new Set(['info', 'warn', 'error']))
  expect(fake.asked.at(-1)).toContain('_seq > 2')
})

it('are read a part of the rows at a time, and a failure costs a part', async () => {
  const fake = new FakeTable()
  for (let at = 0; at < 10; at += 1) fake.rows.push([`level ${at}`, at < 5 ? 'a' : `host ${at}`])
  const values = fake.values({ rowsAtOnce: 4 })
  const found = await values.of(table, [level, host], 9)
  expect(held(found.get('c1_level'))).toEqual(new Set(fake.rows.map(([each]) => each)))
  expect(held(found.get('c2_host'))).toEqual(new Set(fake.rows.map(([, each]) => each)))
  expect(fake.asked.flatMap((text) => /WHERE.*/u.exec(text) ?? [])).toEqual([
    'WHERE _seq <= 3',
    'WHERE _seq > 3 AND _seq <= 7',
    'WHERE _seq > 7',
  ])
  fake.failsAbove = 5
  const failing = fake.values({ rowsAtOnce: 4 })
  expect(await failing.of(table, [level], 9)).toEqual(new Map())
  fake.failsAbove = Number.POSITIVE_INFINITY
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000)
  const asked = fake.asked.length
  expect(held((await failing.of(table, [level], 9)).get('c1_level'))).toEqual(new Set(fake.rows.map(([each]) => each)))
  expect(fake.asked.slice(asked).flatMap((text) => /WHERE.*/u.exec(text) ?? [])[0]).toBe('WHERE _seq > 3 AND _seq <= 7')
})

it('are kept up with much that came, without a search that asks', async () => {
  const fake = filled()
  const values = fake.values()
  await values.keepUp(catalogue, () => 2)
  expect(fake.asked.length).toBe(0)
  await values.of(table, [level], 2)
  const asked = fake.asked.length
  fake.rows.push(['error', 'c'])
  await values.keepUp(catalogue, () => 3)
  expect(fake.asked.length).toBe(asked)
  await values.keepUp(catalogue, () => 1_000_000)
  await vi.waitFor(() => expect(fake.asked.length).toBe(asked + 1))
  await new Promise((done) => setImmediate(done))
  expect(held((await values.of(table, [level], 1_000_000)).get('c1_level'))).toEqual(new Set(['info', 'warn', 'error']))
  expect(fake.asked.length).toBe(asked + 1)
})

it('are read of tables with many rows before a search asks, once these are many', async () => {
  const fake = filled()
  const values = fake.values({ unaskedRows: 4 })
  const wide: TableMeta = {
    ...table,
    columns: [
      { id: 1, path: 'level', type: 'string', name: 'c1_level', manyName: undefined },
      { id: 2, path: 'host', type: 'long', name: 'c2_host', manyName: undefined },
    ],
  }
  const sweep = (seq: number) => values.keepUp({ ...catalogue, table: () => wide }, () => seq)
  await sweep(3)
  expect(fake.asked).toEqual([])
  await sweep(10)
  expect(fake.asked).toEqual(['SELECT count() FROM `events_1`'])
  await sweep(10)
  expect(fake.asked).toHaveLength(1)
  fake.rows.push(['error', 'c'])
  await sweep(11)
  await vi.waitFor(() => expect(fake.asked.at(-1)).toContain('groupUniqArray'))
  await new Promise((done) => setImmediate(done))
  const asked = fake.asked.length
  expect(held((await values.of(wide, [level], 11)).get('c1_level'))).toEqual(new Set(['info', 'warn', 'error']))
  await sweep(12)
  expect(fake.asked).toHaveLength(asked)
  expect(fake.asked.filter((text) => text.includes('c2_host'))).toEqual([])
})

it('are many of the columns with most, where all together are too many', async () => {
  const fake = new FakeTable()
  for (let at = 0; at < 1_000; at += 1) fake.rows.push([`level ${at}`, `${'h'.repeat(100)}${at}`])
  const values = fake.values()
  const tables = Array.from({ length: 90 }, (_, id) => ({ ...table, id }))
  for (const each of tables) await values.of(each, [level, host], 999)
  const asked = fake.asked.length
  const known = await Promise.all(tables.map((each) => values.of(each, [level, host], 999)))
  expect(fake.asked.length).toBe(asked)
  expect(known.every((each) => each.get('c1_level') instanceof ValueSet)).toBe(true)
  const hosts = known.filter((each) => each.get('c2_host') === 'many').length
  expect(hosts).toBeGreaterThan(10)
  expect(hosts).toBeLessThan(30)
})

it('are not waited for while the engine is busy with others', async () => {
  const fake = filled()
  let goOn = (): void => undefined
  fake.waits = new Promise((done) => {
    goOn = done
  })
  const values = fake.values()
  expect(await values.of(table, [level], 2)).toEqual(new Map())
  goOn()
  await vi.waitFor(async () => expect((await values.of(table, [level], 2)).size).toBe(1))
})

it('are not asked for of small tables, nor soon after a failure', async () => {
  const fake = filled()
  const small = fake.values({ rowsMin: 10 })
  expect(await small.of(table, [level], 2)).toEqual(new Map())
  expect(await small.of(table, [level], 11)).toEqual(new Map())
  expect(fake.asked.length).toBe(1)
  await small.of(table, [level], 12)
  expect(fake.asked.length).toBe(2)
  const failing = fake.values()
  fake.fails = true
  expect(await failing.of(table, [level], 2)).toEqual(new Map())
  fake.fails = false
  expect(await failing.of(table, [level], 2)).toEqual(new Map())
  expect(fake.asked.length).toBe(3)
})
