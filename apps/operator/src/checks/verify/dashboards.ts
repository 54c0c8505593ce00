import { filesOf, presentOf } from '../../steps/dashboards.ts'
import { type Check, defineCheck, failed, passed } from '../define-check.ts'

/** The shipped dashboards are there. */
export const dashboards: Check = defineCheck({
  name: 'dashboards',
  title: 'dashboards',
  async diagnose(stack) {
    const present = await presentOf(
      stack,
      ['search', 'endpoint'].flatMap((folder) => filesOf(stack, folder)),
    )
    const count = present.filter((key) => key.startsWith('dashboard/')).length
    if (count === 0)
      return failed('no shipped dashboard is there', 'import them with: ./logstack down && ./logstack up')
    return passed(`${count} present at ${stack.clients.dashboardUrl}`)
  },
})
