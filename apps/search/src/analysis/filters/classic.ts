import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'

/** `classic`: acronyms without dots, words without the English genitive. */
export const classicFilter = defineComponent<FilterTokens>({
  name: 'classic',
  create: () => (tokens) =>
    tokens.map((token) => {
      if (token.type === '<ACRONYM>') return { ...token, text: token.text.replaceAll('.', '') }
      return token.type === '<APOSTROPHE>' ? { ...token, text: token.text.replace(/'[sS]$/u, '') } : token
    }),
})
