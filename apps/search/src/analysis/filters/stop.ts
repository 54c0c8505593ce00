import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { stopwordsOf } from '../stopwords.ts'
import { keepWords } from './map-words.ts'

/** `stop`: without words that say nothing, English ones unless named. */
export const stopFilter = defineComponent<FilterTokens>({
  name: 'stop',
  create(options) {
    const words = stopwordsOf(options, '_english_')
    const ignoresCase = options.flag('ignore_case', false)
    return keepWords((word) => !words.has(ignoresCase ? word.toLowerCase() : word))
  },
})
