import { z } from 'zod'
import { candidateParameters, candidatesFor } from './candidates.ts'
import { defineSuggester, type SuggestedEntry } from './define-suggester.ts'
import { cutText, suggestField } from './term-dictionary.ts'

/** `term`: for each word of the text the words of the field that are like it. */
export const term = defineSuggester({
  name: 'term',
  schema: z.strictObject({ ...candidateParameters, analyzer: z.string().optional() }),
  touch: ({ field }, context) => void suggestField(field, context),
  async suggest(body, { text }, run) {
    const { analyzer, ...options } = body
    const entries: SuggestedEntry[] = []
    // Word after word, for the sake of others.
    for (const { text: word, start, end } of cutText(text, body.field, analyzer, run))
      entries.push({
        text: word,
        offset: start,
        length: end - start,
        options: await candidatesFor(word, options, run),
      })
    return entries
  },
})
