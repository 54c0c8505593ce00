import { unfit } from '../../refusals/unfit.ts'
import { defineProcessor } from '../define-processor.ts'

/** `copy`: a field that is the same as another (as OpenSearch has it; Elasticsearch's own way is `set` with `copy_from`). */
export const copyProcessor = defineProcessor('copy', (config) => {
  const source = config.template('source_field')
  const target = config.template('target_field')
  const ignoreMissing = config.boolean('ignore_missing')
  const removeSource = config.boolean('remove_source')
  const override = config.boolean('override_target')
  return (document) => {
    const from = source(document)
    const value = from === '' ? undefined : document.find(from)
    if (value === undefined) {
      if (ignoreMissing) return
      throw unfit(from === '' ? 'source field path cannot be null nor empty' : `source field [${from}] doesn't exist`)
    }
    const to = target(document)
    if (to === '') throw unfit('target field path cannot be null nor empty')
    if (to === from) throw unfit('source field path and target field path cannot be same')
    if (!override && document.find(to) !== undefined) throw unfit(`target field [${to}] already exists`)
    document.set(to, structuredClone(value))
    if (removeSource) document.remove(from)
  }
})
