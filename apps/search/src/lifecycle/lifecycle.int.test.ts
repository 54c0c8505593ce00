import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { snapshotPolicies } from '../slm/policy.ts'
import { runPolicy } from '../slm/run-policy.ts'
import { putRepository } from '../snapshots/repositories.ts'
import { sql } from '../sql/sql.ts'
import { answerOf } from '../testing/answer-of.ts'
import { dayText as day, dayMs, growingOld, timedMappings as mappings, startMs } from '../testing/lifecycle-days.ts'
import { openTestServices, type TestServices } from '../testing/search-services.ts'
import { parsePolicy } from './ilm/policies.ts'
import { advance, runPolicies } from './ilm/run-policies.ts'
import { lifecycleStates, setOperationMode } from './ilm/state.ts'
import { dataSpace, purgeOlderThan, runRetention } from './retention.ts'
import { changeRetention, putRetention, standardRetention } from './retention-policy.ts'
import { runStreamLifecycles, streamLifecycleRuns } from './run-stream-lifecycles.ts'
import { startLifecycle } from './scheduler.ts'

let nowMs = startMs
let services: TestServices

beforeAll(async () => {
  services = await openTestServices(() => nowMs)
})

beforeEach(async () => {
  nowMs = startMs
  for (const { name } of [...services.catalogue.dataStreams()]) await services.catalogue.deleteDataStream(name)
  for (const index of [...services.catalogue.indices()]) await services.catalogue.deleteIndex(index)
  await putRetention(services.store, standardRetention)
  await services.store.transaction(() => services.store.collection('clock_leap').remove('clock'))
})

afterAll(async () => {
  await services?.close()
})

const { names, putPolicy, events } = growingOld(
  () => services,
  () => nowMs,
)

function stateOf(name: string) {
  const { phase, action, step, failedStep, stepInfo } =
    lifecycleStates(services.store).get(services.catalogue.index(name)?.uuid ?? '') ?? {}
  return { phase, action, step, ...(failedStep ? { failedStep } : {}), ...(stepInfo ? { stepInfo } : {}) }
}

const phases = {
  hot: { actions: { set_priority: { priority: 100 }, rollover: { max_docs: 2 } } },
  warm: {
    min_age: '1d',
    actions: { readonly: {}, shrink: { number_of_shards: 1 }, forcemerge: { max_num_segments: 1 } },
  },
  cold: { min_age: '2d', actions: { allocate: { number_of_replicas: 0 } } },
  delete: { min_age: '3d', actions: { delete: {} } },
}

async function written(): Promise<void> {
  await putPolicy('books', phases)
  await services.catalogue.putIndexTemplate('books', {
    index_patterns: ['books-*'],
    template: { settings: { 'lifecycle.name': 'books', 'lifecycle.rollover_alias': 'books' }, mappings },
  })
  await services.catalogue.createIndex({ name: 'books-000001', aliases: { books: { is_write_index: true } } })
}

describe('lifecycle policies', () => {
  it('take an index through hot, warm and cold until it is deleted; age counts from the rollover', async () => {
    await written()
    await runPolicies(services)
    const waits = { message: 'the conditions of the rollover are not met' }
    expect(stateOf('books-000001')).toEqual({
      phase: 'hot',
      action: 'rollover',
      step: 'check-rollover-ready',
      stepInfo: waits,
    })
    expect(services.catalogue.index('books-000001')?.settings['priority']).toBe('100')
    nowMs += 10 * dayMs
    await events('books', [0, 0])
    await runPolicies(services)
    expect(names()).toEqual(['books-000001', 'books-000002'])
    expect(stateOf('books-000001')).toEqual({ phase: 'hot', action: 'complete', step: 'complete' })
    nowMs += dayMs
    await runPolicies(services)
    expect(stateOf('books-000001')).toEqual({ phase: 'warm', action: 'complete', step: 'complete' })
    expect(services.catalogue.index('books-000001')?.settings['blocks.write']).toBe('true')
    nowMs += dayMs
    await runPolicies(services)
    expect(stateOf('books-000001')).toEqual({ phase: 'cold', action: 'complete', step: 'complete' })
    nowMs += dayMs
    await runPolicies(services)
    expect(names()).toEqual(['books-000002'])
    await runPolicies(services)
    expect([...lifecycleStates(services.store).entries()]).toHaveLength(1)
  })

  it('rest when they are stopped', async () => {
    await written()
    await setOperationMode('STOPPED', services.store)
    await runPolicies(services)
    expect(stateOf('books-000001')).toEqual({})
    await setOperationMode('RUNNING', services.store)
    await runPolicies(services)
    expect(stateOf('books-000001')).toMatchObject({ phase: 'hot' })
  })
})

