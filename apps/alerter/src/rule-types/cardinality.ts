import { z } from 'zod'
import { durationSchema } from '../rule-values/duration.ts'
import { valueAt } from '../rule-values/field-values.ts'
import { defineRuleType, type RuleEvent, type RuleMatch } from './define-rule-type.ts'

const savedSchema = z.array(
  z.object({ key: z.string(), first: z.number().optional(), values: z.array(z.tuple([z.string(), z.number()])) }),
)

/** ElastAlert's `cardinality`: more than `max_cardinality` or, after a whole timeframe, less than `min_cardinality` different values of a field. */
export const cardinality = defineRuleType({
  name: 'cardinality',
  options: {
    cardinality_field: z.string().min(1),
    timeframe: durationSchema,
    max_cardinality: z.number().int().min(0).optional(),
    min_cardinality: z.number().int().min(0).optional(),
  },
  check: ({ max_cardinality: max, min_cardinality: min }) =>
    max === undefined && min === undefined ? 'cardinality needs max_cardinality or min_cardinality' : undefined,
  start: ({ cardinality_field: field, timeframe, max_cardinality: max, min_cardinality: min }, saved, context) => {
    const keys = new Map<string, { first: number | undefined; values: Map<string, number> }>()
    for (const { key, first, values } of savedSchema.safeParse(saved).data ?? [])
      keys.set(key, { first, values: new Map(values) })
    const held = { count: [...keys.values()].reduce((sum, { values }) => sum + values.size, 0) }
    const shed = (values: Map<string, number>, now: number): void => {
      for (const [value, seen] of values) if (now - seen > timeframe && values.delete(value)) held.count--
    }
    const check = (key: string, time: number, event?: RuleEvent): RuleMatch[] => {
      const known = keys.get(key)
      if (!known) return []
      const isOver = () => max !== undefined && known.values.size > max
      const isUnder = () => min !== undefined && known.values.size < min && time - (known.first ?? time) > timeframe
      if (!isOver() && !isUnder()) return []
      shed(known.values, time)
      if (!isOver() && !isUnder()) return []
      known.first = undefined
      const words = isOver() ? `More than ${max}` : `Less than ${min}`
      const reason = `${words} unique ${field}(s) occurred between ${iso(time - timeframe)} and ${iso(time)}`
      const marks = event ? [{ index: event.index, id: event.id, time: event.time }] : []
      return [
        {
          time,
          key,
          ...(event ? { event } : {}),
          marks,
          count: known.values.size,
          reason,
          fields: { cardinality: known.values.size },
        },
      ]
    }
    return {
      add: (event) => {
        const known = keys.get(event.key) ?? { first: undefined, values: new Map<string, number>() }
        keys.delete(event.key)
        keys.set(event.key, known)
        known.first ??= event.time
        const value = valueAt(event.source, field)
        if (value === undefined) return []
        const seen = known.values.get(value)
        if (seen === undefined) held.count++
        known.values.set(value, Math.max(seen ?? event.time, event.time))
        for (const [oldest, { values }] of keys) {
          if (held.count <= context.windowEventsMax || oldest === event.key) break
          held.count -= values.size
          keys.delete(oldest)
          context.forgot()
        }
        return check(event.key, event.time, event)
      },
      tick: (now) => {
        const found: RuleMatch[] = []
        for (const [key, { values }] of [...keys]) {
          shed(values, now)
          if (min !== undefined) found.push(...check(key, now))
          else if (values.size === 0) keys.delete(key)
        }
        return found
      },
      save: () => [...keys].map(([key, { first, values }]) => ({ key, first, values: [...values] })),
    }
  },
})

function iso(time: number): string {
  return new Date(time).toISOString()
}
