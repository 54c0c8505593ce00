import type { FilterTokens } from '../../tokens/token.ts'
import { type Component, defineComponent } from '../component.ts'
import { normalizations } from '../languages/normalizations.ts'
import { mapWords } from './map-words.ts'

/** `german_normalization` and its like: the spellings of a language written in one way. */
export const normalizationFilters: readonly Component<FilterTokens>[] = Object.entries(normalizations).map(
  ([name, normalize]) => defineComponent({ name, create: () => mapWords(normalize) }),
)
