import { checkOptions } from './check-options.ts'
import { defineAction } from './define-action.ts'

/** `readonly`: no more writes to the index. */
export const readonly = defineAction({
  name: 'readonly',
  step: 'readonly',
  check: (options) => checkOptions('readonly', options, []),
  async run(index, _options, { catalogue }) {
    await catalogue.putSettings(index, { 'blocks.write': true })
    return 'done'
  },
})
