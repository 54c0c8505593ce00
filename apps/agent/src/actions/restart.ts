import type { ActionType } from './action-type.ts'

/** `RESTART`: inputs, spool and connections are closed in order and opened anew, in the same process. */
export const restartAction: ActionType = {
  type: 'RESTART',
  async perform() {
    return { message: 'the agent began anew', restart: 'work' }
  },
}
