import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseBulk } from '../documents/bulk-parser.ts'
import { type OpenServices, openServices } from '../testing/search-services.ts'
import { randomQuery, type Table } from './random-commands.fixture.ts'
import { type Cell, type Column, type Kind, order, type Row, type Scalar } from './random-queries.fixture.ts'
import { ask } from './run-esql.fixture.ts'

/** Random queries over random documents, and what a slow and obvious reading of the language (the fixtures) says of them. */

const runs = Number(process.env['LOGSTACK_RUNS'] ?? 150)
const directory = mkdtempSync(join(tmpdir(), 'logstack-esql-random-'))
let services: OpenServices

const whole = { id: 'long', i: 'integer', l: 'long', d: 'double', k: 'keyword', b: 'boolean', t: 'date' } as const
/** Another mapping: some of the fields, and one of its own. */
const part = { id: 'long', i: 'integer', k: 'keyword', 'x.y': 'keyword' } as const
const indices = { 'r-1': whole, 'r-2': whole, 'r-3': part } as const
type IndexName = keyof typeof indices
const indexNames = Object.keys(indices) as IndexName[]

const values: Readonly<Record<Kind, readonly Scalar[]>> = {
  integer: [0n, 1n, 2n, -1n, 2147483647n],
  long: [0n, 1n, 5n, -7n, 9007199254740993n, 9223372036854775807n],
  double: [0, 0.5, -1.5, 100.25, 1e300],
  keyword: ['', 'a', 'b', 'a-b', 'a-b-c', 'ü', 'A', "it's"],
  boolean: [true, false],
  date: [0n, 1767225600000n, -1n, 1767312000001n],
}

const inJson = (value: Scalar): string => (typeof value === 'string' ? JSON.stringify(value) : String(value))

/** A document as it is written, and as a row. */
function document(index: IndexName, id: number, seed: number): { readonly json: string; readonly row: Row } {
  const fields = Object.entries(indices[index]).filter(([name]) => name !== 'id')
  const [cells = []] = fc.sample(
    fc.tuple(...fields.map(([, kind]) => fc.array(fc.constantFrom(...values[kind]), { maxLength: 2 }))),
    { numRuns: 1, seed },
  )
  const own = fields.map(([name], at) => [name, cells[at] ?? []] as const)
  const written = own.flatMap(([name, cell]) => {
    if (cell.length === 0) return id % 2 === 0 ? [] : [`"${name}": null`]
    return [`"${name}": ${cell.length === 1 ? inJson(cell[0] ?? '') : `[${cell.map(inJson).join(', ')}]`}`]
  })
  // Fields keep the values of a list in their order, texts each once.
  const kept = own.map(([name, cell]) => {
    const values = fields.find(([field]) => field === name)?.[1] === 'keyword' ? [...new Set(cell)] : cell
    return [name, [...values].sort(order)] as const
  })
  return { json: `{${[`"id": ${id}`, ...written].join(', ')}}`, row: { id: [BigInt(id)], ...Object.fromEntries(kept) } }
}

const rows = new Map<string, { readonly index: IndexName; readonly row: Row }>()

async function bulk(lines: readonly string[]): Promise<void> {
  const compileScript = (): never => {
    throw new Error('BUG: these documents have no scripts')
  }
  for (const result of await services.documents.apply(
    parseBulk(Buffer.from(`${lines.join('\n')}\n`), { compileScript }),
  ))
    if ('error' in result) throw result.error
}

/** Writes a part of the documents anew; those of before are gone. */
async function insert(from: number, to: number, seed: number): Promise<void> {
  const lines: string[] = []
  for (let id = from; id < to; id += 1) {
    const index = indexNames[id % indexNames.length] ?? 'r-1'
    const { json, row } = document(index, id, seed + id)
    lines.push(JSON.stringify({ index: { _index: index, _id: String(id) } }), json)
    rows.set(String(id), { index, row })
  }
  await bulk(lines)
}

beforeAll(async () => {
  services = await openServices(directory)
  for (const [name, types] of Object.entries(indices)) {
    const properties = Object.fromEntries(Object.entries(types).map(([field, type]) => [field, { type }]))
    await services.catalogue.createIndex({ name, mappings: { properties } })
  }
  await insert(0, 30, 1000)
  await insert(30, 45, 2000)
  await insert(10, 20, 3000)
  for (const id of [3, 11, 32]) {
    const { index } = rows.get(String(id)) ?? { index: 'r-1' }
    await bulk([JSON.stringify({ delete: { _index: index, _id: String(id) } })])
    rows.delete(String(id))
  }
})

afterAll(async () => {
  await services.close()
  rmSync(directory, { recursive: true, force: true })
})

function source(names: readonly IndexName[]): Table {
  const fields = new Map(names.flatMap((name) => Object.entries(indices[name])))
  const columns = [...fields].map(([name, kind]): Column => ({ name, kind })).sort((a, b) => (a.name < b.name ? -1 : 1))
  const own = [...rows.values()].filter(({ index }) => names.includes(index))
  return {
    text: `FROM ${names.join(', ')}`,
    columns,
    rows: own.map(({ row }) => ({ cells: row, place: 0 })),
    isSorted: false,
  }
}

function shown(cell: Cell, kind: Kind): unknown {
  const texts = cell.map((each) => {
    if (kind === 'date') return new Date(Number(each)).toISOString()
    return typeof each === 'bigint' || typeof each === 'number' ? Number(each) : each
  })
  return texts.length > 1 ? texts : (texts[0] ?? null)
}

/** Numbers of an answer as doubles, so that those of bigints are compared with them; -0 as 0. */
const read = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(read)
  return typeof value === 'bigint' || typeof value === 'number' ? Number(value) + 0 : value
}

const sorted = (texts: readonly string[]): string[] => [...texts].sort()

it('answers what commands say one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (g) => {
      const names = g(fc.subarray, indexNames, { minLength: 1 })
      const expected = randomQuery(g, source(names))
      const answer = await ask(services, `${expected.text} | LIMIT 10000`).catch((error: unknown) => {
        throw new Error(expected.text, { cause: error })
      })
      expect(answer.columns, expected.text).toEqual(expected.columns.map(({ name, kind }) => ({ name, type: kind })))
      const given = answer.rows.map((row) => JSON.stringify(row.map(read)))
      const wanted = expected.rows.map(({ cells, place }) => ({
        place: expected.isSorted ? place : 0,
        text: JSON.stringify(expected.columns.map(({ name, kind }) => read(shown(cells[name] ?? [], kind)))),
      }))
      expect(sorted(given), expected.text).toEqual(sorted(wanted.map(({ text }) => text)))
      // Rows of one place come in any order, but all of them behind those of places before.
      for (const place of new Set(wanted.map((each) => each.place))) {
        const own = wanted.flatMap((each, at) => (each.place === place ? [at] : []))
        const texts = own.map((at) => given[at] ?? '')
        expect(sorted(texts), expected.text).toEqual(sorted(own.map((at) => wanted[at]?.text ?? '')))
      }
    }),
    // What fails is told as it is: shrinking would change the query as a whole with each step, and take minutes.
    { numRuns: runs, endOnFailure: true },
  )
})
