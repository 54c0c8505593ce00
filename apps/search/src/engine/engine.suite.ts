import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAppError } from '@logstack/errors'
import { type Field, type Predicate, tokenize } from '@logstack/rules'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FieldColumns } from '../sql/field-columns.ts'
import { predicateSql } from '../sql/predicate-to-sql.ts'
import { join as joined, num, type Sql, sql, str } from '../sql/sql.ts'
import { tokensOf, tokensOfMany, tokensOfValue } from '../sql/text-tokens.ts'
import type { Engine, ReadLimits } from './engine.ts'
import { tokenIndexType } from './table-layout.ts'

/** An opened engine under test, and a directory that it can read segment files from. */
export interface EngineUnderTest {
  readonly engine: Engine
  readonly directory: string
}

/** How a suite opens an engine: one light and one heavy reader, so that a session which is not free again is noticed. */
export interface EngineSuiteOptions {
  readonly limits: ReadLimits
}

const limits: ReadLimits = { timeMsMax: 20_000, memoryBytesMax: 400_000_000 }
const tokenColumn = tokensOf(sql`text`)
const endless = sql`SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) % 7 = 1`

async function failure(promise: Promise<unknown>): Promise<{ code: string; message: string; detail: unknown }> {
  try {
    await promise
  } catch (thrown) {
    if (isAppError(thrown)) return { code: thrown.code, message: thrown.message, detail: thrown.detail }
    throw thrown
  }
  return { code: 'no error', message: '', detail: {} }
}

const columnsOfTests = ({ path }: Field): FieldColumns => ({
  one: path === 'n' ? sql`nullIf(_seq, 9)` : sql`text`,
  many: undefined,
  cut: 'tokenizer',
})
const word = (...tokens: string[]): Predicate => ({
  op: 'tokens',
  field: { path: 'text', type: 'text' },
  tokens,
  count: tokens.length,
})
const some = (count: number, ...tokens: string[]): Predicate => ({
  ...(word(...tokens) as Predicate & { op: 'tokens' }),
  count,
})
const not = (of: Predicate): Predicate => ({ op: 'not', of })
const small: Predicate = { op: 'range', field: { path: 'n', type: 'long' }, bounds: { lt: 100 } }
const isSmall = (n: number): boolean => n < 100 && n !== 9
const phrase: Predicate = {
  op: 'phrase',
  field: { path: 'text', type: 'text' },
  tokens: ['two', 'three'],
  slop: 0,
  prefix: false,
}

/** Predicates beside what they say of the words and the number of a row. */
const negations: readonly (readonly [Predicate, (words: readonly string[], n: number) => boolean])[] = [
  [not(word('two')), (words) => !words.includes('two')],
  [not(word('none')), () => true],
  [not(not(word('rare'))), (words) => words.includes('rare')],
  [not({ op: 'or', of: [word('rare'), small] }), (words, n) => !(words.includes('rare') || isSmall(n))],
  [not({ op: 'and', of: [word('two'), small] }), (words, n) => !(words.includes('two') && isSmall(n))],
  [
    { op: 'and', of: [not(word('two')), not(word('three')), word('all')] },
    (words) => words.length === 1 || words[1] === 'rare',
  ],
  [not(phrase), (words) => !words.join(' ').includes('two three')],
  [some(2, 'two', 'three', 'rare'), (words) => words.length >= 3],
  [not(some(2, 'two', 'three', 'rare')), (words) => words.length < 3],
  [some(3, 'two', 'two', 'three'), (words) => words.includes('two') && words.includes('three')],
  [
    { op: 'at-least', count: 2, of: [word('rare'), small, word('two')] },
    (words, n) => Number(words.includes('rare')) + Number(isSmall(n)) + Number(words.includes('two')) >= 2,
  ],
  [
    not({ op: 'at-least', count: 1, of: [not(word('two')), small] }),
    (words, n) => words.includes('two') && !isSmall(n),
  ],
]

