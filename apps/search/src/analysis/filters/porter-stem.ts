import { defineComponent } from '../component.ts'
import { porterStem } from '../porter.ts'
import type { FilterTokens } from '../token.ts'
import { stemWords } from './map-words.ts'

/** `porter_stem`: English words by Porter's algorithm; they must be in lower case. */
export const porterStemFilter = defineComponent<FilterTokens>({
  name: 'porter_stem',
  create: () => stemWords(porterStem),
})
