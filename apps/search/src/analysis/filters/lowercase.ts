import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { mapWords } from './map-words.ts'

/** `lowercase`: lower case; `language` greek, irish or turkish by the rules of that language. */
export const lowercaseFilter = defineComponent<FilterTokens>({
  name: 'lowercase',
  create(options) {
    const language = { greek: 'el', irish: 'ga', turkish: 'tr' }[options.text('language', '')]
    return mapWords((word) => (language === undefined ? word.toLowerCase() : word.toLocaleLowerCase(language)))
  },
})
