import { z } from 'zod'
import { valueAt, wordsSchema } from '../rule-values/field-values.ts'
import { defineRuleType, matchOf } from './define-rule-type.ts'

/** ElastAlert's `blacklist`: the value of `compare_key` is one of a list. `!file PATH` entries were replaced by the file's lines before. */
export const blacklist = defineRuleType({
  name: 'blacklist',
  options: { compare_key: z.string().min(1), blacklist: wordsSchema },
  start: ({ compare_key: field, blacklist: words }) => {
    const listed = new Set(words)
    return {
      add: (event) => {
        const value = valueAt(event.source, field)
        return value !== undefined && listed.has(value) ? [matchOf(event, `${field} is ${value}, which is listed`)] : []
      },
      save: () => undefined,
    }
  },
})
