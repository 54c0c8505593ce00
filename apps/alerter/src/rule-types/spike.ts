import { z } from 'zod'
import { leafAt } from '../rule-values/field-values.ts'
import { countOptions } from './count-options.ts'
import { defineRuleType } from './define-rule-type.ts'
import { type Spike, SpikeWindows, spikeMatch, spikeOptions } from './spike-windows.ts'

/** ElastAlert's `spike`: the number of events, or the mean of `field_value`, rises or falls by `spike_height` from one timeframe to the next. */
export const spike = defineRuleType({
  name: 'spike',
  options: { ...spikeOptions, ...countOptions, field_value: z.string().min(1).optional() },
  start: (options, saved, { queryKey, windowEventsMax, forgot }) => {
    const field = options.field_value
    const rules = {
      ...options,
      measure: field === undefined ? ('count' as const) : ('mean' as const),
      isMean: field !== undefined,
      hasKey: queryKey.length > 0,
      keysMax: windowEventsMax,
      forgot,
    }
    const windows = new SpikeWindows(rules, saved)
    const matches = (found: readonly Spike[]) =>
      found.map((each) => spikeMatch(each, reasonOf(each, field, options.timeframe)))
    return {
      add: (event) => {
        if (field === undefined) return matches(windows.add(event.key, event.time, 1, 1, event))
        const value = Number(leafAt(event.source, field))
        return Number.isNaN(value) ? [] : matches(windows.add(event.key, event.time, 1, Math.trunc(value), event))
      },
      addCounts: (time, counts) => counts.flatMap(({ key, count }) => matches(windows.add(key, time, count, count))),
      tick: (now) => matches(windows.tick(now)),
      save: () => windows.save(),
    }
  },
})

function reasonOf({ current, reference, time }: Spike, field: string | undefined, timeframe: number): string {
  const at = new Date(time).toISOString()
  const span = `${timeframe / 1000} s`
  if (field === undefined)
    return `An abnormal number (${current}) of events occurred around ${at}; preceding that time, there were only ${reference} events within ${span}`
  return `An abnormal average value (${current.toFixed(2)}) of field ${field} occurred around ${at}; preceding that time, the field had an average value of ${reference.toFixed(2)} within ${span}`
}
