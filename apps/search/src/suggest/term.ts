import { z } from 'zod'
import { candidateParameters, candidatesFor } from './candidates.ts'
import { defineSuggester } from './define-suggester.ts'
import { cutText, suggestField } from './term-dictionary.ts'

/** `term`: for each word of the text the words of the field that are like it. */
export const term = defineSuggester({
  name: 'term',
  schema: z.strictObject({ ...candidateParameters, analyzer: z.string().optional() }),
  touch: ({ field }, context) => void suggestField(field, context),
  async suggest(body, { text }, run) {
    const { analyzer, ...options } = body
    return Promise.all(
      cutText(text, body.field, analyzer, run).map(async ({ text: word, start, end }) => ({
        text: word,
        offset: start,
        length: end - start,
        options: await candidatesFor(word, options, run),
      })),
    )
  },
})
