import { watchPattern } from '../../patterns/pattern-watch.ts'
import type { FilterText } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { javaPattern, javaReplacement } from '../options.ts'
import { replacedText } from './replaced-text.ts'

/** `pattern_replace`: what a pattern matches, replaced. */
export const patternReplaceCharFilter = defineComponent<FilterText>({
  name: 'pattern_replace',
  needsOptions: true,
  create(options) {
    const pattern = javaPattern(options.text('pattern', ''), options.text('flags', ''))
    const watch = watchPattern(pattern)
    const replacement = javaReplacement(options.text('replacement', ''))
    return (text) =>
      watch(text, () =>
        replacedText(
          text,
          [...text.matchAll(pattern)].map((found) => ({
            from: found.index,
            to: found.index + found[0].length,
            by: filledIn(replacement, found),
          })),
        ),
      )
  },
})

/** A replacement with what the groups of one match hold, as `String.replace` fills it in. */
function filledIn(replacement: string, found: RegExpExecArray): string {
  return replacement.replace(/\$(?:(\$)|(&)|(\d{1,2})|<([^>]*)>)/gu, (token, dollar, all, digits, name) => {
    if (dollar !== undefined) return '$'
    if (all !== undefined) return found[0]
    if (name !== undefined) return found.groups?.[String(name)] ?? ''
    const both = Number(digits)
    if (both > 0 && both < found.length) return found[both] ?? ''
    const [first = '0', second = ''] = String(digits)
    return Number(first) > 0 && Number(first) < found.length ? (found[Number(first)] ?? '') + second : String(token)
  })
}