describe('lifecycle policies that cannot go on', () => {
  it('say what went wrong and go on by themselves once it is mended', async () => {
    await putPolicy('wrong', { hot: { actions: { rollover: { max_docs: 1 } } } })
    await services.catalogue.createIndex({ name: 'plain', settings: { 'lifecycle.name': 'wrong' } })
    await runPolicies(services)
    expect(stateOf('plain')).toEqual({
      phase: 'hot',
      action: 'rollover',
      step: 'ERROR',
      failedStep: 'check-rollover-ready',
      stepInfo: {
        type: 'illegal_argument_exception',
        reason: 'setting [index.lifecycle.rollover_alias] for index [plain] is empty or not defined',
      },
    })
    const index = services.catalogue.index('plain')
    if (!index) throw new Error('not made')
    await services.catalogue.putSettings(index, { 'lifecycle.indexing_complete': true })
    await advance(index, services)
    expect(stateOf('plain')).toEqual({ phase: 'hot', action: 'complete', step: 'complete' })
  })

  it('never delete the write index of a data stream that has others', async () => {
    await putPolicy('short', { hot: { actions: {} }, delete: { min_age: '1d', actions: { delete: {} } } })
    await services.catalogue.putIndexTemplate('short', {
      index_patterns: ['short'],
      data_stream: {},
      template: { settings: { 'lifecycle.name': 'short' } },
    })
    await services.catalogue.createDataStream('short')
    await services.catalogue.rolloverDataStream('short')
    nowMs += 2 * dayMs
    const writing = services.catalogue.index('.ds-short-2026.01.01-000002')
    if (!writing) throw new Error('not made')
    await advance(writing, services)
    expect(stateOf(writing.name)).toMatchObject({
      step: 'ERROR',
      stepInfo: { reason: expect.stringContaining('is the write index for data stream [short]') },
    })
    // The other one goes, and then the stream as a whole.
    await runPolicies(services)
    expect(names()).toEqual([])
    expect(services.catalogue.dataStream('short')).toBeUndefined()
  })

  it('refuse what cannot be done', () => {
    const reading = (policy: unknown) => () => parsePolicy(policy)
    expect(reading({ phases: { lukewarm: {} } })).toThrow('Timeseries lifecycle does not support phase [lukewarm]')
    expect(reading({ phases: { warm: { actions: { rollover: { max_docs: 1 } } } } })).toThrow(
      'invalid action [rollover] defined in phase [warm]',
    )
    expect(reading({ phases: { hot: { actions: { rollover: {} } } } })).toThrow('At least one max_* rollover condition')
    expect(reading({ phases: { cold: { actions: { searchable_snapshot: {} } } } })).toThrow('is not supported here')
    expect(reading({ phases: { delete: { actions: { wait_for_snapshot: {} } } } })).toThrow('policy name must be')
    expect(reading({ phases: { hot: { min_age: 'soon' } } })).toThrow('as a time value')
  })
})

describe('lifecycle policies with snapshots', () => {
  it('wait with the deletion until one holds the index', async () => {
    await putPolicy('careful', { delete: { actions: { wait_for_snapshot: { policy: 'daily' }, delete: {} } } })
    const index = await services.catalogue.createIndex({ name: 'kept', settings: { 'lifecycle.name': 'careful' } })
    await events('other', [0])
    const advanced = async () => {
      await advance(index, services)
      return stateOf('kept').stepInfo
    }
    expect(await advanced()).toMatchObject({ reason: "configured policy 'daily' not found" })
    await putRepository(services, 'backup', { type: 'fs', settings: { location: 'backup' } }, true)
    const policy = (indices: string) => ({
      name: `of-${indices}`,
      schedule: '1h',
      repository: 'backup',
      config: { indices: [indices] },
    })
    const snapshotOf = async (indices: string) => {
      const stored = { version: 1, modifiedMs: nowMs, policy: policy(indices) }
      await services.store.transaction(() => snapshotPolicies(services.store).put('daily', stored))
      nowMs += dayMs
      await (await runPolicy(services, 'daily')).ended
    }
    await services.store.transaction(() =>
      snapshotPolicies(services.store).put('daily', { version: 1, modifiedMs: nowMs, policy: policy('other') }),
    )
    expect(await advanced()).toEqual({
      message: "waiting for policy 'daily' to be executed since 2026-01-01T00:00:00.000Z",
    })
    await snapshotOf('other')
    expect(await advanced()).toEqual({
      message: expect.stringMatching(/^the last snapshot of policy 'daily', \[of-other-.*\], does not hold the index$/),
    })
    await snapshotOf('kept')
    await advance(index, services)
    expect(names()).toEqual(['other'])
  })
})

