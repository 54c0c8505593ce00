import { type Check, defineCheck, failed, passed } from '../define-check.ts'

/** All five parts up, search and dashboard healthy. */
export const containers: Check = defineCheck({
  name: 'containers',
  title: 'five parts up',
  async diagnose({ runtime }) {
    const list = await runtime.list()
    const down = list.filter((status) => !status.ready)
    const [first] = down
    if (!first) return passed(list.map((status) => `${status.part} ${status.statusText}`).join(', '))
    const problem = down.map((status) => `${status.name} ${status.statusText || 'is not running'}`).join('; ')
    if (down.length === list.length) return failed(problem, './logstack up --detach')
    return failed(problem, `./logstack logs ${first.part}, then ./logstack restart ${first.part}`)
  },
})
