import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { synonymFilter } from '../synonyms.ts'

/** `synonym`: words that mean the same, beside or in place of each other. */
export const synonymFilterComponent = defineComponent<FilterTokens>({
  name: 'synonym',
  needsOptions: true,
  create: (options, find) => synonymFilter(options, find, false),
})
