import { unfit } from '../../refusals/unfit.ts'
import { defineProcessor } from '../define-processor.ts'
import { metadataKeys } from '../ingest-document.ts'

/** `remove`: takes fields away, or all but those to `keep`. */
export const removeProcessor = defineProcessor('remove', (config) => {
  // `exclude_field` is the name other search engines have for `keep`.
  const kept = config.optionalTexts('keep', true) ?? config.optionalTexts('exclude_field', true)
  const fields = kept ? config.optionalTexts('field', true) : config.texts('field', true)
  if (kept && fields) throw config.fault('keep', 'Too many fields specified. Please specify either [field] or [keep]')
  const ignoreMissing = config.boolean('ignore_missing')
  const templates = (fields ?? []).map((field) => config.compiled('field', field))
  return (document) => {
    if (kept) {
      const firsts = kept.map((path) => path.split('.')[0])
      for (const key of Object.keys(document.ctx)) {
        if (!firsts.includes(key) && !metadataKeys.some((name) => name === key)) document.remove(key)
      }
      return
    }
    for (const template of templates) {
      const path = template(document)
      if (ignoreMissing && (path === '' || document.find(path) === undefined)) continue
      if (path === '') throw unfit('field path cannot be null nor empty')
      document.remove(path)
    }
  }
})
