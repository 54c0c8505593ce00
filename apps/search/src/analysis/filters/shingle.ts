import type { FilterTokens, Token } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { illegalOption } from '../options.ts'

/** Words of one shingle at most. */
const shingleWordsMax = 100

/** `shingle`: words side by side as one word (`please divide`), of two to `max_shingle_size` words. */
export const shingleFilter = defineComponent<FilterTokens>({
  name: 'shingle',
  create(options) {
    const min = options.whole('min_shingle_size', 2)
    const max = options.whole('max_shingle_size', Math.max(2, min))
    if (min < 2 || max < min)
      throw illegalOption('min_shingle_size must be at least 2 and no greater than max_shingle_size')
    const single = options.flag('output_unigrams', true)
    const [sizes, most] = [max - min + (single ? 1 : 0), options.limits.shingleDiff]
    if (sizes > most)
      throw illegalOption(
        `In Shingle TokenFilter the difference between max_shingle_size and min_shingle_size (and +1 if outputting unigrams) must be less than or equal to: [${most}] but was [${sizes}]. This limit can be set by changing the [index.max_shingle_diff] index level setting.`,
      )
    if (max > shingleWordsMax) throw illegalOption(`max_shingle_size must be at most [${shingleWordsMax}]`)
    const singleIfNone = options.flag('output_unigrams_if_no_shingles', false)
    const separator = options.text('token_separator', ' ')
    const filler = options.text('filler_token', '_')
    return (tokens) => {
      const places = placesOf(tokens)
      const shingles = places.flatMap((first, at): Token[] => {
        const made: Token[] = single && first ? [first] : []
        for (let size = min; size <= max && at + size <= places.length; size++) {
          const members = places.slice(at, at + size)
          const known = members.filter((member) => member !== undefined)
          const [head, tail] = [known[0], known.at(-1)]
          if (!head || !tail || !first) continue
          const text = members.map((member) => member?.text ?? filler).join(separator)
          const positionLength = single ? size : 1
          made.push({
            text,
            start: head.start,
            end: tail.end,
            position: first.position,
            type: 'shingle',
            positionLength,
          })
        }
        return made
      })
      return shingles.length === 0 && singleIfNone ? [...tokens] : shingles
    }
  },
})

/** The words by place, with nothing where one was removed. */
function placesOf(tokens: readonly Token[]): (Token | undefined)[] {
  const places: (Token | undefined)[] = []
  const from = tokens[0]?.position ?? 0
  for (const token of tokens) {
    while (places.length < token.position - from) places.push(undefined)
    places[token.position - from] ??= token
  }
  return places
}
