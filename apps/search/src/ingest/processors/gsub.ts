import { watchPattern } from '../../patterns/pattern-watch.ts'
import { javaPattern, javaReplacement } from '../java-pattern.ts'
import { textProcessor } from '../text-processor.ts'

/** `gsub`: replaces what a pattern finds. */
export const gsubProcessor = textProcessor('gsub', (config) => {
  const pattern = javaPattern(config.text('pattern'), (reason) => config.fault('pattern', reason), 'g')
  const watch = watchPattern(pattern)
  const replacement = javaReplacement(config.text('replacement'))
  return (text) => watch(text, () => text.replace(pattern, replacement))
})
