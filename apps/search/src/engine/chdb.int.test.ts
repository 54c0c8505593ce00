import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { num, type Sql, sql } from '../sql/sql.ts'
import { createChdbEngine } from './chdb.ts'
import { engineSuite } from './engine.suite.ts'
import type { Engine, ReadOptions } from './engine.ts'
import { addColumnsSql, columnType, createTableSql } from './table-layout.ts'

const directory = mkdtempSync(join(tmpdir(), 'logstack-engine-'))
const opened: Engine[] = []
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close()
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

async function open(name: string): Promise<Engine> {
  const engine = await createChdbEngine({ directory: join(directory, name) })
  opened.push(engine)
  return engine
}

engineSuite('chdb', async ({ limits }) => {
  const one = { sessions: 1, waitingMax: 10, limits }
  const engine = await createChdbEngine({ directory: join(directory, 'suite'), light: one, heavy: one })
  return { engine, directory }
})

it('keeps what it acknowledged over a restart', async () => {
  const first = await open('restart')
  await first.execute(sql`CREATE TABLE kept (a UInt64) ENGINE = MergeTree ORDER BY a`)
  await first.execute(sql`INSERT INTO kept (a) SELECT number FROM numbers(10)`)
  await first.close()
  expect(await (await open('restart')).rows(sql`SELECT count() FROM kept`)).toEqual([[10]])
})

it('compiles nothing of what it is asked again and again', async () => {
  const engine = await open('compiled')
  await engine.execute(sql`CREATE TABLE numbered (a UInt64) ENGINE = MergeTree ORDER BY a`)
  await engine.execute(sql`INSERT INTO numbered (a) SELECT number FROM numbers(100)`)
  const statement = sql`SELECT sum(a), avg(a), min(a), max(a), countIf(a * 3 + 7 > 20 AND a < 90) FROM numbered`
  for (let round = 0; round < 6; round += 1) expect(await engine.rows(statement)).toEqual([[4_950, 49.5, 0, 99, 85]])
  const compiled = sql`SELECT sum(value) FROM system.events WHERE event = 'CompileFunction'`
  expect(await engine.rows(compiled)).toEqual([[0]])
})

it('groups more values than fit into memory, by files that are gone afterwards', async () => {
  const engine = await open('groups')
  const limits = { timeMsMax: 60_000, memoryBytesMax: 100_000_000 }
  const filesOf = (): string[] => readdirSync(join(directory, 'groups', 'tmp'))
  const groups = (rows: number, most: number): Sql =>
    sql`SELECT id, count() AS n, sum(part) AS parts FROM (SELECT hex(sipHash128(intDiv(number, 2))) AS id, throwIf(number = ${num(most)}) + number % 2 AS part FROM numbers(${num(rows)})) GROUP BY id ORDER BY n DESC, id LIMIT 1`
  const seen = new Set<string>()
  const looking = setInterval(() => {
    for (const file of filesOf()) seen.add(file)
  }, 5)
  expect(await engine.rows(groups(3_000_000, 3_000_000), { limits })).toEqual([[expect.stringMatching(/^0000/), 2, 1]])
  clearInterval(looking)
  expect(seen.size).toBeGreaterThan(0)
  expect(filesOf()).toEqual([])

  await expect(engine.rows(groups(3_000_000, 2_900_000), { limits })).rejects.toThrow('FUNCTION_THROW_IF')
  expect(filesOf()).toEqual([])
  const small = { timeMsMax: 60_000, memoryBytesMax: 12_000_000 }
  await expect(engine.rows(groups(3_000_000, 3_000_000), { limits: small })).rejects.toThrow('Data too large')
  expect(filesOf()).toEqual([])
})

it('ends statements that write what does not fit into memory to files, and no others, when it is asked to', async () => {
  const engine = await open('spilling')
  const filesOf = (): string[] => readdirSync(join(directory, 'spilling', 'tmp'))
  expect(await engine.endSpilling?.()).toBe(false)
  const groups = sql`SELECT count() FROM (SELECT hex(sipHash128(number)) AS id FROM numbers(50000000) GROUP BY id)`
  const spilling = engine.rows(groups, { limits: { timeMsMax: 60_000, memoryBytesMax: 100_000_000 } })
  const told = expect(spilling).rejects.toMatchObject({ code: 'engine_disk_full', kind: 'unavailable' })
  const other = engine.rows(sql`SELECT max(sipHash64(number)) > 0 FROM numbers(20000000)`, { weight: 'heavy' })
  await vi.waitFor(() => expect(filesOf()).not.toEqual([]), { timeout: 60_000, interval: 5 })
  // A file is there before anything is written to it.
  await vi.waitFor(async () => expect(await engine.endSpilling?.()).toBe(true), { timeout: 60_000, interval: 20 })
  await told
  expect(filesOf()).toEqual([])
  expect(await engine.endSpilling?.()).toBe(false)
  expect(await other).toEqual([[1]])
  expect(await engine.rows(sql`SELECT 1`)).toEqual([[1]])
})