/** Those that must not cut the text of every row: the engine's plan says that it reads the index instead. */
const looksUp: readonly Predicate[] = [
  word('two'),
  not(word('two')),
  not({ op: 'and', of: [word('two'), small] }),
  not(some(1, 'two', 'rare')),
  some(2, 'two', 'three', 'rare'),
  not(some(2, 'two', 'three', 'rare')),
  { op: 'at-least', count: 2, of: [word('rare'), word('three'), word('two')] },
]

type Rows = readonly (readonly [seq: number, slot: number, text: string])[]

function rowBinary(rows: Rows): Buffer {
  return Buffer.concat(
    rows.map(([seq, slot, text]) => {
      const bytes = Buffer.from(text)
      if (bytes.length > 127) throw new Error('BUG: the text needs a longer length prefix')
      const fixed = Buffer.alloc(10)
      fixed.writeBigUInt64LE(BigInt(seq))
      fixed.writeUInt16LE(slot, 8)
      return Buffer.concat([fixed, Buffer.from([0, bytes.length]), bytes])
    }),
  )
}

async function insertInto(under: EngineUnderTest, table: string, given: Rows): Promise<void> {
  const file = `${table}-${given[0]?.[0]}.segment`
  const { directory } = under
  writeFileSync(join(directory, file), rowBinary(given))
  const columns = [
    { name: '_seq', type: 'UInt64' },
    { name: '_slot', type: 'UInt16' },
    { name: 'text', type: 'Nullable(String)' },
  ]
  await under.engine.insertSegment({
    table,
    directory,
    files: [file],
    columns,
    format: 'RowBinary',
    rows: given.length,
  })
}

/** What every engine must do, and the traps of this one that a layout must never step into again. */
export function engineSuite(name: string, open: (options: EngineSuiteOptions) => Promise<EngineUnderTest>): void {
  describe(name, () => {
    let under: EngineUnderTest
    const rows = (query: Sql): Promise<unknown[][]> => under.engine.rows(query)

    const insert: (table: string, given: Rows) => Promise<void> = (table, given) => insertInto(under, table, given)

    beforeAll(async () => {
      under = await open({ limits })
      for (const table of [sql`docs`, sql`slots`])
        await under.engine.execute(
          sql`CREATE TABLE ${table} (_seq UInt64, _slot UInt16, text Nullable(String), INDEX tokens ${tokenColumn} TYPE ${tokenIndexType}) ENGINE = MergeTree ORDER BY _seq PARTITION BY _slot SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1`,
        )
    })
    afterAll(() => under.engine.close())

    readers(() => under)
    limitsAndErrors(() => under)
    tokens(() => under)
    negated(() => under)

    it('inserts a segment by column names, also after another session added a column', async () => {
      await insert('docs', [
        [1, 0, 'Failed password for root'],
        [2, 0, "it's \\ 'quoted'\n"],
      ])
      await under.engine.execute(sql`ALTER TABLE docs ADD COLUMN added Nullable(Int64)`)
      await insert('docs', [[3, 0, 'größe']])
      expect(await rows(sql`SELECT _seq, text, added FROM docs WHERE _seq < 10 ORDER BY _seq`)).toEqual([
        [1, 'Failed password for root', null],
        [2, "it's \\ 'quoted'\n", null],
        [3, 'größe', null],
      ])
    })

    it('deletes rows by sequence in one partition only, and the token index agrees', async () => {
      await insert('slots', [
        [1, 0, 'alpha one'],
        [2, 0, 'alpha two'],
      ])
      await insert('slots', [[2, 1, 'alpha other']])
      await under.engine.deleteRows('slots', 0, [2, 99])
      await under.engine.deleteRows('slots', 1, [])
      const tokens = sql`SELECT count() FROM slots WHERE hasAllTokens(${tokenColumn}, ['alpha'])`
      expect(await rows(tokens)).toEqual([[2]])
      expect(await rows(sql`SELECT _slot, text FROM slots ORDER BY _slot`)).toEqual([
        [0, 'alpha one'],
        [1, 'alpha other'],
      ])
    })
  })
}

