import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { porterStem } from '../porter.ts'
import { stemWords } from './map-words.ts'

/** `porter_stem`: English words by Porter's algorithm; they must be in lower case. */
export const porterStemFilter = defineComponent<FilterTokens>({
  name: 'porter_stem',
  create: () => stemWords(porterStem),
})
