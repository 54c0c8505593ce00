import { z } from 'zod'
import { durationSchema } from '../rule-values/duration.ts'
import { countOptions } from './count-options.ts'
import { CountWindow } from './count-window.ts'
import { defineRuleType, type RuleMatch } from './define-rule-type.ts'
import { forgetOldest } from './forget-oldest.ts'

const savedSchema = z.array(z.object({ key: z.string(), window: z.unknown(), first: z.number().optional() }))

/**
 * ElastAlert's `flatline`: less than `threshold` events within `timeframe`, looked at when time moves on and not before a whole timeframe
 * was seen. With `query_key` a key counts from its first event on; it goes on matching unless `forget_keys`.
 */
export const flatline = defineRuleType({
  name: 'flatline',
  options: {
    threshold: z.number().int().min(1),
    timeframe: durationSchema,
    forget_keys: z.boolean().default(false),
    ...countOptions,
  },
  start: ({ threshold, timeframe, forget_keys: forgetKeys }, saved, { queryKey, windowEventsMax, forgot }) => {
    const keys = new Map<string, { window: CountWindow; first: number | undefined }>()
    for (const { key, window, first } of savedSchema.safeParse(saved).data ?? [])
      keys.set(key, { window: new CountWindow(timeframe, window), first })
    const add = (key: string, time: number, count: number): void => {
      const known = keys.get(key) ?? { window: new CountWindow(timeframe), first: undefined }
      keys.delete(key)
      keys.set(key, known)
      known.first ??= time
      known.window.add(time, count, count)
      forgetOldest(keys, windowEventsMax, forgot)
    }
    const check = (key: string): RuleMatch[] => {
      const known = keys.get(key)
      const last = known?.window.last
      if (!known || last === undefined) return []
      known.first ??= last
      const count = known.window.count
      if (last - known.first < timeframe || count >= threshold) return []
      if (forgetKeys) keys.delete(key)
      else known.first = Math.min(known.window.first ?? last, last - timeframe)
      const times = `Between ${iso(last - timeframe)} and ${iso(last)}, there were less than ${threshold} events`
      const reason = `An abnormally low number of events occurred around ${iso(last)}. ${times}`
      return [
        { time: last, key, marks: [], count, reason, fields: { key: key === '' ? 'all' : key, count, threshold } },
      ]
    }
    return {
      add: (event) => {
        add(event.key, event.time, 1)
        return []
      },
      addCounts: (time, counts) => {
        for (const { key, count } of counts) add(key, time, count)
        return []
      },
      tick: (now) => {
        if (queryKey.length === 0 && keys.size === 0)
          keys.set('', { window: new CountWindow(timeframe), first: undefined })
        return [...keys.keys()].flatMap((key) => {
          if ((keys.get(key)?.window.last ?? 0) <= now) keys.get(key)?.window.add(now, 0, 0)
          return check(key)
        })
      },
      save: () => [...keys].map(([key, { window, first }]) => ({ key, window: window.save(), first })),
    }
  },
})

function iso(time: number): string {
  return new Date(time).toISOString()
}