function readers(under: () => EngineUnderTest): void {
  const rows = (query: Sql): Promise<unknown[][]> => under().engine.rows(query)

  it.each([
    ['read a file', sql`SELECT * FROM file('/etc/hostname', 'LineAsString')`],
    ['write a file', sql`SELECT 1 INTO OUTFILE '/tmp/logstack-never'`],
    ['write a file, hidden', sql`SELECT 1 INTO/**/OutFile '/tmp/logstack-never'`],
    ['reach the network', sql`SELECT * FROM url('http://127.0.0.1:9/', 'LineAsString')`],
    ['change settings', sql`SET max_memory_usage = 0`],
    ['change settings of one statement', sql`SELECT 1 SETTINGS max_execution_time = 0`],
    ['write', sql`INSERT INTO docs (_seq) VALUES (1)`],
    ['create', sql`CREATE TABLE made (a UInt8) ENGINE = Memory`],
    ['drop', sql`DROP TABLE docs`],
  ])('readers cannot %s', async (_what, statement) => {
    expect((await failure(rows(statement))).code).toBe('engine_query_failed')
  })

  it('readers can search for the words of a refused statement', async () => {
    expect(await rows(sql`SELECT ${str("x ' INTO OUTFILE")}`)).toEqual([["x ' INTO OUTFILE"]])
  })

  it('reads 64-bit integers exactly, and passes bytes through', async () => {
    expect(await rows(sql`SELECT toUInt64(9007199254740993), toInt64(-5), '9007199254740993', [1.5, NULL]`)).toEqual([
      ['9007199254740993', -5, '9007199254740993', [1.5, null]],
    ])
    const bytes = await under().engine.bytes(sql`SELECT unhex('7B22FF2F7D')`, 'TSVRaw')
    expect(bytes).toEqual(Buffer.from('7b22ff2f7d0a', 'hex'))
  })

  it('answers a light read while a heavy one runs', async () => {
    const order: string[] = []
    const heavy = under()
      .engine.rows(sql`SELECT sleepEachRow(0.5) FROM numbers(3)`, { weight: 'heavy' })
      .then(() => order.push('heavy'))
    await rows(sql`SELECT 1`).then(() => order.push('light'))
    await heavy
    expect(order).toEqual(['light', 'heavy'])
  })
}

function limitsAndErrors(under: () => EngineUnderTest): void {
  it('ends a read at its time limit, and the session is free for the next', async () => {
    const late = under().engine.rows(endless, { limits: { ...limits, timeMsMax: 100 } })
    expect((await failure(late)).code).toBe('search_timeout')
    expect(await under().engine.rows(sql`SELECT 1`)).toEqual([[1]])
  }, 10_000)

  it('ends a cancelled read, and the session is free for the next', async () => {
    const aborter = new AbortController()
    const reading = failure(under().engine.rows(endless, { signal: aborter.signal }))
    setTimeout(() => aborter.abort(), 50)
    expect((await reading).code).toBe('task_cancelled_exception')
    expect(await under().engine.rows(sql`SELECT 1`)).toEqual([[1]])
  }, 10_000)

  it('answers nothing of a read that failed with the next one', async () => {
    const { engine } = under()
    // Rows that are there before a statement ends are written before it fails.
    const rows = sql`SELECT number AS n, 'of another' AS whose FROM numbers(30000000) WHERE cityHash64(number) % 40 = 0`
    const fails = sql`${rows} AND throwIf(number > 600000) = 0`
    const stopped = new AbortController()
    const ways = [
      () => engine.rows(fails),
      () => engine.bytes(fails, 'RowBinary'),
      () => engine.rows(rows, { limits: { timeMsMax: 30, memoryBytesMax: limits.memoryBytesMax } }),
      () => {
        setTimeout(() => stopped.abort(), 30)
        return engine.rows(rows, { signal: stopped.signal })
      },
    ]
    const codes: string[] = []
    for (const way of ways) {
      codes.push((await failure(way())).code)
      expect(await engine.rows(sql`SELECT 7, 'own'`)).toEqual([[7, 'own']])
    }
    expect(codes).toEqual(['engine_query_failed', 'engine_query_failed', 'search_timeout', 'task_cancelled_exception'])
  })

  it('refuses what needs more memory than the limit of the request, then of the session', async () => {
    const wide = sql`SELECT length(groupArray(number)) FROM numbers(5000000)`
    const small = { limits: { ...limits, memoryBytesMax: 20_000_000 } }
    expect((await failure(under().engine.rows(wide, small))).code).toBe('circuit_breaking_exception')
    expect(await under().engine.rows(wide)).toEqual([[5_000_000]])
    const wider = sql`SELECT length(groupArray(number)) FROM numbers(500000000)`
    expect((await failure(under().engine.rows(wider))).code).toBe('circuit_breaking_exception')
  })

  it('names the error of the engine, never values of the statement', async () => {
    const missing = await failure(under().engine.rows(sql`SELECT secret_column FROM docs WHERE text = 'hunter2'`))
    expect(missing).toEqual({
      code: 'engine_query_failed',
      message: 'the engine could not run the statement: UNKNOWN_IDENTIFIER',
      detail: { clickhouseCode: 47 },
    })
    const table = await failure(under().engine.execute(sql`DROP TABLE absent`))
    expect(table.detail).toEqual({ clickhouseCode: 60 })
  })
}

