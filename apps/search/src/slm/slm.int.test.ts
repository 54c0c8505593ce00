import { isAppError } from '@logstack/errors'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clusterSettingsRoutes } from '../api/cluster/cluster-settings.ts'
import type { RouteRequest } from '../api/define-route.ts'
import { slmRoutes } from '../api/snapshots/slm.ts'
import { startLifecycle } from '../lifecycle/scheduler.ts'
import type { Services } from '../services.ts'
import { activityOf } from '../snapshots/activity.ts'
import { filesOf, putRepository } from '../snapshots/repositories.ts'
import { openTestServices, type TestServices } from '../testing/search-services.ts'
import { snapshotPolicies } from './policy.ts'
import { stopPolicies } from './run-policy.ts'
import { runSnapshotSchedules } from './schedule.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const startMs = Date.UTC(2026, 10, 23)
let nowMs = startMs
let services: TestServices

/** Asks a route of the group as its client would, without the server; the privileges are the route matrix' business. */
async function ask(name: string, params: Record<string, string> = {}, body?: object): Promise<never> {
  const route = slmRoutes.find((each) => each.name === `slm.${name}`)
  const request = { params, query: {}, json: () => body } as unknown as RouteRequest
  return (await route?.handle(request, services as unknown as Services))?.json as never
}

async function refusal(name: string, params: Record<string, string>, body?: object): Promise<string> {
  try {
    await ask(name, params, body)
  } catch (thrown) {
    if (isAppError(thrown)) return `${thrown.code}: ${thrown.message}`
    throw thrown
  }
  return 'none'
}

const daily = {
  name: '<daily-{now/d}>',
  schedule: '0 30 1 * * ?',
  repository: 'backup',
  config: { indices: ['logs'], include_global_state: false, metadata: { by: 'me' } },
  retention: { expire_after: '3d', min_count: 1, max_count: 5 },
}

const snapshots = async () => {
  const { records } = await (await filesOf(services, 'backup')).records()
  return [...records].sort((a, b) => a.startMs - b.startMs)
}
/** Names without what tells two of one moment apart. */
const names = async () => (await snapshots()).map(({ snapshot }) => snapshot.replace(/-[0-9a-f]{24}$/u, ''))

async function tickAt(ms: number): Promise<void> {
  nowMs = ms
  await runSnapshotSchedules(services)
  await Promise.all(
    activityOf(services)
      .running()
      .map(({ ended }) => ended),
  )
  await stopPolicies(services)
}

beforeAll(async () => {
  services = await openTestServices(() => nowMs)
  await putRepository(services, 'backup', { type: 'fs', settings: { location: 'backup' } }, true)
  await services.create('logs', { properties: { n: { type: 'long' } } })
  await services.write('logs', [['1', { n: 1 }]])
})

beforeEach(async () => {
  nowMs = startMs
  for (const [id] of [...snapshotPolicies(services.store).entries()]) await ask('delete_lifecycle', { id })
  const files = await filesOf(services, 'backup')
  for (const { uuid } of await snapshots()) await files.removeRecord(uuid)
  await ask('start')
})

afterAll(async () => {
  await services?.close()
})

