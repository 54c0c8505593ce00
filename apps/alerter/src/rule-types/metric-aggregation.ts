import { z } from 'zod'
import { defineRuleType } from './define-rule-type.ts'
import {
  checkMetric,
  checkWindow,
  formatNumberAs,
  metricAggs,
  metricName,
  metricOptions,
  metricValue,
  windowOptions,
  windowQueryOf,
} from './metric-options.ts'

/** ElastAlert's `metric_aggregation`: a metric of all events of a window, for each key, is above or below a threshold. */
export const metricAggregation = defineRuleType({
  name: 'metric_aggregation',
  options: {
    ...metricOptions,
    ...windowOptions,
    max_threshold: z.number().optional(),
    min_threshold: z.number().optional(),
  },
  check: (options, { bufferMs }) => {
    if (options.max_threshold === undefined && options.min_threshold === undefined)
      return 'metric_aggregation needs max_threshold or min_threshold'
    return checkMetric(options) ?? checkWindow(options, bufferMs)
  },
  start: (options) => {
    const { max_threshold: max, min_threshold: min, metric_format_string: format } = options
    return {
      windowQuery: windowQueryOf(metricAggs(options), options),
      addWindow: (answers) =>
        answers.flatMap((answer) => {
          const value = metricValue(options, answer)
          if (value === undefined) return []
          if (!(max !== undefined && value > max) && !(min !== undefined && value < min)) return []
          const shown = formatNumberAs(format, value)
          const limits = `(min: ${min ?? 'None'} max : ${max ?? 'None'})`
          const reason = `Threshold violation, ${options.metric_agg_type}:${options.metric_agg_key} ${shown} ${limits}`
          const fields = { [metricName(options)]: value, metric_agg_value: value }
          const formatted = { [`${metricName(options)}_formatted`]: shown, metric_agg_value_formatted: shown }
          return [
            {
              time: answer.time,
              key: answer.key,
              marks: [],
              count: 0,
              reason,
              fields: format === undefined ? fields : { ...fields, ...formatted },
            },
          ]
        }),
      save: () => undefined,
    }
  },
})
