import { afterAll, beforeAll, expect, it } from 'vitest'
import { runStreamLifecycles } from '../../lifecycle/run-stream-lifecycles.ts'
import type { Services } from '../../services.ts'
import { setSlmMode, snapshotPolicies } from '../../slm/policy.ts'
import { runPolicy } from '../../slm/run-policy.ts'
import { putRepository } from '../../snapshots/repositories.ts'
import { openTestServices, type TestServices } from '../../testing/search-services.ts'
import { snapshotPolicyHealth, streamLifecycleHealth } from './lifecycle-health.ts'

const startMs = Date.UTC(2026, 0, 1)
let nowMs = startMs
let services: TestServices
const asked = () => services as unknown as Services

beforeAll(async () => {
  services = await openTestServices(() => nowMs)
})
afterAll(() => services?.close())

const set = (settings: Record<string, string>) =>
  services.store.transaction(() => services.store.collection('cluster_settings').put('transient', settings))

it('policies of snapshots are green until one has failed too often in a row, or all are stopped', async () => {
  expect(await snapshotPolicyHealth(asked())).toEqual({
    status: 'green',
    symptom: 'No Snapshot Lifecycle Management policies configured',
    details: { slm_status: 'RUNNING', policies: 0 },
  })
  const policy = { name: 'nightly', schedule: '0 30 1 * * ?', repository: 'backup', config: {} }
  await services.store.transaction(() =>
    snapshotPolicies(services.store).put('nightly', { version: 1, modifiedMs: nowMs, policy }),
  )
  const fails = () => expect(runPolicy(services, 'nightly')).rejects.toThrow('[backup] missing')
  for (const _ of [1, 2, 3, 4]) await fails()
  const running = {
    status: 'green',
    symptom: 'Snapshot Lifecycle Management is running',
    details: { slm_status: 'RUNNING', policies: 1 },
  }
  expect(await snapshotPolicyHealth(asked())).toEqual(running)
  await fails()
  expect(await snapshotPolicyHealth(asked())).toMatchObject({
    status: 'yellow',
    symptom: 'Encountered [1] unhealthy snapshot lifecycle management policies.',
    details: { unhealthy_policies: { count: 1, invocations_since_last_success: { nightly: 5 } } },
    trouble: { affected: { slm_policies: ['nightly'] } },
  })
  await set({ 'slm.health.failed_snapshot_warn_threshold': '6' })
  expect(await snapshotPolicyHealth(asked())).toEqual(running)
  await set({})
  await putRepository(services, 'backup', { type: 'fs', settings: { location: 'backup' } }, true)
  await (await runPolicy(services, 'nightly')).ended
  expect(await snapshotPolicyHealth(asked())).toEqual(running)
  await setSlmMode('STOPPED', services.store)
  expect(await snapshotPolicyHealth(asked())).toMatchObject({
    status: 'yellow',
    symptom: 'Snapshot Lifecycle Management is not running',
    details: { slm_status: 'STOPPED', policies: 1 },
  })
})

it('lifecycles of data streams are green until one could not go on for several runs', async () => {
  const lifecycle = { data_retention: '10d' }
  const template = { mappings: { properties: { '@timestamp': { type: 'date' } } }, lifecycle }
  await services.catalogue.putIndexTemplate('logs', { index_patterns: ['logs-*'], data_stream: {}, template })
  const source = Buffer.from(JSON.stringify({ '@timestamp': new Date(startMs).toISOString() }))
  await services.documents.apply([{ action: 'create', index: 'logs-app', id: '1', source }])
  await runStreamLifecycles(services)
  const well = {
    status: 'green',
    symptom: 'Data streams are executing their lifecycles without issues',
    details: { stagnating_backing_indices_count: 0, total_backing_indices_in_error: 0 },
  }
  expect(await streamLifecycleHealth(asked())).toEqual(well)
  // There is no room for the index that would take over.
  await set({ 'cluster.max_shards_per_node': '1', 'data_streams.lifecycle.signalling.error_retry_interval': '2' })
  nowMs += 2 * 86_400_000
  await runStreamLifecycles(services)
  expect(await streamLifecycleHealth(asked())).toEqual({
    ...well,
    details: { stagnating_backing_indices_count: 0, total_backing_indices_in_error: 1 },
  })
  const sinceMs = nowMs
  nowMs += 60_000
  await runStreamLifecycles(services)
  const index_name = '.ds-logs-app-2026.01.01-000001'
  expect(await streamLifecycleHealth(asked())).toMatchObject({
    status: 'yellow',
    details: {
      stagnating_backing_indices_count: 1,
      total_backing_indices_in_error: 1,
      stagnating_backing_indices: [{ index_name, first_occurrence_timestamp: sinceMs, retry_count: 2 }],
    },
    trouble: { affected: { indices: [index_name] } },
  })
  await set({})
  await runStreamLifecycles(services)
  expect(await streamLifecycleHealth(asked())).toEqual(well)
})
