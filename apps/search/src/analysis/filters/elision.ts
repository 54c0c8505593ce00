import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { mapWords } from './map-words.ts'

const french = ['l', 'm', 't', 'qu', 'n', 's', 'j', 'd', 'c', 'jusqu', 'quoiqu', 'lorsqu', 'puisqu']

/** `elision`: without an article that ends in an apostrophe (`l'avion`). */
export const elisionFilter = defineComponent<FilterTokens>({
  name: 'elision',
  create(options) {
    const articles = new Set((options.list('articles') ?? french).map((article) => article.toLowerCase()))
    return mapWords((word) => {
      const at = word.search(/['’]/u)
      return at > 0 && articles.has(word.slice(0, at).toLowerCase()) ? word.slice(at + 1) : word
    })
  },
})
