import { javaPattern, javaSplit } from '../../patterns/java-pattern.ts'
import { watchPattern } from '../../patterns/pattern-watch.ts'
import { defineProcessor } from '../define-processor.ts'

/** `split`: makes a list of a text. */
export const splitProcessor = defineProcessor('split', (config) => {
  const field = config.text('field')
  const separator = javaPattern(config.text('separator'), (reason) => config.fault('separator', reason), 'g')
  const watch = watchPattern(separator)
  const target = config.optionalText('target_field') ?? field
  const ignoreMissing = config.boolean('ignore_missing')
  const keepTrailing = config.boolean('preserve_trailing')
  return (document) => {
    const text = document.text(field, ignoreMissing)
    if (text === undefined) return
    document.set(
      target,
      watch(text, () => javaSplit(text, separator, keepTrailing)),
    )
  }
})
