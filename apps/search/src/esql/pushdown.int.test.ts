import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OpenServices, openServices } from '../testing/search-services.ts'
import { ask, write } from './run-esql.fixture.ts'

/** A condition right behind FROM is asked of the indices, one behind a LIMIT of the rows: both must find the same documents. */

const runs = Number(process.env['LOGSTACK_RUNS'] ?? 60)
const directory = mkdtempSync(join(tmpdir(), 'logstack-esql-pushdown-'))
let services: OpenServices

const words = ['a', 'B', 'refused', '', 'a*', 'it\'s "x"', '10.0.0.1', 'ä']
const moments = [
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
  '2025-06-30T12:00:00Z',
  '1969-12-31T23:59:59.999Z',
]
const nanos = ['2026-01-01T00:00:00.000000001Z', '2026-01-01T00:00:00.000999999Z', '2026-01-01T00:00:00Z']
const numbers = [0, -1, 1, 2.5, 100, 0.1, 9_007_199_254_740_991]
const addresses = ['10.0.0.1', '::1', '192.168.1.200']

const valuesOf: Readonly<Record<string, readonly unknown[]>> = {
  k: words,
  w: words,
  t: words,
  n: [0, -1, 1, 100, 9_007_199_254_740_991],
  d: numbers,
  f: numbers,
  s: numbers.slice(0, 6),
  at: moments,
  ns: nanos,
  b: [true, false],
  ip: addresses,
}

beforeAll(async () => {
  services = await openServices(directory)
  const types = {
    k: 'keyword',
    w: 'wildcard',
    t: 'text',
    n: 'long',
    d: 'double',
    f: 'float',
    at: 'date',
    ns: 'date_nanos',
    b: 'boolean',
    ip: 'ip',
  }
  const properties = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]))
  const mappings = {
    properties: { id: { type: 'long' }, ...properties, s: { type: 'scaled_float', scaling_factor: 10 } },
  }
  await services.catalogue.createIndex({ name: 'x-1', mappings })
  await services.catalogue.createIndex({ name: 'x-2', mappings })
  const random = fc.sample(
    fc.tuple(
      ...Object.entries(valuesOf).map(([name, values]) =>
        fc.tuple(fc.constant(name), fc.array(fc.constantFrom(...values), { maxLength: 2 })),
      ),
    ),
    { numRuns: 200, seed: 20261126 },
  )
  const documents = random.map((cells, id) => ({
    id,
    ...Object.fromEntries(cells.map(([name, values]) => [name, values])),
  }))
  await write(services, 'x-1', documents.slice(0, 100))
  await write(services, 'x-2', documents.slice(100))
})

afterAll(async () => {
  await services.close()
  rmSync(directory, { recursive: true, force: true })
})

const literal = (value: unknown): string =>
  typeof value === 'string' ? `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : String(value)

const comparison = fc.constantFrom(...Object.keys(valuesOf)).chain((name) =>
  fc
    .tuple(fc.constantFrom('==', '!=', '<', '<=', '>', '>='), fc.constantFrom(...(valuesOf[name] ?? [])), fc.boolean())
    .map(([op, value, isTurned]) => {
      const sign = name === 'b' && op !== '!=' ? '==' : op
      return isTurned ? `${literal(value)} ${sign} ${name}` : `${name} ${sign} ${literal(value)}`
    }),
)

const membership = fc
  .constantFrom('k', 'w', 'n', 'd', 'ip', 'at')
  .chain((name) =>
    fc
      .array(fc.constantFrom(...(valuesOf[name] ?? [])), { minLength: 1, maxLength: 4 })
      .map((values) => `${name} IN (${values.map(literal).join(', ')})`),
  )

const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    comparison,
    membership,
    fc.constantFrom('k IS NULL', 'n IS NOT NULL', 't IS NOT NULL', 'b'),
    fc.tuple(tie('condition'), fc.constantFrom('AND', 'OR'), tie('condition')).map(([a, op, b]) => `(${a} ${op} ${b})`),
    tie('condition').map((each) => `NOT (${each})`),
  ),
}))

it('finds what the condition finds row by row', async () => {
  await fc.assert(
    fc.asyncProperty(condition, async (text) => {
      const near = await ask(services, `FROM x-* | WHERE ${text} | SORT id | KEEP id | LIMIT 1000`)
      const apart = await ask(services, `FROM x-* | LIMIT 10000 | WHERE ${text} | SORT id | KEEP id | LIMIT 1000`)
      expect(near.rows, text).toEqual(apart.rows)
    }),
    { numRuns: runs },
  )
})
