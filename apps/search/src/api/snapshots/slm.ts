import { AppError, searchErrors } from '@logstack/errors'
import { clusterTimeMs } from '../../cluster-settings/read.ts'
import type { Services } from '../../services.ts'
import {
  changePolicyState,
  checkSchedule,
  nextOf,
  parseSnapshotPolicy,
  type StoredSnapshotPolicy,
  setSlmMode,
  slmMode,
  snapshotPolicies,
  snapshotPolicyState,
} from '../../slm/policy.ts'
import { retentionStats, runSnapshotRetention } from '../../slm/retention.ts'
import { runningOf, runPolicy } from '../../slm/run-policy.ts'
import { repositoriesOf } from '../../snapshots/repositories.ts'
import { snapshotRequest } from '../../snapshots/snapshot-request.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { readableTime } from '../encoding/human-values.ts'
import { objectBody } from '../read-request.ts'
import { nameMatcher } from '../resources/show-index.ts'

const timeouts = { timeout: 'time', master_timeout: 'time' } as const

function shownStats(store: Services['store'], policy: string) {
  const { taken, failed, deleted, deletionFailures } = snapshotPolicyState(store, policy)
  return {
    policy,
    snapshots_taken: taken,
    snapshots_failed: failed,
    snapshots_deleted: deleted,
    snapshot_deletion_failures: deletionFailures,
  }
}

function shown(services: Services, id: string, stored: StoredSnapshotPolicy) {
  const { store, now } = services
  const { version, modifiedMs, policy } = stored
  const { lastSuccess, lastFailure, dueMs, dueVersion } = snapshotPolicyState(store, id)
  const next = dueVersion === version ? dueMs : nextOf(stored, now())
  const running = runningOf(services, id)
  return {
    version,
    modified_date: new Date(modifiedMs).toISOString(),
    modified_date_millis: modifiedMs,
    policy,
    ...(lastSuccess ? { last_success: lastSuccess } : {}),
    ...(lastFailure ? { last_failure: lastFailure } : {}),
    ...(next === undefined ? {} : { next_execution: new Date(next).toISOString(), next_execution_millis: next }),
    ...(running
      ? {
          in_progress: {
            name: running.snapshot,
            uuid: running.uuid,
            state: 'STARTED',
            start_time_millis: running.startMs,
          },
        }
      : {}),
    stats: shownStats(store, id),
  }
}

const getPolicy = defineRoute({
  name: 'slm.get_lifecycle',
  methods: ['GET'],
  paths: ['/_slm/policy', '/_slm/policy/{id}'],
  privilege: { cluster: 'read_slm' },
  parameters: timeouts,
  async handle(request, services) {
    const id = request.params['id']
    const wanted = nameMatcher(id)
    const found = [...snapshotPolicies(services.store).entries()].filter(([name]) => wanted(name))
    if (found.length === 0 && id !== undefined && !id.includes('*')) {
      const reason = `snapshot lifecycle policy or policies [${id.split(',').join(', ')}] not found`
      throw new AppError(searchErrors.resource_not_found_exception, reason)
    }
    return { json: Object.fromEntries(found.map(([name, stored]) => [name, shown(services, name, stored)])) }
  },
})

const putPolicy = defineRoute({
  name: 'slm.put_lifecycle',
  methods: ['PUT'],
  paths: ['/_slm/policy/{id}'],
  privilege: { cluster: 'manage_slm' },
  parameters: timeouts,
  async handle(request, services) {
    const { store, catalogue, now } = services
    const id = request.params['id'] ?? ''
    const policy = parseSnapshotPolicy(id, objectBody(request.json(), 'snapshot_lifecycle'), now())
    const version = (snapshotPolicies(store).get(id)?.version ?? 0) + 1
    const stored = { version, modifiedMs: now(), policy }
    checkSchedule(stored, clusterTimeMs(catalogue, 'slm.minimum_interval'))
    if (!repositoriesOf(services).get(policy.repository)) {
      const reason = `no such repository [${policy.repository}]`
      throw new AppError(searchErrors.illegal_argument_exception, reason)
    }
    // Faults of what goes into the snapshots are told now; indices that are not there yet may come.
    snapshotRequest(services, policy.repository, policy.name, { ...policy.config, ignore_unavailable: true })
    await store.transaction(() => snapshotPolicies(store).put(id, stored))
    const dueMs = nextOf(stored, now())
    await changePolicyState(store, id, ({ dueMs: _, ...before }) => ({
      ...before,
      dueVersion: version,
      ...(dueMs === undefined ? {} : { dueMs }),
    }))
    return { json: { acknowledged: true } }
  },
})

