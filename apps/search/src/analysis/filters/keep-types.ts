import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { keepWords } from './map-words.ts'

/** `keep_types`: only words of these types, or with `mode: exclude` all others. */
export const keepTypesFilter = defineComponent<FilterTokens>({
  name: 'keep_types',
  needsOptions: true,
  create(options) {
    const types = new Set(options.list('types') ?? [])
    const includes = options.text('mode', 'include') === 'include'
    return keepWords((_, type) => types.has(type) === includes)
  },
})
