import { isAppError } from '@logstack/errors'
import type { Value, ValueType } from '@logstack/rules'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compileMapping } from '../indices/compiled-mapping.ts'
import { mapDocument } from '../indices/map-document.ts'
import { parseMapping } from '../indices/mapping-parse.ts'
import { parseSource } from '../json/source-json.ts'
import type { TableMeta } from '../model/table.ts'
import { type DirectPlan, directPlan } from './direct-plan.ts'
import { RowBinaryReader } from './rowbinary.ts'
import { type RowHead, StagedRows } from './staged-rows.ts'

const mapping = parseMapping({
  properties: {
    '@timestamp': { type: 'date' },
    k: { type: 'keyword', ignore_above: 5 },
    lower: { type: 'keyword', normalizer: 'lowercase' },
    filled: { type: 'keyword', null_value: 'nothing' },
    t: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 4 }, raw: { type: 'keyword' } } },
    n: { type: 'long', ignore_malformed: true },
    i: { type: 'integer' },
    d: { type: 'double' },
    b: { type: 'boolean' },
    a: { type: 'ip' },
    when: { type: 'date_nanos' },
    year: { type: 'date', format: 'yyyy' },
    hidden: { type: 'keyword', index: false, doc_values: false, ignore_above: 2 },
    same: { type: 'constant_keyword', value: 'x' },
    flat: { type: 'flattened' },
    o: { properties: { k: { type: 'keyword' }, p: { properties: { n: { type: 'long' } } } } },
  },
})
const compiled = compileMapping(mapping, {})

const head = (seq: number, read: { timeMs: number | undefined; ignored: readonly string[] }): RowHead => ({
  seq,
  seqNo: seq,
  version: 1,
  index: 1,
  table: 1,
  slot: 0,
  timeMs: read.timeMs ?? -1,
  id: `${seq}`,
  routing: '',
  ignored: [...read.ignored].sort(),
  source: Buffer.from('{}'),
})

/** The columns of staged rows by name, each with its bytes; a column that no row has a value in is left out. */
function columnsOf(rows: StagedRows): Record<string, string> {
  const empty: TableMeta = { id: 1, family: 'f', name: 'events_1', columns: [] }
  const needed = rows.missing(empty)
  const name = ({ path, type }: { path: string; type: ValueType }) => `${type} ${path}`
  const table: TableMeta = {
    ...empty,
    columns: needed.map(({ path, type }, id) => ({
      id,
      path,
      type,
      name: name({ path, type }),
      manyName: `many ${path}`,
    })),
  }
  return readBlock(Buffer.concat(rows.encode(table).pieces))
}

/** A block of the engine's Native format, column by column. */
function readBlock(bytes: Buffer): Record<string, string> {
  const reader = new RowBinaryReader(bytes)
  const [columns, rows] = [reader.length7(), reader.length7()]
  const found: Record<string, string> = {}
  for (let at = 0; at < columns; at += 1) {
    const [name, type] = [reader.string(), reader.string()]
    const values = readColumn(reader, type, rows)
    if (values.some((value) => value !== '')) found[name] = values.join('|')
  }
  expect(reader.ended).toBe(true)
  return found
}

const widths: Readonly<Record<string, number>> = {
  UInt64: 8,
  Int64: 8,
  Float64: 8,
  UInt32: 4,
  UInt16: 2,
  Bool: 1,
  IPv6: 16,
}

function readColumn(reader: RowBinaryReader, type: string, rows: number): string[] {
  const inner = /^(?:Nullable|Array)\((.*)\)$/.exec(type)?.[1] ?? type
  const value = () =>
    inner === 'String' ? `"${reader.buffer().toString('hex')}"` : reader.raw(widths[inner] ?? 0).toString('hex')
  if (type.startsWith('Array')) {
    const ends = Array.from({ length: rows }, () => reader.uint64())
    return ends.map((end, row) => Array.from({ length: end - (ends[row - 1] ?? 0) }, value).join(','))
  }
  const nulls = Array.from({ length: rows }, () => (type.startsWith('Nullable') ? reader.raw(1)[0] : 0))
  const values = nulls.map(value)
  return values.map((shown, row) => (nulls[row] === 1 ? '' : shown))
}

