import { orderedActions } from '@logstack/contracts'
import type { ActionType } from './action-type.ts'

/** `ISOLATE`: cuts the host off from everybody but the stack and those named in `allow`, until it is told `isolated: false`. Holds across reboots. */
export const isolateAction: ActionType = {
  type: 'ISOLATE',
  async perform(data, { isolation }) {
    const { isolated, allow } = orderedActions.ISOLATE.parse(data)
    if (!isolated) {
      const was = await isolation.join()
      return { message: was ? 'the host is joined to its networks again' : 'the host was not cut off' }
    }
    await isolation.cutOff(allow)
    return { message: `the host is cut off from everybody but ${['the stack', ...allow].join(', ')}` }
  },
}
