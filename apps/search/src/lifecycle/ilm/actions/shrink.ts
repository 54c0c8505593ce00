import { AppError, searchErrors } from '@logstack/errors'
import { checkOptions } from './check-options.ts'
import { defineAction } from './define-action.ts'

/** `shrink`: accepted. An index is not cut into shards here, so there is nothing to join; its number of shards is only shown. */
export const shrink = defineAction({
  name: 'shrink',
  step: 'shrink',
  check(options) {
    checkOptions('shrink', options, ['number_of_shards', 'max_primary_shard_size', 'allow_write_after_shrink'])
    const { number_of_shards: shards, max_primary_shard_size: size } = options
    const wrong =
      shards !== undefined && size !== undefined
        ? 'Cannot set both [number_of_shards] and [max_primary_shard_size]'
        : shards === undefined && size === undefined
          ? 'Either [number_of_shards] or [max_primary_shard_size] must be set'
          : shards !== undefined && !(Number.isInteger(shards) && Number(shards) > 0)
            ? '[number_of_shards] must be greater than 0'
            : undefined
    if (wrong !== undefined) throw new AppError(searchErrors.illegal_argument_exception, wrong)
  },
  run: async () => 'done',
})
