import { watchPattern } from '../../patterns/pattern-watch.ts'
import { defineProcessor } from '../define-processor.ts'
import { javaPattern } from '../java-pattern.ts'

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
    const parts = watch(text, () => splitText(text, separator))
    while (!keepTrailing && parts.length > 1 && parts.at(-1) === '') parts.pop()
    document.set(target, parts)
  }
})

/** Splits without the groups of the pattern, which `String.split` would put between. */
function splitText(text: string, separator: RegExp): string[] {
  const parts: string[] = []
  let from = 0
  for (const match of text.matchAll(separator)) {
    if (match[0] === '' && (match.index === 0 || match.index === text.length)) continue
    parts.push(text.slice(from, match.index))
    from = match.index + match[0].length
  }
  return [...parts, text.slice(from)]
}
