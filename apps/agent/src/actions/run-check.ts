import { lookAtChecks } from '../inputs/checks.ts'
import type { ActionType } from './action-type.ts'

const failedShownMax = 100

/** `RUN_CHECK`: looks at all configuration checks of the policy now, and answers which failed. */
export const runCheckAction: ActionType = {
  type: 'RUN_CHECK',
  async perform(_data, { policy }) {
    const streams = policy?.inputs.filter(({ type }) => type === 'checks').flatMap((input) => input.streams) ?? []
    const looked = (await Promise.all(streams.map(lookAtChecks))).flat()
    const failed = looked.filter(({ found }) => found.result !== 'passed')
    const shown = failed
      .slice(0, failedShownMax)
      .map(({ check, found }) => ({ id: check.id, title: check.title, ...found, fix: check.fix }))
    return {
      message: `${looked.length - failed.length} of ${looked.length} checks passed`,
      data: { passed: looked.length - failed.length, failed: shown },
    }
  },
}
