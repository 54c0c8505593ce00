import { defineProcessor } from '../define-processor.ts'
import { compileValue, type TemplateMediaType, templateMediaTypes } from '../template.ts'

/** `set`: gives a field a value, a filled template or a copy of another field. */
export const setProcessor = defineProcessor('set', (config) => {
  const field = config.template('field')
  const copyFrom = config.optionalText('copy_from')
  const value = copyFrom === undefined ? config.required('value') : config.any('value')
  if (copyFrom !== undefined && value !== undefined) {
    throw config.fault('copy_from', 'cannot set both `copy_from` and `value` in the same processor')
  }
  const mediaType = config.optionalText('media_type') ?? 'application/json'
  if (!templateMediaTypes.some((known) => known === mediaType)) {
    throw config.fault('media_type', `property does not contain a supported media type [${mediaType}]`)
  }
  const override = config.boolean('override', true)
  const ignoreEmpty = config.boolean('ignore_empty_value')
  const fill = compileValue(value, mediaType as TemplateMediaType)
  return (document) => {
    const path = field(document)
    if (!override && (document.find(path) ?? null) !== null) return
    const made = copyFrom === undefined ? fill(document) : structuredClone(document.get(copyFrom))
    if (ignoreEmpty && (made === null || made === undefined || made === '')) return
    document.set(path, made)
  }
})
