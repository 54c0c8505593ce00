import { fitsStars } from '@logstack/rules'
import { defineProcessor } from '../define-processor.ts'
import { metadataKeys } from '../ingest-document.ts'

/** `remove_by_pattern`: takes away the fields at the top whose names fit patterns with `*`, or those that do not (as OpenSearch has it). */
export const removeByPatternProcessor = defineProcessor('remove_by_pattern', (config) => {
  const fields = config.optionalTexts('field_pattern', true)
  const excluded = config.optionalTexts('exclude_field_pattern', true)
  if ((fields === undefined) === (excluded === undefined)) {
    throw config.fault('field_pattern', 'either field_pattern or exclude_field_pattern must be set')
  }
  const patterns = fields ?? excluded ?? []
  const fits = (name: string) => patterns.some((pattern) => fitsStars(name, pattern))
  return (document) => {
    for (const key of Object.keys(document.ctx)) {
      if (metadataKeys.some((name) => name === key)) continue
      if (fits(key) === (fields !== undefined)) delete document.ctx[key]
    }
  }
})
