import { evaluate, type Predicate } from '@logstack/rules'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { columnValues } from '../../documents/column-values.ts'
import { createLowerContext } from '../../dsl/lower-context.ts'
import { systemScope } from '../../security/role-scope.ts'
import { sql } from '../../sql/sql.ts'
import { openTestServices, type TestServices } from '../../testing/search-services.ts'
import { leafRows } from '../leaves/leaves.ts'
import { planLeaves } from '../leaves/plan-leaves.ts'
import { withKnownValues } from '../pruning/known-values.ts'
import { mapping, query, source } from './differential.fixture.ts'

/** Random queries tried; each is answered for all documents of the test at once. */
const cases = Number(process.env['LOGSTACK_CASES'] ?? 100)
const documentsCount = 120
const nowMs = Date.UTC(2026, 10, 21, 12)

let services: TestServices
const sources = new Map<string, unknown>()

beforeAll(async () => {
  services = await openTestServices(() => nowMs)
  await services.create('random', mapping)
  const seed = Number(process.env['LOGSTACK_SEED'] ?? 7)
  const drawn = fc.sample(source, { numRuns: documentsCount, seed })
  for (const [at, each] of drawn.entries()) sources.set(String(at), JSON.parse(JSON.stringify(each)) as unknown)
  await services.write('random', [...sources])
  columnValues(services, { rowsMin: 0 })
})
afterAll(() => services.close())

/** The documents found, as the query is and with what is known of its columns' values. */
async function found(given: unknown): Promise<string[][]> {
  const [resolved] = services.catalogue.resolve('random', {
    ignoreUnavailable: false,
    allowNoIndices: false,
    expand: ['open'],
    forbidClosed: true,
  })
  if (!resolved) throw new Error('BUG: the index is gone')
  const [leaf] = planLeaves(services, { indices: [resolved], scope: systemScope, query: given, nowMs })
  if (!leaf) throw new Error('BUG: no leaf')
  const known = await withKnownValues(services, leaf, {}, 1)
  return Promise.all(
    [leaf, known].map(async (each) => {
      const { from, where } = leafRows(services, each)
      const rows = await services.engine.rows(sql`SELECT _id FROM ${from} WHERE ${where}`)
      return rows.map(([id]) => String(id))
    }),
  )
}

function lowered(given: unknown): Predicate {
  const index = services.catalogue.index('random')
  if (!index) throw new Error('BUG: the index is gone')
  return createLowerContext({ index, fields: services.catalogue.fields(index), scope: systemScope, nowMs }).lower(given)
}

it(`finds in ${documentsCount} documents what the evaluator finds, for ${cases} queries`, async () => {
  await fc.assert(
    fc.asyncProperty(query, async (given) => {
      const predicate = lowered(given)
      for (const [at, ids] of (await found(given)).map((each) => new Set(each)).entries()) {
        const wrong = [...sources].filter(([id, each]) => evaluate(predicate, each, { _id: id }) !== ids.has(id))
        expect({ at, predicate, wrong: wrong.slice(0, 3) }).toEqual({ at, predicate, wrong: [] })
      }
    }),
    { numRuns: cases, ...(process.env['LOGSTACK_SEED'] ? { seed: Number(process.env['LOGSTACK_SEED']) } : {}) },
  )
}, 3_600_000)
