import { z } from 'zod'
import { valueAt, wordsSchema } from '../rule-values/field-values.ts'
import { defineRuleType, matchOf } from './define-rule-type.ts'

/** ElastAlert's `whitelist`: the value of `compare_key` is none of a list; an event without the field matches unless `ignore_null`. */
export const whitelist = defineRuleType({
  name: 'whitelist',
  options: { compare_key: z.string().min(1), whitelist: wordsSchema, ignore_null: z.boolean() },
  start: ({ compare_key: field, whitelist: words, ignore_null: ignoreNull }) => {
    const listed = new Set(words)
    return {
      add: (event) => {
        const value = valueAt(event.source, field)
        if (value === undefined || value === '') return ignoreNull ? [] : [matchOf(event, `${field} is missing`)]
        return listed.has(value) ? [] : [matchOf(event, `${field} is ${value}, which is not listed`)]
      },
      save: () => undefined,
    }
  },
})
