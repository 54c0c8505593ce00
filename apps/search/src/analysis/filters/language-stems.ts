import type { FilterTokens } from '../../tokens/token.ts'
import { type Component, defineComponent } from '../component.ts'
import { snowballStemmers } from '../languages/snowball.ts'
import { stemWords } from './map-words.ts'

/** `dutch_stem`, `french_stem`, `russian_stem`: the Snowball stemmers of those languages by their old names. */
export const stemFilters: readonly Component<FilterTokens>[] = ['dutch', 'french', 'russian'].map((language) =>
  defineComponent({
    name: `${language}_stem`,
    create: () => stemWords(snowballStemmers[language] ?? ((word) => word)),
  }),
)
