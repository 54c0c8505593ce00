import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { keepWords } from './map-words.ts'

/** `keep`: only the words of a list. */
export const keepFilter = defineComponent<FilterTokens>({
  name: 'keep',
  needsOptions: true,
  create(options) {
    const lower = options.flag('keep_words_case', false)
    const kept = new Set((options.list('keep_words') ?? []).map((word) => (lower ? word.toLowerCase() : word)))
    return keepWords((word) => kept.has(lower ? word.toLowerCase() : word))
  },
})