describe('a policy', () => {
  it('makes its snapshot when it is time, once, with its name in its metadata', async () => {
    expect(await ask('put_lifecycle', { id: 'daily' }, daily)).toEqual({ acknowledged: true })
    await tickAt(startMs + 1.4 * hourMs)
    expect(await names()).toEqual([])
    await tickAt(startMs + 1.5 * hourMs)
    await tickAt(startMs + 1.6 * hourMs)
    expect(await names()).toEqual(['daily-2026.11.23'])
    const [made] = await snapshots()
    expect(made).toMatchObject({ metadata: { by: 'me', policy: 'daily' }, includeGlobalState: false })
    expect(made?.indices.map(({ name }) => name)).toEqual(['logs'])
    expect(await ask('get_lifecycle', { id: 'daily' })).toMatchObject({
      daily: {
        version: 1,
        modified_date_millis: startMs,
        policy: daily,
        last_success: { snapshot_name: made?.snapshot, time: startMs + 1.5 * hourMs },
        next_execution: '2026-11-24T01:30:00.000Z',
        stats: { policy: 'daily', snapshots_taken: 1, snapshots_failed: 0 },
      },
    })
  })

  it('is looked after by the scheduler of lifecycles, which ends what is under way when it closes', async () => {
    await ask('put_lifecycle', { id: 'daily' }, daily)
    nowMs = startMs + 2 * hourMs
    const scheduler = startLifecycle(services)
    await scheduler.tick()
    await scheduler.close()
    expect(activityOf(services).running()).toEqual([])
    const { daily: shown } = (await ask('get_lifecycle', { id: 'daily' })) as {
      daily: { stats: Record<string, number> }
    }
    expect(Number(shown.stats['snapshots_taken']) + Number(shown.stats['snapshots_failed'])).toBe(1)
  })

  it('waits for no time that a clock noted which was ahead', async () => {
    await ask('put_lifecycle', { id: 'daily' }, daily)
    await tickAt(startMs + 365 * dayMs)
    expect(await names()).toHaveLength(1)
    await tickAt(startMs + 3 * hourMs)
    expect(await names()).toHaveLength(1)
    await tickAt(startMs + dayMs + 2 * hourMs)
    expect(await names()).toHaveLength(2)
  })

  it('makes what was missed once, and rests while it is stopped', async () => {
    await ask('put_lifecycle', { id: 'daily' }, daily)
    await tickAt(startMs + 3 * dayMs)
    expect(await names()).toEqual(['daily-2026.11.26'])
    await ask('stop')
    expect(await ask('get_status')).toEqual({ operation_mode: 'STOPPED' })
    await tickAt(startMs + 4 * dayMs)
    await ask('start')
    await tickAt(startMs + 4 * dayMs + hourMs)
    expect(await names()).toEqual(['daily-2026.11.26'])
  })
})

describe('a policy, beside its clock,', () => {
  it('is run at once by _execute, and notes why it could not be', async () => {
    await ask('put_lifecycle', { id: 'daily' }, daily)
    const { snapshot_name: name } = await ask('execute_lifecycle', { id: 'daily' })
    expect(name).toMatch(/^daily-2026\.11\.23-[0-9a-f]{24}$/u)
    await Promise.all(
      activityOf(services)
        .running()
        .map(({ ended }) => ended),
    )
    expect((await snapshots()).map(({ snapshot }) => snapshot)).toEqual([name])
    const wrong = { ...daily, config: { indices: 'not-there' } }
    await ask('put_lifecycle', { id: 'daily' }, wrong)
    expect(await refusal('execute_lifecycle', { id: 'daily' })).toContain('no such index [not-there]')
    expect(await ask('get_lifecycle', {})).toMatchObject({
      daily: { version: 2, last_failure: { details: 'no such index [not-there]' }, stats: { snapshots_failed: 1 } },
    })
    expect(await ask('get_stats')).toMatchObject({ total_snapshots_taken: 1, total_snapshots_failed: 1 })
  })

  it('runs at intervals, too', async () => {
    await ask('put_lifecycle', { id: 'often' }, { ...daily, schedule: '6h', retention: undefined })
    for (const hours of [5, 6, 11, 12.1]) await tickAt(startMs + hours * hourMs)
    expect((await snapshots()).map((each) => (each.startMs - startMs) / hourMs)).toEqual([6, 12.1])
  })
})

