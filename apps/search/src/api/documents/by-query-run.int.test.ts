import { AppError, searchErrors } from '@logstack/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WriteResult } from '../../documents/documents.ts'
import type { WriteOperation } from '../../documents/write-operation.ts'
import { systemScope } from '../../security/role-scope.ts'
import type { Services } from '../../services.ts'
import { tasksOf } from '../../tasks/tasks.ts'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'
import { type MakeWrite, runByQuery } from './by-query-run.ts'
import { findMatching } from './matching-documents.ts'

let search: NotedSearch
let services: Services

beforeAll(async () => {
  search = await openNotedSearch(Date.now)
  services = search.services as unknown as Services
})
afterAll(() => search.services.close())

const text = (source: unknown): Buffer => Buffer.from(JSON.stringify(source))

/** Documents of one index, three of them at each time, the latest first written. */
async function fill(index: string, count: number): Promise<void> {
  const time = (at: number): string => new Date(Date.UTC(2026, 0, 1) - Math.floor(at / 3) * 1000).toISOString()
  const written = Array.from({ length: count }, (_, n) => [String(n), { '@timestamp': time(n), n }] as const)
  await search.services.write(index, written)
}

const resolved = (name: string) => {
  const index = services.catalogue.index(name)
  if (index === undefined) throw new Error(`BUG: no index [${name}]`)
  return [{ index, aliasFilters: [] }]
}

const matchOf = (name: string, more: object = {}) => ({
  indices: resolved(name),
  scope: systemScope,
  query: { match_all: {} },
  batchSize: 10,
  withSource: true,
  ...more,
})

async function run(
  name: string,
  make: MakeWrite,
  of: Services = services,
  more: Partial<Parameters<typeof runByQuery>[3]> = {},
) {
  const task = tasksOf(of).begin({ action: 'test', description: name, cancellable: true })
  const options = {
    kind: 'update' as const,
    make,
    scope: systemScope,
    maxDocs: Number.POSITIVE_INFINITY,
    proceed: true,
    rate: Number.POSITIVE_INFINITY,
    slices: 1,
    waits: { activeShards: undefined, timeoutMs: 1000, refreshes: false },
    ...more,
  }
  return (await runByQuery(of, task, matchOf(name), options, task.signal)).json
}

const rewriting: MakeWrite = ({ index, id, seqNo, seen, source }) => ({
  action: 'index',
  index: index.name,
  id,
  ifSeqNo: seqNo,
  ifPrimaryTerm: 1,
  source: text({ ...JSON.parse(source.toString()), by: 'job' }),
  ...(seen ? { seen } : {}),
})

it('looks for the documents once, reads each batch where it lies, and looks none up before it is written', async () => {
  await fill('read-once', 60)
  await search.ask('read-once', { size: 0 })
  const before = search.statements().length
  expect(await run('read-once', rewriting)).toMatchObject({ total: 60, updated: 60, batches: 6, version_conflicts: 0 })
  const asked = search.statements().slice(before)
  const kinds = {
    ordered: asked.filter((each) => each.includes('ORDER BY')).length,
    read: asked.filter((each) => each.includes('_seq IN (')).length,
    lookedUp: asked.filter((each) => each.includes('_id IN (')).length,
  }
  expect(kinds).toEqual({ ordered: 1, read: 6, lookedUp: 0 })
})

it.each([
  ['by time', undefined],
  ['in the order of a sort', [{ n: 'desc' }]],
])('finds all of them %s, however many are looked for at once', async (_what, sort) => {
  const name = sort ? 'chunks-sorted' : 'chunks'
  await fill(name, 50)
  const request = { ...matchOf(name, { sort, batchSize: 4 }), signal: new AbortController().signal }
  for (const placesAtOnce of [1, 2, 7, 50, 1000]) {
    const found: number[] = []
    const { total, batches } = await findMatching(services, request, placesAtOnce)
    for await (const batch of batches()) found.push(...batch.map(({ id }) => Number(id)))
    expect(total).toBe(50)
    // Of one time, the first written comes first.
    const byTime = (n: number): number => -Math.floor(n / 3) * 1000 + (n % 3)
    expect(found).toEqual(
      Array.from({ length: 50 }, (_, n) => n).sort((a, b) => (sort ? b - a : byTime(a) - byTime(b))),
    )
  }
})

