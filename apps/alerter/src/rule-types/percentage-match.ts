import { z } from 'zod'
import { clauseSchema } from '../rule-values/filter.ts'
import { defineRuleType } from './define-rule-type.ts'
import { checkWindow, formatNumberAs, windowOptions, windowQueryOf } from './metric-options.ts'

const answerSchema = z.object({
  percentage_match_aggs: z.object({
    buckets: z.object({
      match_bucket: z.object({ doc_count: z.number() }),
      _other_: z.object({ doc_count: z.number() }),
    }),
  }),
})

/** ElastAlert's `percentage_match`: the share of a window's events that fit `match_bucket_filter` is above or below a percentage. */
export const percentageMatch = defineRuleType({
  name: 'percentage_match',
  options: {
    match_bucket_filter: z.union([z.array(clauseSchema).min(1), clauseSchema.transform((one) => [one])]),
    min_percentage: z.number().optional(),
    max_percentage: z.number().optional(),
    min_denominator: z.number().int().min(0).default(0),
    percentage_format_string: z.string().optional(),
    ...windowOptions,
  },
  check: (options, { bufferMs }) => {
    if (options.min_percentage === undefined && options.max_percentage === undefined)
      return 'percentage_match needs min_percentage or max_percentage'
    return checkWindow(options, bufferMs)
  },
  start: (options) => {
    const { min_percentage: min, max_percentage: max, percentage_format_string: format } = options
    const filters = { match_bucket: { bool: { must: options.match_bucket_filter } } }
    return {
      windowQuery: windowQueryOf({ percentage_match_aggs: { filters: { other_bucket: true, filters } } }, options),
      addWindow: (answers) =>
        answers.flatMap(({ key, time, aggregations }) => {
          const { match_bucket: matching, _other_: others } =
            answerSchema.parse(aggregations).percentage_match_aggs.buckets
          const total = matching.doc_count + others.doc_count
          if (total === 0 || total < options.min_denominator) return []
          const percentage = (matching.doc_count / total) * 100
          if (!(max !== undefined && percentage > max) && !(min !== undefined && percentage < min)) return []
          const shown = formatNumberAs(format, percentage)
          const limits = `(min: ${min ?? 'None'} max : ${max ?? 'None'})`
          const reason = `Percentage violation, value: ${shown} ${limits} of ${total} items`
          const formatted = format === undefined ? {} : { percentage_formatted: shown }
          return [
            { time, key, marks: [], count: total, reason, fields: { percentage, denominator: total, ...formatted } },
          ]
        }),
      save: () => undefined,
    }
  },
})