it('lets one who asks much wait with all of it, and others in turns with it', async () => {
  const limits = { timeMsMax: 20_000, memoryBytesMax: 400_000_000 }
  const engine = await createChdbEngine({
    directory: join(directory, 'turns'),
    light: { sessions: 1, waitingMax: 2, limits },
  })
  try {
    const slow = engine.rows(sql`SELECT sleep(0.3)`)
    const { signal } = new AbortController()
    const ended: string[] = []
    const read = (name: string, options: ReadOptions) =>
      engine.rows(sql`SELECT 1`, options).then(() => void ended.push(name))
    const much = ['a', 'b', 'c', 'd'].map((name) => read(name, { signal }))
    const other = read('other', {})
    await expect(engine.rows(sql`SELECT 1`)).rejects.toMatchObject({ code: 'es_rejected_execution_exception' })
    await Promise.all([slow, ...much, other])
    expect(ended).toEqual(['a', 'other', 'b', 'c', 'd'])
  } finally {
    await engine.close()
  }
})

it('lets the panels of many dashboards wait, heavy or not', async () => {
  const engine = await open('panels')
  const panels = Array.from({ length: 900 }, (_, at) => at)
  for (const weight of ['light', 'heavy'] as const) {
    const answers = await Promise.all(panels.map((at) => engine.rows(sql`SELECT ${num(at)}`, { weight })))
    expect(answers.map(([row]) => row)).toEqual(panels.map((at) => [at]))
  }
})

it('lets everything else go before its merges', async () => {
  const engine = await open('priority')
  await engine.execute(sql`CREATE TABLE merged (a UInt64) ENGINE = MergeTree ORDER BY a`)
  const threads = readdirSync('/proc/self/task').filter((thread) =>
    readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').startsWith('MergeMutate'),
  )
  expect(threads.map((thread) => getPriority(Number(thread)))).toEqual([10, 10])
})

it('loses rows when a table with a text index is updated in place, so search never does', async () => {
  const engine = await open('update')
  await engine.execute(
    sql`CREATE TABLE updated (n UInt64, text String, dead UInt8, INDEX tokens text TYPE text(tokenizer = 'splitByNonAlpha')) ENGINE = MergeTree ORDER BY n SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1`,
  )
  await engine.execute(
    sql`INSERT INTO updated (n, text, dead) SELECT number, concat('failed user ', toString(number % 50)), 0 FROM numbers(100000)`,
  )
  await engine.execute(sql`UPDATE updated SET dead = 1 WHERE n % 100 = 0`)
  const alive = (await engine.rows(sql`SELECT countIf(dead = 0 AND hasToken(text, 'failed')) FROM updated`))[0]?.[0]
  const found = (
    await engine.rows(sql`SELECT count() FROM updated WHERE hasToken(text, 'failed') AND dead = 0`)
  )[0]?.[0]
  expect(alive).toBe(99_000)
  // A fault of the engine (26.7.2). When this line fails the fault is mended and the write path may be thought over again.
  expect(found).not.toBe(99_000)
})

it('needs the column list: without it an insert fails once a column was added', async () => {
  const engine = await open('columns')
  await engine.execute(sql`CREATE TABLE wide (a UInt64) ENGINE = MergeTree ORDER BY a`)
  await engine.execute(sql`ALTER TABLE wide ADD COLUMN b UInt64`)
  await expect(engine.execute(sql`INSERT INTO wide SELECT toUInt64(1) AS a`)).rejects.toMatchObject({
    detail: { clickhouseCode: 20 },
  })
})

it('makes tables and columns of every type, repeatedly, with the codecs and the token index it means', async () => {
  const engine = await open('layout')
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
  const columns = types.flatMap((type) => [
    { name: `c_${type}`, type, many: false, indexed: true },
    { name: `m_${type}`, type, many: true },
  ])
  for (let time = 0; time < 2; time += 1) {
    await engine.execute(createTableSql('events_1'))
    const add = addColumnsSql('events_1', columns)
    if (add) await engine.execute(add)
  }
  const made = await engine.rows(
    sql`SELECT name, type FROM system.columns WHERE table = 'events_1' AND substring(name, 2, 1) = '_' AND name NOT LIKE '\\_%' ORDER BY name`,
  )
  const wanted = columns.flatMap(({ name, type, many }) => {
    const stored = columnType(type, many)
    return stored === undefined ? [] : [[name, stored]]
  })
  expect(made).toEqual(wanted.sort())
  expect(addColumnsSql('events_1', [{ name: 'c9_x', type: 'binary', many: false }])).toBeUndefined()
  const plain = addColumnsSql('events_1', [{ name: 'c_plain', type: 'text', many: false }])
  if (plain) await engine.execute(plain)
  const indexes = sql`SELECT name FROM system.data_skipping_indices WHERE table = 'events_1' ORDER BY name`
  const own = ['by_id', 'by_index', 'by_seq', 'by_seq_no']
  const ofColumns = ['needles_c_ip', 'needles_c_string', 'tokens_c_text']
  expect((await engine.rows(indexes)).flat()).toEqual([...own, ...ofColumns])
})
