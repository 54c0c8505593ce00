import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Value, ValueType } from '@logstack/rules'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChdbEngine } from '../engine/chdb.ts'
import type { Engine } from '../engine/engine.ts'
import { addColumnsSql, columnType, createTableSql } from '../engine/table-layout.ts'
import type { FieldValue } from '../indices/catalogue.ts'
import type { Column, TableMeta } from '../model/table.ts'
import { sql } from '../sql/sql.ts'
import { RowBinaryReader, RowBinaryWriter } from './rowbinary.ts'
import { type DocumentRow, StagedRows } from './staged-rows.ts'

const directory = mkdtempSync(join(tmpdir(), 'logstack-rowbinary-'))
let engine: Engine
beforeAll(async () => {
  engine = await createChdbEngine({ directory: join(directory, 'engine') })
})
afterAll(async () => {
  await engine.close()
  rmSync(directory, { recursive: true, force: true })
})

const samples: readonly (readonly [type: ValueType, values: readonly Value[], read: readonly unknown[]])[] = [
  ['string', ['', 'größe 🙂', 'x'.repeat(20_000)], ['', 'größe 🙂', 'x'.repeat(20_000)]],
  ['text', ["it's\n\\", 'a\u0000b'], ["it's\n\\", 'a\u0000b']],
  [
    'long',
    [0, -1, 2 ** 31, -(2 ** 31) - 1, 9007199254740991, -9007199254740991, 9223372036854775807n, -9223372036854775808n],
    [
      0,
      -1,
      2 ** 31,
      -(2 ** 31) - 1,
      9007199254740991,
      -9007199254740991,
      '9223372036854775807',
      '-9223372036854775808',
    ],
  ],
  ['unsigned', [0, 18446744073709551615n], [0, '18446744073709551615']],
  ['double', [0, -1.5, 1e300, 5e-324], [0, -1.5, 1e300, 5e-324]],
  ['boolean', [true, false], [true, false]],
  ['date', [1_700_000_000_123, -5], [1_700_000_000_123, -5]],
  ['date_nanos', [1_700_000_000_123_456_789n], ['1700000000123456789']],
  [
    'ip',
    ['10.0.0.255', '::1', '2001:db8::a:0:1', '::ffff:1.2.3.4', '::', 'fe80:1:2:3:4:5:6:7'],
    ['::ffff:10.0.0.255', '::1', '2001:db8::a:0:1', '::ffff:1.2.3.4', '::', 'fe80:1:2:3:4:5:6:7'],
  ],
]

const columns: Column[] = samples.map(([type], at) => ({
  id: at,
  path: type,
  type,
  name: `c${at}`,
  manyName: `m${at}`,
}))
const table: TableMeta = { id: 1, family: 'x', name: 'events_1', columns }

function field(type: ValueType, values: readonly Value[]): FieldValue {
  return { field: { path: type, wireType: type, valueType: type, parameters: {}, sourcePath: type }, values }
}

const row = (seq: number, values: readonly FieldValue[]): DocumentRow => ({
  seq,
  seqNo: seq,
  version: 1,
  index: 4_000_000_000,
  table: 1,
  slot: 65_535,
  timeMs: -1,
  id: `id-${seq}`,
  routing: '',
  ignored: ['a.b', ''],
  values,
  source: Buffer.from([0x7b, 0xff, 0x7d]),
})

it('writes what the engine reads back: every type, alone, absent and in arrays', async () => {
  await engine.execute(createTableSql('events_1'))
  const wanted = columns.flatMap(({ name, manyName, type }) => [
    { name, type, many: false },
    { name: manyName ?? '', type, many: true },
  ])
  const add = addColumnsSql('events_1', wanted)
  if (add) await engine.execute(add)
  const singles = samples.flatMap(([type, values], at) => values.map((value, which) => ({ at, which, type, value })))
  const rows = [
    ...singles.map(({ type, value }, seq) => row(seq, [field(type, [value])])),
    row(
      singles.length,
      samples.map(([type, values]) => field(type, [...values, ...values])),
    ),
    row(singles.length + 1, [field('binary', ['AAE=']), field('long', [])]),
  ]
  const staged = new StagedRows(1, 0)
  for (const one of rows) staged.add(one)
  staged.add(row(rows.length, [field('long', [1])]))
  expect([staged.drop(rows.length), staged.drop(rows.length), staged.drop(-1)]).toEqual([true, false, false])
  const encoded = staged.encode(table)
  const file = 'rows.segment'
  writeFileSync(join(directory, file), Buffer.concat(encoded.pieces))
  await engine.insertSegment({
    table: 'events_1',
    directory,
    files: [file],
    columns: encoded.columns,
    format: 'Native',
    rows: rows.length,
  })
  const back = await engine.rows(sql`SELECT * EXCEPT (_source), hex(_source) FROM events_1 ORDER BY _seq`)
  const system = (seq: number): unknown[] => [seq, 4_000_000_000, 65_535, -1, seq, 1, `id-${seq}`, '', ['a.b', ''], 0]
  const nothing = samples.flatMap((): unknown[] => [null, []])
  const one = singles.map(({ at, which }, seq) => {
    const cells = [...nothing]
    cells[at * 2] = samples[at]?.[2][which]
    return [...system(seq), ...cells, '7BFF7D']
  })
  const all = samples.flatMap(([, , read]): unknown[] => [null, [...read, ...read]])
  expect(back).toEqual([
    ...one,
    [...system(singles.length), ...all, '7BFF7D'],
    [...system(singles.length + 1), ...nothing, '7BFF7D'],
  ])
  expect(samples.every(([type]) => columnType(type, false) !== undefined)).toBe(true)
})

it('reads what the engine writes', async () => {
  const bytes = await engine.bytes(
    sql`SELECT toUInt16(65535), toUInt32(4294967295), toUInt64(9007199254740991), toInt64(-9223372036854775808), repeat('ä', 300), ''`,
    'RowBinary',
  )
  const reader = new RowBinaryReader(bytes)
  expect([
    reader.uint16(),
    reader.uint32(),
    reader.uint64(),
    reader.int64(),
    reader.string(),
    reader.string(),
    reader.ended,
  ]).toEqual([65_535, 4_294_967_295, 9_007_199_254_740_991, -(2n ** 63n), 'ä'.repeat(300), '', true])
})

it('grows as far as it must and says how much it holds', () => {
  const writer = new RowBinaryWriter()
  const large = 'é'.repeat(200_000)
  writer.string(large)
  writer.uint16(7)
  expect(writer.length).toBe(400_000 + 3 + 2)
  const reader = new RowBinaryReader(writer.bytes())
  expect([reader.string() === large, reader.uint16()]).toEqual([true, 7])
})
