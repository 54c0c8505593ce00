import { clusterCount } from '../../cluster-settings/read.ts'
import { streamLifecycleRuns } from '../../lifecycle/run-stream-lifecycles.ts'
import { slmMode, snapshotPolicies, snapshotPolicyState } from '../../slm/policy.ts'
import type { Indicator } from './health-indicator.ts'

/** `slm`: whether policies of snapshots run, and which have long made none. */
export const snapshotPolicyHealth: Indicator = ({ catalogue, store }) => {
  const mode = slmMode(store)
  const policies = [...snapshotPolicies(store).entries()].map(([name]) => name).sort()
  const details = { slm_status: mode, policies: policies.length }
  if (policies.length === 0)
    return { status: 'green', symptom: 'No Snapshot Lifecycle Management policies configured', details }
  if (mode !== 'RUNNING')
    return {
      status: 'yellow',
      symptom: 'Snapshot Lifecycle Management is not running',
      details,
      trouble: {
        id: 'automation_disabled',
        diagnosis: 'slm_disabled',
        impact: 'Snapshots are not made by the clock.',
        areas: ['backup'],
        severity: 3,
        cause: 'Policies of snapshots were stopped.',
        action: 'Start them: POST /_slm/start.',
        affected: {},
      },
    }
  const failuresMax = clusterCount(catalogue, 'slm.health.failed_snapshot_warn_threshold')
  const failures = policies.map((name) => [name, snapshotPolicyState(store, name).failedInRow ?? 0] as const)
  const unhealthy = failures.filter(([, count]) => count >= failuresMax)
  if (unhealthy.length === 0) return { status: 'green', symptom: 'Snapshot Lifecycle Management is running', details }
  return {
    status: 'yellow',
    symptom: `Encountered [${unhealthy.length}] unhealthy snapshot lifecycle management policies.`,
    details: {
      ...details,
      unhealthy_policies: {
        count: unhealthy.length,
        invocations_since_last_success: Object.fromEntries(unhealthy),
      },
    },
    trouble: {
      id: 'stale_snapshots',
      diagnosis: 'check_recent_snapshot_failures',
      impact: 'There are no snapshots of late, so that what came since the last cannot be restored.',
      areas: ['backup'],
      severity: 2,
      cause: `Snapshots of policies failed ${failuresMax} times or more since the last that was made.`,
      action: 'See why: GET /_slm/policy/{id} shows the last failure.',
      affected: { slm_policies: unhealthy.map(([name]) => name) },
    },
  }
}

/** `data_stream_lifecycle`: whether lifecycles of data streams go on. */
export const streamLifecycleHealth: Indicator = ({ catalogue }) => {
  const { failing } = streamLifecycleRuns(catalogue)
  const runsMax = clusterCount(catalogue, 'data_streams.lifecycle.signalling.error_retry_interval')
  // A stream may have gone since.
  const inError = [...failing].flatMap(([stream, { sinceMs, runs }]) => {
    const index_name = catalogue.dataStream(stream)?.indices.at(-1)
    return index_name === undefined ? [] : [{ index_name, first_occurrence_timestamp: sinceMs, retry_count: runs }]
  })
  const stagnating = inError.filter(({ retry_count }) => retry_count >= runsMax)
  const details = {
    stagnating_backing_indices_count: stagnating.length,
    total_backing_indices_in_error: inError.length,
    ...(stagnating.length === 0 ? {} : { stagnating_backing_indices: stagnating }),
  }
  if (stagnating.length === 0)
    return { status: 'green', symptom: 'Data streams are executing their lifecycles without issues', details }
  const subject = stagnating.length === 1 ? 'A backing index has' : `${stagnating.length} backing indices have`
  return {
    status: 'yellow',
    symptom: `${subject} repeatedly encountered errors whilst trying to advance in its lifecycle`,
    details,
    trouble: {
      id: 'stagnating_backing_index',
      diagnosis: 'stagnating_dsl_backing_index',
      impact: 'Backing indices are not rolled over or deleted by the lifecycles of their data streams.',
      areas: ['deployment_management'],
      severity: 3,
      cause: `Lifecycles of data streams failed ${runsMax} times or more; they are tried again.`,
      action: 'See why in the log of search.',
      affected: { indices: stagnating.map(({ index_name }) => index_name) },
    },
  }
}