function tokens(under: () => EngineUnderTest): void {
  const rows = (query: Sql): Promise<unknown[][]> => under().engine.rows(query)

  it('cuts text into the very tokens that queries are cut into', async () => {
    const points = Array.from({ length: 0xd7ff }, (_, at) => at + 1)
    const characters = [...points, 0xfeff, 0xff01, 0x1f642, 0x10940].map((point) => String.fromCodePoint(point))
    const texts = [
      'Größe ΑΣ ΑΣΑ İstanbul ŁÓDŹ',
      'a.b-c_d 10.0.0.1:443 1,000.5 ___',
      "don't ’’ l’eau",
      'x\ty 日本語 한국어 क्षि',
      '',
      ...characters.map((character) => `a${character}B 1${character}`),
    ]
    const from = (values: readonly string[]): Sql =>
      sql`(SELECT arrayJoin(JSONExtract(${str(JSON.stringify(values))}, 'Array(String)')) AS text)`
    for (const cut of [tokensOf(sql`text`), tokensOf(sql`text`, 'pattern'), tokensOfValue(sql`text`)]) {
      const cuts = await rows(sql`SELECT ${cut} FROM ${from(texts)}`)
      expect(texts.filter((text, at) => JSON.stringify(cuts[at]?.[0]) !== JSON.stringify(tokenize(text)))).toEqual([])
    }
    const many = await rows(sql`SELECT ${tokensOfMany(sql`['a.b 1,000', 'c', 'Größe']`)}`)
    expect(many).toEqual([[['a.b', '1,000', 'c', 'größe']]])
  })

  it('cuts every text of ASCII alike by the pattern and by the tokenizer of the engine', async () => {
    // One of each sort that either tells apart, in all orders up to five; both are one expression over the rows of a table.
    const characters = ['a', 'Z', '1', '_', '.', ':', "'", ',', ';', ' ', '\0', '®']
    const alphabet = sql`JSONExtract(${str(JSON.stringify(characters))}, 'Array(String)')`
    const letters = [1, 2, 3, 4, 5].map(
      (place) =>
        sql`${alphabet}[1 + intDiv(number, ${num(characters.length ** (place - 1))}) % ${num(characters.length)}]`,
    )
    for (let length = 1; length <= letters.length; length += 1) {
      const text = sql`concat(${joined(letters.slice(0, length), ', ')}, '')`
      const differ = sql`${tokensOf(sql`text`)} != ${tokensOf(sql`text`, 'pattern')}`
      const from = sql`(SELECT ${text} AS text FROM numbers(${num(characters.length ** length)}))`
      expect(await rows(sql`SELECT count(), groupArrayIf(5)(text, ${differ}) FROM ${from}`)).toEqual([
        [characters.length ** length, []],
      ])
    }
  })

  it('finds the same tokens in large segments, whose index is built at once, and in small ones, where it comes later', async () => {
    await under().engine.execute(
      sql`CREATE TABLE mixed (_seq UInt64, _slot UInt16, text Nullable(String), INDEX tokens ${tokenColumn} TYPE ${tokenIndexType}) ENGINE = MergeTree ORDER BY _seq PARTITION BY _slot SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1`,
    )
    const rowsFrom = (first: number, count: number): Rows =>
      Array.from({ length: count }, (_, at) => [first + at, 0, `user_${(first + at) % 50} failed`] as const)
    for (let at = 0; at < 5; at += 1) await insertInto(under(), 'mixed', rowsFrom(at * 100, 100))
    await insertInto(under(), 'mixed', rowsFrom(10_000, 5_000))
    await under().engine.deleteRows('mixed', 0, [7, 10_007])
    const found = sql`SELECT count() FROM mixed WHERE hasAllTokens(${tokenColumn}, ['user_7'])`
    const held = sql`SELECT count() FROM mixed WHERE has(${tokenColumn}, 'user_7')`
    expect([await rows(found), await rows(held)]).toEqual([[[108]], [[108]]])
    await under().engine.execute(sql`OPTIMIZE TABLE mixed FINAL`)
    expect([await rows(found), await rows(held)]).toEqual([[[108]], [[108]]])
  })

  it('finds exact tokens and phrases through the index expression', async () => {
    await insertInto(under(), 'docs', [[10, 0, 'Accepted publickey for alice']])
    const count = (condition: Sql): Promise<unknown[][]> => rows(sql`SELECT count() FROM docs WHERE ${condition}`)
    expect(await count(sql`hasAllTokens(${tokenColumn}, ['alice', 'accepted'])`)).toEqual([[1]])
    expect(await count(sql`hasAllTokens(${tokenColumn}, ['accept'])`)).toEqual([[0]])
    expect(await count(sql`hasSubstr(${tokenColumn}, ['publickey', 'for'])`)).toEqual([[1]])
    expect(await count(sql`hasSubstr(${tokenColumn}, ['for', 'publickey'])`)).toEqual([[0]])
  })
}

