import { AppError, searchErrors } from '@logstack/errors'
import { compileDissection } from '../../patterns/dissection.ts'
import { defineProcessor } from '../define-processor.ts'

/** `dissect`: fields from a text by what stands between them. */
export const dissectProcessor = defineProcessor('dissect', (config) => {
  const field = config.text('field')
  const pattern = config.text('pattern')
  const separator = config.optionalText('append_separator') ?? ''
  const ignoreMissing = config.boolean('ignore_missing')
  const dissect = compileDissection(
    pattern,
    separator,
    (reason) => new AppError(searchErrors.dissect_exception, `Unable to parse pattern: ${pattern}. Reason: ${reason}`),
  )
  return (document) => {
    const text = document.text(field, ignoreMissing)
    if (text === undefined) return
    const fields = dissect(text)
    if (!fields) {
      throw new AppError(
        searchErrors.dissect_exception,
        `Unable to find match for dissect pattern: ${pattern} against source: ${text}`,
      )
    }
    for (const [target, value] of fields) document.set(target, value)
  }
})