describe('lifecycles of data streams', () => {
  async function stream(lifecycle?: object): Promise<void> {
    await services.catalogue.putIndexTemplate('logs', {
      index_patterns: ['logs-*'],
      data_stream: {},
      template: { mappings, ...(lifecycle ? { lifecycle } : {}) },
    })
    await events('logs-app', [0], 'create')
  }

  it('roll over and delete after the retention of the stream', async () => {
    await stream({ data_retention: '10d' })
    expect(services.catalogue.dataStream('logs-app')?.lifecycle).toEqual({ enabled: true, data_retention: '10d' })
    await runStreamLifecycles(services)
    expect(names()).toHaveLength(1)
    nowMs += 2 * dayMs
    await runStreamLifecycles(services)
    expect(streamLifecycleRuns(services.catalogue)).toMatchObject({
      lastMs: 0,
      betweenMs: 2 * dayMs,
      failing: new Map(),
    })
    expect(names()).toEqual(['.ds-logs-app-2026.01.01-000001', '.ds-logs-app-2026.01.03-000002'])
    nowMs += 10 * dayMs
    await runStreamLifecycles(services)
    expect(names()).toEqual(['.ds-logs-app-2026.01.03-000002'])
  })

  it('roll over streams without one too, so that the retention of the stack can take the oldest', async () => {
    await stream()
    nowMs += 8 * dayMs
    await events('logs-app', [8], 'create')
    const clock = startLifecycle(services, () => nowMs)
    await clock.tick()
    expect(names()).toEqual(['.ds-logs-app-2026.01.01-000001', '.ds-logs-app-2026.01.09-000002'])
    nowMs += 91 * dayMs
    await clock.tick()
    await clock.close()
    expect(names()).toEqual(['.ds-logs-app-2026.01.09-000002'])
  })

  it('rest when they are switched off', async () => {
    await stream({ enabled: false })
    nowMs += 40 * dayMs
    await runStreamLifecycles(services)
    expect(names()).toHaveLength(1)
  })
})

const rowsOnDisk = async () => {
  const [row] = await services.engine.rows(
    sql`SELECT sum(rows) FROM system.parts WHERE active AND database = currentDatabase()`,
  )
  return Number(row?.[0] ?? 0)
}

