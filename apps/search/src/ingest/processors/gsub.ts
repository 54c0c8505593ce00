import { scriptLimits } from '../../painless/script-run.ts'
import { refuseLong } from '../../painless/text-length.ts'
import { javaPattern, javaReplacement } from '../../patterns/java-pattern.ts'
import { watchPattern } from '../../patterns/pattern-watch.ts'
import { textProcessor } from '../text-processor.ts'

/** How long a text at most becomes. */
function lengthOf(text: string, pattern: RegExp, letters: number, references: number): number {
  let length = text.length
  for (const [found] of text.matchAll(pattern)) length += letters + found.length * references
  return length
}

/** `gsub`: replaces what a pattern finds. */
export const gsubProcessor = textProcessor('gsub', (config) => {
  const pattern = javaPattern(config.text('pattern'), (reason) => config.fault('pattern', reason), 'g')
  const watch = watchPattern(pattern)
  const replacement = javaReplacement(config.text('replacement'))
  const references = replacement.split('$').length - 1
  return (text) => {
    // Each letter may become a replacement, and each reference all that was found.
    const most = text.length * (1 + references) + (text.length + 1) * replacement.length
    if (most > scriptLimits.textCharsMax)
      watch(text, () => refuseLong(lengthOf(text, pattern, replacement.length, references)))
    return watch(text, () => text.replace(pattern, replacement))
  }
})
