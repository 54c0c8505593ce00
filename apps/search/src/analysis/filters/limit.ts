import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'

/** `limit`: the first `max_token_count` words (1). */
export const limitFilter = defineComponent<FilterTokens>({
  name: 'limit',
  create(options) {
    const most = options.whole('max_token_count', 1)
    return (tokens) => tokens.slice(0, most)
  },
})
