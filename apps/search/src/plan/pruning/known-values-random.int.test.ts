import { afterAll, beforeAll, expect, it } from 'vitest'
import { columnValues } from '../../documents/column-values.ts'
import type { WriteOperation } from '../../documents/write-operation.ts'
import { readSearchRequest } from '../../dsl/search-request.ts'
import type { Scope } from '../../model/scope.ts'
import { systemScope } from '../../security/role-scope.ts'
import { openTestServices, type TestServices } from '../../testing/search-services.ts'
import type { Snapshots } from '../leaves/leaf-request.ts'
import { search } from '../search.ts'
import { shown } from '../shown.ts'
import { randomDocument, randomRequest, seeded, valuesMapping } from './known-values-random.fixture.ts'

/** A dozen searches each; `LOGSTACK_ROUNDS` and `LOGSTACK_SEED` ask for more and others. */
const rounds = Number(process.env['LOGSTACK_ROUNDS'] ?? 5)
const seed = Number(process.env['LOGSTACK_SEED'] ?? 7)

let services: TestServices
/** The same store, of whose columns no values are known. */
let without: TestServices

const { random, pick } = seeded(seed)
const names = ['v-1', 'v-2', 'v-3', 'w-1'] as const

beforeAll(async () => {
  services = await openTestServices()
  without = { ...services, documents: Object.create(services.documents) }
  columnValues(services, { rowsMin: 0, rowsAtOnce: 40 })
  columnValues(without, { rowsMin: Number.POSITIVE_INFINITY })
  for (const name of names) await services.create(name, valuesMapping(name))
})
afterAll(() => services.close())

const scopes: readonly Scope[] = [
  systemScope,
  { ...systemScope, documentFilters: () => [{ bool: { must_not: { prefix: { host: 'h1' } } } }] },
  { ...systemScope, limitsFields: () => true, canSeeField: (_, path) => !/^(level|os|name)/.test(path) },
]

async function writeSome(): Promise<void> {
  const operations = Array.from({ length: 1 + Math.floor(random() * 12) }, (): WriteOperation => {
    const target = { index: pick(names), id: String(Math.floor(random() * 150)) }
    if (random() < 0.2) return { action: 'delete', ...target }
    return { action: 'index', ...target, source: Buffer.from(JSON.stringify(randomDocument({ random, pick }))) }
  })
  await services.documents.apply(operations)
}

/** A table keeps what its indices had: a new one of the same name must not be read by it alone. */
async function remakeIndex(name: string): Promise<void> {
  const { catalogue } = services
  const index = catalogue.index(name)
  if (index) await catalogue.deleteIndex(index)
  await services.create(name, valuesMapping(name))
}

async function said(of: TestServices, body: object, scope: Scope, snapshots: Snapshots): Promise<unknown> {
  const indices = of.catalogue.resolve('*', {
    ignoreUnavailable: false,
    allowNoIndices: true,
    expand: ['open'],
    forbidClosed: true,
  })
  const plan = {
    scope,
    indices,
    snapshots,
    nowMs: 0,
    signal: new AbortController().signal,
    typedKeys: false,
    totalAsInteger: false,
    cached: false,
  }
  try {
    const { json } = await search(of, { ...plan, request: readSearchRequest(body) })
    const { took: _, ...answer } = JSON.parse(json.toString('utf8')) as Record<string, unknown>
    return answer
  } catch (thrown) {
    return String(thrown)
  }
}

async function snapshotNow(): Promise<Snapshots> {
  const indices = [...services.catalogue.indices()].map((index) => ({ index, aliasFilters: [] }))
  await shown(services, indices)
  return new Map(indices.map(({ index: { table } }) => [table, services.documents.visibility(table)]))
}

it('answers by known values as without them, while documents come and go', async () => {
  let found = 0
  for (let round = 0; round < rounds; round += 1) {
    if (round % 4 === 3) await remakeIndex(pick(names))
    await writeSome()
    const snapshots = await snapshotNow()
    const hold = services.documents.hold(snapshots.values())
    // What is written meanwhile, and the values it brings, must not show.
    const beside = random() < 0.5 ? writeSome() : undefined
    for (let ask = 0; ask < 6; ask += 1) {
      const body = randomRequest({ random, pick })
      const scope = random() < 0.6 ? systemScope : pick(scopes)
      const known = await said(services, body, scope, snapshots)
      expect(known, `round ${round} of ${seed}: ${JSON.stringify(body)}`).toEqual(
        await said(without, body, scope, snapshots),
      )
      if (JSON.stringify(known).includes('"_id"')) found += 1
    }
    await beside
    hold()
  }
  expect(found).toBeGreaterThan(rounds)
}, 600_000)