describe('retention', () => {
  it('deletes by the clock what expired, of its own policy only', async () => {
    await ask('put_lifecycle', { id: 'daily' }, daily)
    await ask(
      'put_lifecycle',
      { id: 'kept' },
      { ...daily, name: 'kept', schedule: '0 0 0 1 1 ? 2030', retention: undefined },
    )
    await ask('execute_lifecycle', { id: 'kept' })
    await Promise.all(
      activityOf(services)
        .running()
        .map(({ ended }) => ended),
    )
    for (let day = 0; day < 6; day += 1) await tickAt(startMs + day * dayMs + 1.6 * hourMs)
    await tickAt(startMs + 6 * dayMs)
    // The retention of 01:30 on the sixth day saw those of the first two days as older than three days.
    expect(await names()).toEqual([
      'kept',
      'daily-2026.11.25',
      'daily-2026.11.26',
      'daily-2026.11.27',
      'daily-2026.11.28',
    ])
    expect(await ask('get_stats')).toMatchObject({ total_snapshots_deleted: 2, retention_failed: 0 })
  })

  it('can be asked for at once', async () => {
    await ask('put_lifecycle', { id: 'one' }, { ...daily, retention: { max_count: 1 } })
    for (const day of [0, 1, 2]) await tickAt(startMs + day * dayMs + 1.55 * hourMs)
    const before = (await ask('get_stats')) as { retention_runs: number }
    await ask('execute_retention')
    await expect
      .poll(async () => ((await ask('get_stats')) as typeof before).retention_runs)
      .toBe(before.retention_runs + 1)
    expect(await names()).toEqual(['daily-2026.11.25'])
  })

  it('keeps the schedule that the cluster is given, and only one that it can keep', async () => {
    const set = async (schedule: string | null) => {
      const route = clusterSettingsRoutes.find(({ name }) => name === 'cluster.put_settings')
      const json = () => ({ persistent: { slm: { retention_schedule: schedule } } })
      await route?.handle({ params: {}, query: {}, json } as unknown as RouteRequest, services as unknown as Services)
    }
    const runs = async () => ((await ask('get_stats')) as { retention_runs: number }).retention_runs
    await expect(set('daily')).rejects.toThrow('invalid cron expression [daily]')
    await set('0 0 5 * * ?')
    await tickAt(startMs + hourMs)
    const before = await runs()
    await tickAt(startMs + 4.9 * hourMs)
    expect(await runs()).toBe(before)
    await tickAt(startMs + 5.1 * hourMs)
    expect(await runs()).toBe(before + 1)
    await set(null)
  })
})

it('refuses policies that cannot work, in the words of Elasticsearch', async () => {
  const put = (change: object, id = 'p') => refusal('put_lifecycle', { id }, { ...daily, ...change })
  expect(await put({ schedule: '* * * * * ?' })).toBe(
    'illegal_argument_exception: invalid schedule [* * * * * ?]: schedule would be too frequent, executing more than every [15m]',
  )
  expect(await put({ schedule: 'daily' })).toContain('invalid cron expression [daily]')
  expect(await put({ repository: 'none' })).toBe('illegal_argument_exception: no such repository [none]')
  expect(await put({ name: undefined })).toBe('illegal_argument_exception: Required [name]')
  expect(await put({ retention: { min_count: 3, max_count: 2 } })).toContain('cannot be larger than maximum')
  expect(await put({ retention: { expire_after: 'long' } })).toContain('as a time value')
  expect(await put({ config: { what: 1 } })).toContain('unknown parameter [what]')
  expect(await put({ config: { metadata: { policy: 'x' } } })).toContain('field name [policy] is reserved')
  expect(await put({ name: 'Upper' })).toBe(
    'action_request_validation_exception: Validation Failed: 1: invalid snapshot name [Upper]: must be lowercase;',
  )
  expect(await put({ name: 'a b' })).toContain('invalid snapshot name [a b]: must not contain whitespace;')
  expect(await put({ name: '<Day-{now/d}>' })).toContain('invalid snapshot name [<Day-{now/d}>]: must be lowercase;')
  expect(await put({ name: '<day-{now/d>' })).toContain('date math placeholder is open ended')
  expect(await put({ name: '<day-{now/x}>' })).toContain('exception: ')
  expect(await put({ retention: { min_count: 0 } })).toContain('minimum snapshot count must be at least 1, but was: 0')
  expect(await put({ retention: { max_count: 'x' } })).toContain(
    'maximum snapshot count must be at least 1, but was: x',
  )
  expect(await put({ retention: { expire_after: '0' } })).toContain('[expire_after] must be a time above 0')
  expect(await put({ more: 1 })).toContain('unknown field [more]')
  expect(await put({}, 'a b')).toContain('invalid policy id [a b]')
  expect(await refusal('get_lifecycle', { id: 'none' })).toBe(
    'resource_not_found_exception: snapshot lifecycle policy or policies [none] not found',
  )
  expect(await refusal('delete_lifecycle', { id: 'none' })).toBe(
    'resource_not_found_exception: snapshot lifecycle policy not found: none',
  )
  expect(await refusal('execute_lifecycle', { id: 'none' })).toBe(
    'illegal_argument_exception: no such snapshot lifecycle policy [none]',
  )
})