function negated(under: () => EngineUnderTest): void {
  it('asks the token index below negations and counts, and finds the same rows', async () => {
    await under().engine.execute(
      sql`CREATE TABLE negated (_seq UInt64, _slot UInt16, text Nullable(String), INDEX tokens ${tokenColumn} TYPE ${tokenIndexType}) ENGINE = MergeTree ORDER BY _seq PARTITION BY _slot SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1`,
    )
    const textOf = (n: number): string =>
      ['all', n % 2 === 0 && 'two', n % 3 === 0 && 'three', n % 701 === 0 && 'rare'].filter(Boolean).join(' ')
    const rowsFrom = (first: number, count: number): Rows =>
      Array.from({ length: count }, (_, at) => [first + at, 0, textOf(first + at)] as const)
    for (let at = 0; at < 5; at += 1) await insertInto(under(), 'negated', rowsFrom(at * 100, 100))
    await insertInto(under(), 'negated', rowsFrom(500, 5_000))
    await under().engine.deleteRows('negated', 0, [6, 701, 702])
    const there = Array.from({ length: 5_500 }, (_, n) => n).filter((n) => ![6, 701, 702].includes(n))
    const check = async (): Promise<void> => {
      for (const [predicate, holds] of negations) {
        const condition = predicateSql(predicate, columnsOfTests)
        const found = await under().engine.rows(sql`SELECT _seq FROM negated WHERE ${condition} ORDER BY _seq`)
        expect(found.flat(), JSON.stringify(predicate)).toEqual(there.filter((n) => holds(textOf(n).split(' '), n)))
      }
    }
    await check()
    await under().engine.execute(sql`OPTIMIZE TABLE negated FINAL`)
    await check()
    for (const predicate of looksUp) {
      const plan = await under().engine.rows(
        sql`EXPLAIN actions = 1 SELECT _seq FROM negated WHERE ${predicateSql(predicate, columnsOfTests)}`,
      )
      expect(plan.flat().join('\n'), JSON.stringify(predicate)).toContain('__text_index')
    }
  })
}