const deletePolicy = defineRoute({
  name: 'slm.delete_lifecycle',
  methods: ['DELETE'],
  paths: ['/_slm/policy/{id}'],
  privilege: { cluster: 'manage_slm' },
  parameters: timeouts,
  async handle(request, { store }) {
    const id = request.params['id'] ?? ''
    if (!snapshotPolicies(store).get(id))
      throw new AppError(searchErrors.resource_not_found_exception, `snapshot lifecycle policy not found: ${id}`)
    await store.transaction(() => snapshotPolicies(store).remove(id))
    await changePolicyState(store, id, () => undefined)
    return { json: { acknowledged: true } }
  },
})

const execute = defineRoute({
  name: 'slm.execute_lifecycle',
  methods: ['PUT', 'POST'],
  paths: ['/_slm/policy/{id}/_execute'],
  privilege: { cluster: 'manage_slm' },
  parameters: timeouts,
  async handle(request, services) {
    const { snapshot, ended } = await runPolicy(services, request.params['id'] ?? '')
    ended.catch((err: unknown) => services.logger.warn({ err }, 'the end of a snapshot could not be noted'))
    return { json: { snapshot_name: snapshot } }
  },
})

const executeRetention = defineRoute({
  name: 'slm.execute_retention',
  methods: ['POST'],
  paths: ['/_slm/_execute_retention'],
  privilege: { cluster: 'manage_slm' },
  parameters: timeouts,
  async handle(_request, services) {
    // Deleting may take long; what goes wrong is logged and counted.
    void runSnapshotRetention(services).catch((err: unknown) =>
      services.logger.warn({ err }, 'retention of snapshots failed'),
    )
    return { json: { acknowledged: true } }
  },
})

const stats = defineRoute({
  name: 'slm.get_stats',
  methods: ['GET'],
  paths: ['/_slm/stats'],
  privilege: { cluster: 'read_slm' },
  parameters: timeouts,
  async handle(_request, { store }) {
    const { runs, failed, deletionMs } = retentionStats(store)
    const policies = [...snapshotPolicies(store).entries()].map(([id]) => shownStats(store, id))
    const total = (of: (each: (typeof policies)[number]) => number) => policies.reduce((sum, each) => sum + of(each), 0)
    return {
      json: {
        retention_runs: runs,
        retention_failed: failed,
        // A run has no time limit here.
        retention_timed_out: 0,
        retention_deletion_time: readableTime(deletionMs),
        retention_deletion_time_millis: deletionMs,
        total_snapshots_taken: total((each) => each.snapshots_taken),
        total_snapshots_failed: total((each) => each.snapshots_failed),
        total_snapshots_deleted: total((each) => each.snapshots_deleted),
        total_snapshot_deletion_failures: total((each) => each.snapshot_deletion_failures),
        policy_stats: policies,
      },
    }
  },
})

const status = defineRoute({
  name: 'slm.get_status',
  methods: ['GET'],
  paths: ['/_slm/status'],
  privilege: { cluster: 'read_slm' },
  parameters: timeouts,
  handle: async (_request, { store }) => ({ json: { operation_mode: slmMode(store) } }),
})

/** Lets policies run by the clock, or rest. */
function switchTo(mode: 'RUNNING' | 'STOPPED', name: 'start' | 'stop'): Route {
  return defineRoute({
    name: `slm.${name}`,
    methods: ['POST'],
    paths: [`/_slm/${name}`],
    privilege: { cluster: 'manage_slm' },
    parameters: timeouts,
    async handle(_request, { store }) {
      await setSlmMode(mode, store)
      return { json: { acknowledged: true } }
    },
  })
}

/** Policies that make snapshots by the clock, and delete the old ones. */
export const slmRoutes: readonly Route[] = [
  getPolicy,
  putPolicy,
  deletePolicy,
  execute,
  executeRetention,
  stats,
  status,
  switchTo('RUNNING', 'start'),
  switchTo('STOPPED', 'stop'),
]
