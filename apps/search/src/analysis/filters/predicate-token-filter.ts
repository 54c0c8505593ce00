import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { compileTokenScript } from '../token-script.ts'

/** `predicate_token_filter`: leaves only the words a script accepts. */
export const predicateTokenFilter = defineComponent<FilterTokens>({
  name: 'predicate_token_filter',
  needsOptions: true,
  create(options) {
    const accepts = compileTokenScript(options.script())
    return (tokens) => {
      const accepted = accepts(tokens)
      return tokens.filter((_, at) => accepted[at])
    }
  },
})
