import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { keepWords } from './map-words.ts'

/** `length`: words no shorter than `min` and no longer than `max`. */
export const lengthFilter = defineComponent<FilterTokens>({
  name: 'length',
  create(options) {
    const min = options.whole('min', 0)
    const max = options.whole('max', 2_147_483_647)
    return keepWords((word) => word.length >= min && word.length <= max)
  },
})
