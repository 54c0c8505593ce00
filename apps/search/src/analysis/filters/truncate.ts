import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { mapWords } from './map-words.ts'

/** `truncate`: the first `length` characters (10). */
export const truncateFilter = defineComponent<FilterTokens>({
  name: 'truncate',
  create(options) {
    const length = options.whole('length', 10)
    return mapWords((word) => word.slice(0, length))
  },
})