describe('retention', () => {
  it('deletes what is too old, keeps other indices, the state of the stack and what has no times', async () => {
    for (const name of ['app-1', 'app-2', '.logstack-x', '.other']) await services.create(name, mappings)
    await services.create('list', { properties: { n: { type: 'long' } } })
    await events('app-1', [0, 1])
    await events('app-2', [0, 100])
    await events('.logstack-x', [0])
    nowMs += 101 * dayMs
    const before = await rowsOnDisk()
    const report = await runRetention(services, { byAge: true })
    expect(report.indices).toMatchObject([{ index: 'app-1', documents: 2, reason: 'age' }])
    expect(report.events).toMatchObject([{ index: 'app-2', documents: 1, reason: 'age' }])
    expect(names()).toEqual(['.logstack-x', '.other', 'app-2', 'list'])
    expect(await services.catalogue.purge()).toBe(0)
    // Gone from the disk, not only hidden.
    expect(await rowsOnDisk()).toBe(before - 3)
  })

  it('leaves no answer as it was before: what is known of counts and kept of answers goes with the events', async () => {
    await services.create('app-1', mappings)
    await events('app-1', [0, 100])
    const found = async () => {
      const body = { track_total_hits: true, size: 0, aggs: { first: { min: { field: '@timestamp' } } } }
      const { hits, aggregations } = await answerOf<{
        hits: { total: { value: number } }
        aggregations: { first: { value: number } }
      }>(services, 'app-1', body, { query: {} })
      return [hits.total.value, new Date(aggregations.first.value).toISOString().slice(0, 10)]
    }
    const index = services.catalogue.index('app-1')
    const counted = async () => (index === undefined ? undefined : (await services.documents.stats(index)).documents)
    expect([await found(), await counted()]).toEqual([[2, '2026-01-01'], 2])
    expect(await found()).toEqual([2, '2026-01-01'])
    nowMs += 101 * dayMs
    await runRetention(services, { byAge: true })
    expect([await found(), await counted()]).toEqual([[1, '2026-04-11'], 1])
  })

  it('goes by patterns and by never', async () => {
    for (const name of ['app-1', 'audit-1']) {
      await services.create(name, mappings)
      await events(name, [0])
    }
    const patterns = { 'app-*': '5d', 'audit-*': 'never' }
    await putRetention(services.store, changeRetention(standardRetention, { patterns }))
    nowMs += 400 * dayMs
    await runRetention(services, { byAge: true })
    expect(names()).toEqual(['audit-1'])
  })

  it('takes the oldest first when data take too much of the disk', async () => {
    for (const n of [1, 2, 3]) {
      await services.create(`app-${n}`, mappings)
      await events(`app-${n}`, [n])
    }
    nowMs += 10 * dayMs
    expect((await dataSpace(services)).excessBytes).toBe(0)
    // Watermarks of a disk on which everything is too much: as much as possible goes, but nothing of the last days.
    const watermarks = { 'cluster.routing.allocation.disk.watermark.low': '100000tb' }
    const settings = services.store.collection('cluster_settings')
    await services.store.transaction(() => settings.put('transient', watermarks))
    await putRetention(services.store, changeRetention(standardRetention, { keep_at_least: '8d' }))
    const { indices } = await runRetention(services, { byAge: false })
    await services.store.transaction(() => settings.remove('transient'))
    expect(indices).toMatchObject([{ index: 'app-1', reason: 'space' }])
    expect(names()).toEqual(['app-2', 'app-3'])
  })
})

describe('a purge', () => {
  it('takes events by hand, whole indices and old events of others; a dry run changes nothing', async () => {
    await services.create('app-1', mappings)
    await services.create('app-2', mappings)
    await events('app-1', [0, 1])
    await events('app-2', [0, 50, 60])
    nowMs += 60 * dayMs
    const purge = (dryRun: boolean, pattern = '*') =>
      purgeOlderThan(services, { olderThanMs: 30 * dayMs, pattern, dryRun })
    const planned = await purge(true)
    expect(planned.indices).toMatchObject([{ index: 'app-1', documents: 2 }])
    expect(planned.events).toMatchObject([{ index: 'app-2', documents: 1, before: day(30) }])
    expect(names()).toEqual(['app-1', 'app-2'])
    expect(await purge(false, 'other-*')).toEqual({ indices: [], events: [] })
    expect(await purge(false)).toEqual(planned)
    expect(names()).toEqual(['app-2'])
    const left = services.catalogue.index('app-2')
    if (!left) throw new Error('deleted')
    const found = await services.documents.get(left, ['app-2 0 0', 'app-2 50 1', 'app-2 60 2'])
    expect(found.map((document) => document !== undefined)).toEqual([false, true, true])
  })

  it('does not begin what finds no room, for which the engine would wait for ever, and says that it took nothing', async () => {
    await services.create('app-4', mappings)
    await events('app-4', [0, 50])
    nowMs += 60 * dayMs
    const statements: string[] = []
    const engine: typeof services.engine = {
      ...services.engine,
      rows: async (query, given) =>
        query.text.includes('unreserved_space') ? [[2 ** 30, 2 ** 30]] : services.engine.rows(query, given),
      execute: async ({ text }) => void statements.push(text),
    }
    const purged = await purgeOlderThan(
      { ...services, engine },
      { olderThanMs: 30 * dayMs, pattern: '*', dryRun: false },
    )
    expect([purged, statements]).toEqual([{ indices: [], events: [] }, []])
  })
})

describe('the scheduler', () => {
  it('goes on after a restart where it was', async () => {
    await services.create('app-1', mappings)
    await events('app-1', [0])
    nowMs += 89 * dayMs
    const first = startLifecycle(services, () => nowMs)
    await first.tick()
    await first.close()
    nowMs += 2 * dayMs
    const second = startLifecycle(services, () => nowMs)
    await second.tick()
    expect(names()).toEqual([])
    await second.close()
  })
})
