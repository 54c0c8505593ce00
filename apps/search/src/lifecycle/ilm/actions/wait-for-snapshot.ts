import { AppError, searchErrors } from '@logstack/errors'
import { snapshotPolicies, snapshotPolicyState } from '../../../slm/policy.ts'
import { filesOf } from '../../../snapshots/repositories.ts'
import { lifecycleStates } from '../state.ts'
import { checkOptions } from './check-options.ts'
import { defineAction } from './define-action.ts'

/** `wait_for_snapshot`: until a snapshot policy has made a snapshot of the index, begun after the index came to this action. */
export const waitForSnapshot = defineAction({
  name: 'wait_for_snapshot',
  step: 'wait-for-snapshot',
  check(options) {
    checkOptions('wait_for_snapshot', options, ['policy'])
    if (typeof options['policy'] === 'string' && options['policy'] !== '') return
    throw new AppError(searchErrors.illegal_argument_exception, 'policy name must be specified')
  },
  async run(index, options, context) {
    const name = String(options['policy'])
    const policy = snapshotPolicies(context.store).get(name)?.policy
    if (policy === undefined) {
      const reason = `configured policy '${name}' not found`
      throw new AppError(searchErrors.illegal_argument_exception, reason)
    }
    const sinceMs = lifecycleStates(context.store).get(index.uuid)?.actionTimeMs ?? context.now()
    const { lastSuccess } = snapshotPolicyState(context.store, name)
    if (lastSuccess?.start_time === undefined || lastSuccess.start_time < sinceMs)
      return { waits: `waiting for policy '${name}' to be executed since ${new Date(sinceMs).toISOString()}` }
    const { records } = await (await filesOf(context, policy.repository)).records()
    const made = records.find(({ snapshot }) => snapshot === lastSuccess.snapshot_name)
    if (made?.indices.some(({ uuid }) => uuid === index.uuid)) return 'done'
    return { waits: `the last snapshot of policy '${name}', [${lastSuccess.snapshot_name}], does not hold the index` }
  },
})
