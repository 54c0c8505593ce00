import { AppError, searchErrors } from '@logstack/errors'
import { checkOptions } from './check-options.ts'
import { defineAction } from './define-action.ts'

/** `migrate`: there is one node, which is every tier. */
export const migrate = defineAction({
  name: 'migrate',
  step: 'migrate',
  check(options) {
    checkOptions('migrate', options, ['enabled'])
    const { enabled } = options
    if (enabled !== undefined && typeof enabled !== 'boolean')
      throw new AppError(searchErrors.illegal_argument_exception, '[enabled] must be true or false')
  },
  run: async () => 'done',
})

/** `unfollow`: no index follows one of another cluster. */
export const unfollow = defineAction({
  name: 'unfollow',
  step: 'unfollow-follower-index',
  check: (options) => checkOptions('unfollow', options, []),
  run: async () => 'done',
})

/** `freeze`: nothing since Elasticsearch 8, which accepts it too. */
export const freeze = defineAction({
  name: 'freeze',
  step: 'freeze',
  check: (options) => checkOptions('freeze', options, []),
  run: async () => 'done',
})