it('overwrites nothing that others write meanwhile, and counts each document once', async () => {
  const count = 400
  await fill('beside', count)
  /** How often each document was written. */
  const writes = new Map(Array.from({ length: count }, (_, n) => [String(n), 1]))
  let conflicts = 0
  const note = (results: readonly WriteResult[]): void => {
    for (const result of results) {
      if ('error' in result) conflicts += 1
      else writes.set(result.id, (writes.get(result.id) ?? 0) + 1)
    }
  }
  const { documents } = services
  const noting = {
    ...services,
    documents: Object.assign(Object.create(documents) as typeof documents, {
      apply: async (operations: readonly WriteOperation[]) => {
        const results = await documents.apply(operations)
        note(results)
        return results
      },
    }),
  }
  let isOver = false
  const others = async (step: number): Promise<void> => {
    for (let n = step; !isOver; n = (n + step) % count) {
      const source = text({ '@timestamp': '2026-01-02T00:00:00Z', n, by: 'another' })
      note(await documents.apply([{ action: 'index', index: 'beside', id: String(n), source }]))
      const [table] = [services.catalogue.index('beside')?.table ?? 0]
      if (n % 7 === 0) await documents.shown([table])
    }
  }
  const writers = [others(17), others(61), others(7)]
  const answer = await run('beside', rewriting, noting)
  isOver = true
  await Promise.all(writers)
  expect(answer).toMatchObject({ total: count, version_conflicts: conflicts, failures: [] })
  expect(Number(answer['updated']) + conflicts).toBe(count)
  expect(conflicts).toBeGreaterThan(0)
  const index = services.catalogue.index('beside')
  if (index === undefined) throw new Error('BUG: the index is gone')
  const stored = await documents.get(index, [...writes.keys()])
  expect(stored.map((each) => each?.version)).toEqual([...writes.values()])
  await documents.shown([index.table])
  const found = await search.ask<{ hits: { total: { value: number } } }>('beside', { size: 0, track_total_hits: true })
  expect(found.hits.total.value).toBe(count)
})

it('sends a batch again to a queue of writes that was full', async () => {
  await fill('full', 20)
  const { documents } = services
  let refusals = 2
  const apply: typeof documents.apply = (operations) => {
    refusals -= 1
    if (refusals < 0) return documents.apply(operations)
    return Promise.reject(new AppError(searchErrors.es_rejected_execution_exception, 'full'))
  }
  const refusing = { ...services, documents: Object.assign(Object.create(documents) as typeof documents, { apply }) }
  expect(await run('full', rewriting, refusing)).toMatchObject({
    updated: 20,
    batches: 2,
    retries: { bulk: 2, search: 0 },
    failures: [],
  })
})

/** Services that do something before the first batch of a job is written. */
function beforeFirstWrite(work: () => Promise<unknown>): Services {
  const { documents } = services
  let begun = false
  const apply: typeof documents.apply = async (operations) => {
    if (!begun) await work()
    begun = true
    return documents.apply(operations)
  }
  return { ...services, documents: Object.assign(Object.create(documents) as typeof documents, { apply }) }
}

const copying: MakeWrite = ({ id, source }) => ({ action: 'index', index: 'copy', id, source })

async function removeIndex(name: string): Promise<void> {
  const { catalogue } = services
  const index = catalogue.index(name)
  if (index) await catalogue.deleteIndex(index)
  await catalogue.purge()
}

describe('an index that is deleted while a job reads it', () => {
  const reason = expect.objectContaining({ type: 'index_not_found_exception' })

  it('is told as what failed, and what was copied does not pass for all of it', async () => {
    await fill('half-copied', 50)
    const deleting = beforeFirstWrite(() => removeIndex('half-copied'))
    const answer = await run('half-copied', copying, deleting, { kind: 'reindex' })
    expect(answer).toMatchObject({ total: 50, failures: [{ index: 'half-copied', status: 404, reason }] })
    expect(answer['created']).toBeLessThan(50)
  })

  it('is not made anew by a job that would rewrite its documents', async () => {
    await fill('half-written', 50)
    const deleting = beforeFirstWrite(() => removeIndex('half-written'))
    const answer = await run('half-written', rewriting, deleting)
    const failure = { index: 'half-written', id: expect.any(String), cause: reason, status: 404 }
    expect(answer['failures']).toEqual(Array.from({ length: 10 }, () => failure))
    expect(services.catalogue.index('half-written')).toBe(undefined)
  })
})

describe('max_docs', () => {
  it('counts what was written, not what was left as it was or met a conflict', async () => {
    await fill('wanted', 50)
    const some: MakeWrite = (document) => (Number(document.id) % 5 === 0 ? rewriting(document) : 'noop')
    const stale: MakeWrite = (document) => rewriting({ ...document, seqNo: document.seqNo + 1000 })
    const of = async (make: MakeWrite) => run('wanted', make, services, { maxDocs: 7 })
    expect(await of(some)).toMatchObject({ total: 7, updated: 7, failures: [] })
    expect(await of(stale)).toMatchObject({ updated: 0, version_conflicts: 50, failures: [] })
    expect(await of(rewriting)).toMatchObject({ total: 7, updated: 7, noops: 0, batches: 1 })
  })
})
