import { defineComponent } from '../component.ts'
import { synonymFilter } from '../synonyms.ts'
import type { FilterTokens } from '../token.ts'

/** `synonym`: words that mean the same, beside or in place of each other. */
export const synonymFilterComponent = defineComponent<FilterTokens>({
  name: 'synonym',
  needsOptions: true,
  create: (options, find) => synonymFilter(options, find, false),
})