function isTaken(rows: StagedRows, source: Buffer, seq: number): boolean {
  try {
    const mapped = mapDocument(mapping, {}, parseSource(source), { id: '1', bytes: source })
    if (mapped.mapping !== undefined) return false
    rows.add({ ...head(seq, mapped), values: mapped.values })
    return true
  } catch (thrown) {
    if (isAppError(thrown)) return false
    throw thrown
  }
}

function planOf(): DirectPlan {
  const plan = directPlan(compiled)
  if (plan === undefined) throw new Error('BUG: this mapping can be read directly')
  return plan
}

const word = fc.oneof(
  fc.constantFrom(
    '',
    'x',
    'abcd',
    'abcde',
    'abcdef',
    'Größe',
    '\\u00e9',
    '\\n',
    '\\ud800',
    'true',
    '12',
    '-7.5',
    '1.2.3.4',
    '1.2.3.04',
    '1.2.3.256',
    '1.2.3.',
    '1.2.3.4.5',
    '::1',
    '2026',
  ),
  fc.constantFrom(
    '2026-11-21T10:11:12.345Z',
    '2026-02-30T10:11:12Z',
    '2026-11-21T10:11:12Z',
    '0050-01-01T00:00:00Z',
    '2026-11-21',
  ),
  fc.ipV4(),
  fc.string({ maxLength: 60 }).map((text) => JSON.stringify(text).slice(1, -1)),
)
const number = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '1',
    '007',
    '-12',
    '1.5',
    '1e3',
    '1E400',
    '9007199254740993',
    '9223372036854775808',
    '.5',
    '3.',
    '2147483648',
    '-',
  ),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
)
const scalar = fc.oneof(
  word.map((text) => `"${text}"`),
  number,
  fc.constantFrom('true', 'false', 'null', 'nul', 'True'),
)
const space = fc.constantFrom('', '', '', ' ', '\n\t', '\f')
const list = fc
  .tuple(fc.array(scalar, { maxLength: 4 }), space)
  .map(([all, gap]) => `[${gap}${all.join(`${gap},`)}${gap}]`)
/** What programs write: texts without spaces between them. */
const texts = fc
  .array(fc.constantFrom('', 'x', 'abcd', 'abcde', 'abcdef', 'a b'), { minLength: 2, maxLength: 4 })
  .map((all) => JSON.stringify(all))
const leaf = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 2, arbitrary: list },
  { weight: 2, arbitrary: texts },
  fc.constantFrom('{}', '[[1]]', '[{}]'),
)
const names = [
  '@timestamp',
  'k',
  'lower',
  'filled',
  't',
  'n',
  'i',
  'd',
  'b',
  'a',
  'when',
  'year',
  'hidden',
  'same',
  'o.k',
  'o.p.n',
  'o.p',
]
const rare = ['flat', 'new', 'k', '_id', '', 'o', 'k\\u0000']
const member = fc
  .tuple(fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...names) }, fc.constantFrom(...rare)), leaf, space)
  .map(([name, value, gap]) => `"${name}"${gap}:${gap}${value}`)
const inner = fc.array(
  fc.tuple(fc.constantFrom('k', 'k', 'p', 'x'), fc.oneof(leaf, fc.constant('{"n":5}'), fc.constant('null'))),
  { maxLength: 3 },
)
const constant = fc.constant('"same":"x"')
const nested = inner.map((all) => `"o":{${all.map(([name, value]) => `"${name}":${value}`).join(',')}}`)
const document = fc
  .tuple(
    fc.array(fc.oneof({ weight: 6, arbitrary: member }, nested, constant), { maxLength: 7 }),
    space,
    fc.constantFrom('', '', '', '', '}', ',', ' x'),
  )
  .map(([all, gap, end]) => `${gap}{${all.join(',')}${gap}}${end}`)
const bytes = fc.oneof(
  { weight: 8, arbitrary: document.map((text) => Buffer.from(text)) },
  // A byte changed anywhere.
  fc.tuple(document, fc.nat(), fc.integer({ min: 0, max: 255 })).map(([text, at, byte]) => {
    const changed = Buffer.from(text)
    changed[at % changed.length] = byte
    return changed
  }),
)

/** Another document of the same keys, or one that is nearly so: what it looks like is known by then. */
const alike = fc
  .tuple(document, fc.nat(), fc.option(fc.integer({ min: 0, max: 255 })), fc.integer({ min: 0, max: 99 }))
  .map(([text, at, byte, digit]) => {
    const bytes = [text, text.replace(/\d/, String(digit)), text].map((one) => Buffer.from(one))
    const [first, , last] = bytes
    if (byte !== null && first && last) last[at % first.length] = byte
    return bytes
  })
