import { defineRuleType } from './define-rule-type.ts'
import {
  checkMetric,
  formatNumberAs,
  metricAggs,
  metricOptions,
  metricValue,
  windowOptions,
  windowQueryOf,
} from './metric-options.ts'
import { type SpikeMeasure, SpikeWindows, spikeMatch, spikeOptions } from './spike-windows.ts'

const { bucket_interval: _none, sync_bucket_interval: _no, ...ownWindowOptions } = windowOptions

/** ElastAlert's `spike_aggregation`: a metric of the windows rises or falls by `spike_height` from one timeframe to the next. */
export const spikeAggregation = defineRuleType({
  name: 'spike_aggregation',
  options: { ...metricOptions, ...ownWindowOptions, ...spikeOptions },
  check: (options) => checkMetric(options),
  start: (options, saved, { queryKey, windowEventsMax, forgot }) => {
    const rules = {
      ...options,
      measure: measureOf(options.metric_agg_type),
      isMean: false,
      hasKey: queryKey.length > 0,
      keysMax: windowEventsMax,
      forgot,
    }
    const windows = new SpikeWindows(rules, saved)
    const { metric_agg_type: type, metric_agg_key: key, metric_format_string: format } = options
    return {
      windowQuery: windowQueryOf(metricAggs(options), {
        ...options,
        bucket_interval: undefined,
        sync_bucket_interval: false,
      }),
      addWindow: (answers) =>
        answers.flatMap((answer) => {
          const value = metricValue(options, answer)
          if (value === undefined) return []
          return windows.add(answer.key, answer.time, 1, value).map((spike) => {
            const [now, before] = [spike.current, spike.reference].map((each) =>
              formatNumberAs(format ?? '{:.2f}', each),
            )
            const at = new Date(spike.time).toISOString()
            const reason = `An abnormal ${type} of ${key} (${now}) occurred around ${at}; preceding that time, it was ${before} within ${options.timeframe / 1000} s`
            return { ...spikeMatch(spike, reason), count: 0 }
          })
        }),
      save: () => windows.save(),
    }
  },
})

function measureOf(type: string): SpikeMeasure {
  return type === 'avg' ? 'mean' : type === 'min' || type === 'max' ? type : 'count'
}
