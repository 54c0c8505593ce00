import { AppError, searchErrors } from '@logstack/errors'
import { checkOptions } from './check-options.ts'
import { defineAction } from './define-action.ts'

/** `set_priority`: sets `index.priority`; null takes it away. */
export const setPriority = defineAction({
  name: 'set_priority',
  step: 'set_priority',
  check(options) {
    checkOptions('set_priority', options, ['priority'])
    const { priority } = options
    if (priority === null || (Number.isInteger(priority) && Number(priority) >= 0)) return
    throw new AppError(searchErrors.illegal_argument_exception, '[priority] must be 0 or greater')
  },
  async run(index, { priority }, { catalogue }) {
    await catalogue.putSettings(index, { priority })
    return 'done'
  },
})