const several = fc
  .array(fc.oneof({ weight: 3, arbitrary: bytes.map((one) => [one]) }, alike), { minLength: 1, maxLength: 8 })
  .map((all) => all.flat())

const runs = Number(process.env['LOGSTACK_RUNS'] ?? 500)

it('takes only what the careful reader takes, and makes the same of it', () => {
  const plan = planOf()
  let takenInAll = 0
  fc.assert(
    fc.property(several, (sources) => {
      const [direct, careful] = [new StagedRows(1, 0), new StagedRows(1, 0)]
      let seq = 0
      for (const source of sources) {
        const read = direct.read(plan, source)
        if (read === undefined) continue
        direct.finish(head(seq, read))
        expect([source.toString(), isTaken(careful, source, seq)]).toEqual([source.toString(), true])
        seq += 1
      }
      takenInAll += seq
      expect(columnsOf(direct)).toEqual(columnsOf(careful))
    }),
    { numRuns: runs },
  )
  expect(takenInAll).toBeGreaterThan(0)
})

it('takes ordinary documents, and leaves what needs a closer look', () => {
  const plan = planOf()
  const rows = new StagedRows(1, 0)
  const taken = (source: unknown): boolean => {
    const text = typeof source === 'string' ? source : JSON.stringify(source)
    const read = rows.read(plan, Buffer.from(text))
    if (read) rows.finish(head(0, read))
    return read !== undefined
  }
  const ordinary = {
    '@timestamp': '2026-11-21T10:11:12.345Z',
    t: 'naïve "quoted" text',
    k: ['a', 'b'],
    n: 5,
    d: 1.5,
    a: '10.0.0.1',
    o: { k: 'x', p: { n: -3 } },
  }
  expect([taken(ordinary), taken({}), taken({ o: null, k: null, t: [] })]).toEqual([true, true, true])
  expect(taken('{"k":"a","k":"b"}')).toBe(false)
  expect(taken('{"o":{"k":"a"},"o":{}}')).toBe(false)
  expect([taken({ new: 1 }), taken({ o: [{ k: 'a' }] }), taken({ i: 'no' }), taken('{"k":"a"')]).toEqual([
    false,
    false,
    false,
    false,
  ])
})

it('knows of a list of texts what it knows of any other list', () => {
  const plan = planOf()
  const knownOf = (text: string): unknown => {
    const rows = new StagedRows(1, 0)
    const read = rows.read(plan, Buffer.from(text))
    if (read === undefined) return undefined
    rows.finish(head(0, read))
    return [read.isRebuildable, read.ignored, columnsOf(rows)]
  }
  const fields = fc.constantFrom('k', 't', 'lower', 'filled', 'hidden', 'o.k', 'a', 'n')
  fc.assert(
    fc.property(fields, texts, (name, list) => {
      expect(knownOf(`{"${name}":${list}}`)).toEqual(knownOf(`{"${name}":${list.replaceAll('","', '", "')}}`))
    }),
  )
})

it('keeps the rows that are left when others are dropped', () => {
  const write = (dropped: boolean): Record<string, string> => {
    const rows = new StagedRows(1, 0)
    const field = (path: string, valueType: ValueType) => ({
      path,
      wireType: valueType,
      valueType,
      parameters: {},
      sourcePath: path,
    })
    for (let seq = 0; seq < 6; seq += 1) {
      if (!dropped && seq % 2 === 0) continue
      const texts: Value[] = Array.from({ length: seq }, (_, at) => `${seq}-${'x'.repeat(at * 100)}`)
      const values = [
        { field: field('many', 'string'), values: texts },
        { field: field('one', 'long'), values: seq === 3 ? [] : [seq] },
        { field: field('text', 'text'), values: [`text ${seq}`] },
      ]
      rows.add({ ...head(seq, { timeMs: seq, ignored: [] }), values })
    }
    if (dropped) for (const seq of [0, 2, 4]) expect(rows.drop(seq)).toBe(true)
    expect(rows.sequences()).toEqual([1, 3, 5])
    return columnsOf(rows)
  }
  const [whole, dropped] = [write(false), write(true)]
  expect(dropped).toEqual(whole)
})
