import { orderedActions } from '@logstack/contracts'
import type { ActionType } from './action-type.ts'

/** `SETTINGS`: how much the agent logs, until its process ends or it is told otherwise. */
export const settingsAction: ActionType = {
  type: 'SETTINGS',
  async perform(data, { logger }) {
    const { log_level } = orderedActions.SETTINGS.parse(data)
    logger.level = log_level
    return { message: `logging from ${log_level} on` }
  },
}
