import { AppError, searchErrors } from '@logstack/errors'
import { checkOptions } from './check-options.ts'
import { defineAction } from './define-action.ts'

/** `delete`: the index goes; a data stream with it when it has no other. The write index of a longer stream stays, with an error. */
export const deleteIndex = defineAction({
  name: 'delete',
  step: 'delete',
  check: (options) => checkOptions('delete', options, ['delete_searchable_snapshot']),
  async run(index, _options, { catalogue }) {
    const stream = index.dataStream === undefined ? undefined : catalogue.dataStream(index.dataStream)
    if (stream?.indices.at(-1) !== index.name) await catalogue.deleteIndex(index)
    else if (stream.indices.length === 1) await catalogue.deleteDataStream(stream.name)
    else {
      const reason = `index [${index.name}] is the write index for data stream [${stream.name}]. stopping execution of lifecycle [${index.settings['lifecycle.name']}] as a data stream's write index cannot be deleted. manually rolling over the index will resume the execution of the policy as the index will not be the data stream's write index anymore`
      throw new AppError(searchErrors.illegal_state_exception, reason)
    }
    return 'gone'
  },
})
