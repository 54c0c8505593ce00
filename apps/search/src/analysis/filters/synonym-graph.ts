import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { synonymFilter } from '../synonyms.ts'

/** `synonym_graph`: as `synonym`; each word says how many places it covers, so that phrases of several words keep theirs. */
export const synonymGraphFilter = defineComponent<FilterTokens>({
  name: 'synonym_graph',
  needsOptions: true,
  create: (options, find) => synonymFilter(options, find, true),
})
