import type { Token, Tokenize } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'

/** `path_hierarchy`: a path and those above it: `/a`, `/a/b`, `/a/b/c`; `reverse` cuts from the left, for names of hosts. */
export const pathHierarchyTokenizer = defineComponent<Tokenize>({
  name: 'path_hierarchy',
  create(options) {
    const delimiter = options.text('delimiter', '/')
    const replacement = options.text('replacement', delimiter)
    const skip = options.whole('skip', 0)
    const cut = options.flag('reverse', false) ? suffixes : prefixes
    return (text) =>
      cut(text, delimiter, skip).map(
        ({ start, end }): Token => ({
          text: text.slice(start, end).replaceAll(delimiter, replacement),
          start,
          end,
          position: 0,
          type: 'word',
        }),
      )
  },
})

interface Span {
  readonly start: number
  readonly end: number
}

/** Where delimiters begin. */
function delimitersIn(text: string, delimiter: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + delimiter.length)) places.push(at)
  return places
}

/** The paths from the left; a path that begins with the delimiter has it, and so has one that skips names. */
function prefixes(text: string, delimiter: string, skip: number): Span[] {
  const places = delimitersIn(text, delimiter)
  const ends = [...places.filter((at) => at > 0), text.length]
  const start = skip === 0 ? 0 : (ends[skip - 1] ?? text.length)
  return ends.slice(skip).flatMap((end) => (end > start ? [{ start, end }] : []))
}

function suffixes(text: string, delimiter: string, skip: number): Span[] {
  const places = delimitersIn(text, delimiter)
  const starts = [0, ...places.map((at) => at + delimiter.length).filter((at) => at < text.length)]
  const end = skip === 0 ? text.length : (places.at(-skip) ?? 0) + delimiter.length
  return starts.flatMap((start) => (start < end ? [{ start, end }] : []))
}
