import { unfit } from '../../refusals/unfit.ts'
import { defineProcessor } from '../define-processor.ts'

/** `rename`: moves a field. */
export const renameProcessor = defineProcessor('rename', (config) => {
  const field = config.template('field')
  const target = config.template('target_field')
  const ignoreMissing = config.boolean('ignore_missing')
  const override = config.boolean('override', config.boolean('override_target'))
  return (document) => {
    const from = field(document)
    if (from === '' || document.find(from) === undefined) {
      if (ignoreMissing) return
      throw unfit(from === '' ? 'field path cannot be null nor empty' : `field [${from}] doesn't exist`)
    }
    const to = target(document)
    if (!override && document.find(to) !== undefined) throw unfit(`field [${to}] already exists`)
    const value = document.get(from)
    document.remove(from)
    document.set(to, value)
  }
})
