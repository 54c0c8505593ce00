import { z } from 'zod'
import { durationSchema } from '../rule-values/duration.ts'
import { valueAt } from '../rule-values/field-values.ts'
import { defineRuleType, matchOf } from './define-rule-type.ts'
import { forgetOldest } from './forget-oldest.ts'

const savedSchema = z.array(
  z.tuple([z.string(), z.object({ time: z.number(), values: z.array(z.string().nullable()) })]),
)

/**
 * ElastAlert's `change`: a field differs from its value in the event before with the same key, within `timeframe` of it where that is given.
 * An event older than the newest of its key says nothing of a change and is left out.
 */
export const change = defineRuleType({
  name: 'change',
  options: {
    compare_key: z.union([
      z
        .string()
        .min(1)
        .transform((one) => [one]),
      z.array(z.string().min(1)).min(1),
    ]),
    ignore_null: z.boolean(),
    timeframe: durationSchema.optional(),
  },
  check: (_options, { queryKey }) => (queryKey.length === 0 ? 'change needs query_key' : undefined),
  start: ({ compare_key: fields, ignore_null: ignoreNull, timeframe }, saved, { windowEventsMax, forgot }) => {
    const last = new Map(savedSchema.safeParse(saved).data ?? [])
    return {
      add: (event) => {
        const values = fields.map((field) => valueAt(event.source, field) ?? null)
        if (ignoreNull && values.some((value) => value === null || value === '')) return []
        const before = last.get(event.key)
        if (before && before.time > event.time) return []
        last.delete(event.key)
        last.set(event.key, { time: event.time, values })
        forgetOldest(last, windowEventsMax, forgot)
        if (!before || before.values.every((value, at) => value === values[at])) return []
        if (timeframe !== undefined && event.time - before.time > timeframe) return []
        const text = (list: readonly (string | null)[]): string => list.map((value) => value ?? 'nothing').join(', ')
        const reason = `${fields.join(', ')} changed from ${text(before.values)} to ${text(values)}`
        const only = (list: readonly (string | null)[]): unknown => (list.length === 1 ? list[0] : list)
        return [matchOf(event, reason, { fields: { old_value: only(before.values), new_value: only(values) } })]
      },
      save: () => [...last],
    }
  },
})
