import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { mapWords } from './map-words.ts'

/** `cjk_width`: Latin letters in their common width, Katakana in full width. */
export const cjkWidthFilter = defineComponent<FilterTokens>({
  name: 'cjk_width',
  create: () => mapWords((word) => word.replace(/[\uff01-\uff5e\uff65-\uff9f]+/gu, (wide) => wide.normalize('NFKC'))),
})
