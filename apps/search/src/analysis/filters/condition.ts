import type { FilterTokens, Token } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { illegalOption } from '../options.ts'
import { compileTokenScript } from '../token-script.ts'

/** `condition`: other filters, for the words a script accepts; words that follow each other go through them together. */
export const conditionFilter = defineComponent<FilterTokens>({
  name: 'condition',
  needsOptions: true,
  create(options, _find, filterOf) {
    const names = options.any('filter')
    if (!filterOf) throw new Error('BUG: a [condition] outside of settings')
    if (names === undefined) throw illegalOption('[filter] must be set for the filter [condition]')
    const filters = (typeof names === 'string' ? names.split(',').map((name) => name.trim()) : [names].flat()).map(
      filterOf,
    )
    const accepts = compileTokenScript(options.script())
    return (tokens) => {
      const accepted = accepts(tokens)
      const made: Token[] = []
      for (let at = 0; at < tokens.length; ) {
        const from = at
        while (at < tokens.length && accepted[at] === accepted[from]) at++
        const run = tokens.slice(from, at)
        const words = accepted[from] === true ? filters.reduce((before, filter) => filter(before), run) : run
        for (const word of words) made.push(word)
      }
      return made
    }
  },
})
