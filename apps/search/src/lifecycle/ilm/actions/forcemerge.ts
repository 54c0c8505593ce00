import { AppError, searchErrors } from '@logstack/errors'
import { operationCounters } from '../../../documents/operation-counts.ts'
import { checkOptions } from './check-options.ts'
import { defineAction } from './define-action.ts'

/** `forcemerge`: the engine merges by itself; the index counts one, as after `_forcemerge`. */
export const forcemerge = defineAction({
  name: 'forcemerge',
  step: 'forcemerge',
  check(options) {
    checkOptions('forcemerge', options, ['max_num_segments', 'index_codec'])
    const { max_num_segments: segments, index_codec: codec } = options
    if (codec !== undefined && codec !== 'best_compression')
      throw new AppError(searchErrors.illegal_argument_exception, `unknown index codec: [${String(codec)}]`)
    if (Number.isInteger(segments) && Number(segments) > 0) return
    throw new AppError(searchErrors.illegal_argument_exception, '[max_num_segments] must be a positive integer')
  },
  async run(index, _options, context) {
    operationCounters(context).kept('merge', [index])
    return 'done'
  },
})
