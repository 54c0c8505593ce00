import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemScope } from '../../security/role-scope.ts'
import type { Services } from '../../services.ts'
import { openTestServices, type TestServices } from '../../testing/search-services.ts'
import { updateScript, writeDocuments } from '../documents/write-documents.ts'

const waits = { activeShards: undefined, timeoutMs: 1000, refreshes: false }
let services: TestServices

beforeAll(async () => {
  services = await openTestServices()
  const source = 'int s = 0; for (int i = 0; i < 400000; i++) { s += i } ctx.s = s'
  await services.store.transaction(() =>
    services.catalogue.collection('ingest_pipeline').put('slow', { processors: [{ script: { source } }] }),
  )
})

afterAll(async () => {
  await services?.close()
})

it('others have their turn between the documents of a bulk that scripts run over', async () => {
  let turns = 0
  let isOver = false
  const turn = (): void => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  let turnsOfPipelines = 0
  const operations = Array.from({ length: 10 }, (_, n) => ({
    action: 'index' as const,
    index: 'slow',
    id: String(n),
    source: Buffer.from('{}'),
    pipeline: 'slow',
  }))
  const written = await writeDocuments(systemScope, operations, services as unknown as Services, waits, () => {
    turnsOfPipelines = turns
    isOver = true
  })
  expect(written.map((each) => ('error' in each ? each.error.message : each.status))).toEqual(Array(10).fill(201))
  // Ten documents take ten times what a turn is, or near it on the fastest machine; without turns it were none.
  expect(turnsOfPipelines).toBeGreaterThan(1)
})

it('the documents of a bulk are left alone once its client is gone', async () => {
  const gone = new AbortController()
  const operations = Array.from({ length: 200 }, (_, n) => ({
    action: 'index' as const,
    index: 'left',
    id: String(n),
    source: Buffer.from('{}'),
    pipeline: 'slow',
  }))
  const written = writeDocuments(systemScope, operations, services as unknown as Services, {
    ...waits,
    signal: gone.signal,
  })
  setImmediate(() => gone.abort(new Error('the client is gone')))
  await expect(written).rejects.toThrow('the client is gone')
  expect(services.catalogue.index('left')).toBeUndefined()
})

it('the scripts of the updates of a request end once its client is gone', () => {
  const gone = new AbortController()
  const script = updateScript(services as unknown as Services, gone.signal)('ctx._source.a = 1')
  const context = () => ({ op: 'index', _source: {}, _index: 'i', _id: '1', _version: 1, _now: 0 })
  const ctx = context()
  script(ctx)
  expect(ctx._source).toEqual({ a: 1 })
  gone.abort(new Error('the client is gone'))
  expect(() => script(context())).toThrow('the client is gone')
})

it('a script that many updates share has the parameters of each', () => {
  const scriptOf = updateScript(services as unknown as Services, new AbortController().signal)
  const made = [1, 2].map((n) => {
    const ctx = { op: 'index', _source: {}, _index: 'i', _id: '1', _version: 1, _now: 0 }
    scriptOf({ source: 'ctx._source.n = params.n', params: { n } })(ctx)
    return ctx._source
  })
  expect(made).toEqual([{ n: 1 }, { n: 2 }])
  expect(() => scriptOf({ source: 'x', lang: 'other' })).toThrow('failed to execute script')
})
