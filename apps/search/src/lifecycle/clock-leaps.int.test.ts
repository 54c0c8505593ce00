import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { dayMs, growingOld, timedMappings as mappings, startMs } from '../testing/lifecycle-days.ts'
import { openTestServices, type TestServices } from '../testing/search-services.ts'
import { clockLeap } from './clock-leaps.ts'
import { runStreamLifecycles } from './run-stream-lifecycles.ts'
import { startLifecycle } from './scheduler.ts'

let nowMs = startMs
let services: TestServices

beforeAll(async () => {
  services = await openTestServices(() => nowMs)
})

beforeEach(() => {
  nowMs = startMs
})

afterAll(async () => {
  await services?.close()
})

const { names, putPolicy, events } = growingOld(
  () => services,
  () => nowMs,
)

it('the scheduler deletes nothing by its age after a leap of the clock until it has stood for a day', async () => {
  let steadyMs = 0
  await services.create('app-1', mappings)
  await putPolicy('short', { delete: { min_age: '30d', actions: { delete: {} } } })
  await services.catalogue.createIndex({ name: 'app-2', settings: { 'lifecycle.name': 'short' } })
  await events('app-1', [0])
  const scheduler = startLifecycle(services, () => steadyMs)
  await scheduler.tick()
  nowMs += 365 * dayMs
  await scheduler.tick()
  expect(names()).toEqual(['app-1', 'app-2'])
  expect(clockLeap(services.store)).toEqual({ offsetMs: 365 * dayMs, sinceMs: nowMs, untilMs: nowMs + dayMs })
  nowMs += dayMs
  steadyMs += dayMs
  await scheduler.tick()
  expect(names()).toEqual([])
  expect(clockLeap(services.store)).toBeUndefined()
  await scheduler.close()
})

it('data streams give up neither what was rolled over in 1970 nor keep what was made in the future', async () => {
  await services.catalogue.putIndexTemplate('logs', {
    index_patterns: ['logs-*'],
    data_stream: {},
    template: { mappings, lifecycle: { data_retention: '10d' } },
  })
  await events('logs-app', [0], 'create')
  nowMs = 1000
  await services.catalogue.rolloverDataStream('logs-app')
  await events('logs-app', [0], 'create')
  nowMs = startMs + dayMs
  await runStreamLifecycles(services)
  expect(names()).toEqual([
    '.ds-logs-app-1970.01.01-000002',
    '.ds-logs-app-2026.01.01-000001',
    '.ds-logs-app-2026.01.02-000003',
  ])
  nowMs = startMs + 365 * dayMs
  await services.catalogue.rolloverDataStream('logs-app')
  await events('logs-app', [1], 'create')
  nowMs = startMs + 2 * dayMs
  await runStreamLifecycles(services)
  expect(names().at(-1)).toBe('.ds-logs-app-2027.01.01-000004')
  expect(services.catalogue.dataStream('logs-app')?.indices.at(-1)).toBe('.ds-logs-app-2026.01.03-000005')
  nowMs = startMs + 13 * dayMs
  await runStreamLifecycles(services)
  expect(names()).not.toContain('.ds-logs-app-2027.01.01-000004')
})
