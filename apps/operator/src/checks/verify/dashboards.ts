import { lookAtShipped } from '../../steps/dashboards.ts'
import { type ShippedFolder, shippedFolders } from '../../steps/shipped-objects.ts'
import { type Check, defineCheck, failed, passed } from '../define-check.ts'

const fix = 'import them with: ./logstack doctor --repair --only dashboards'

/** The shipped dashboards are there, but for those that a person deleted. */
export const dashboards: Check = defineCheck({
  name: 'dashboards',
  title: 'dashboards',
  async diagnose(stack) {
    const folders = Object.keys(shippedFolders) as ShippedFolder[]
    const looks = await Promise.all(folders.map((folder) => lookAtShipped(stack, folder)))
    const missing = looks.flatMap((look) => look.missing)
    if (missing.length > 0) {
      return failed(`shipped objects are not there: ${missing.map(({ key }) => key).join(', ')}`, fix)
    }
    const count = looks
      .flatMap(({ present }) => [...present.keys()])
      .filter((key) => key.startsWith('dashboard/')).length
    return count === 0
      ? failed('no shipped dashboard is there', fix)
      : passed(`${count} present at ${stack.clients.dashboardUrl}`)
  },
})
