import { defaultPattern } from '../../steps/index-patterns.ts'
import { type Check, defineCheck, failed, passed } from '../define-check.ts'

/** One index pattern is the Default. */
export const defaultIndexPattern: Check = defineCheck({
  name: 'default-pattern',
  title: 'default index pattern',
  async diagnose(stack) {
    const id = await defaultPattern(stack)
    if (!id) return failed('no index pattern is the Default', 'set one in Management > Index Patterns')
    return passed(id)
  },
})
