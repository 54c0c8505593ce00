import { z } from 'zod'
import { durationSchema } from '../rule-values/duration.ts'
import { leafAt } from '../rule-values/field-values.ts'
import { countOptions } from './count-options.ts'
import { defineRuleType, matchOf, type RuleEvent, type RuleMatch } from './define-rule-type.ts'
import { forgetOldest } from './forget-oldest.ts'

const savedSchema = z.object({
  known: z.boolean(),
  terms: z.array(z.tuple([z.string(), z.array(z.tuple([z.string(), z.number()]))])),
})
const fieldSchema = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])
const day = 86_400_000

/**
 * ElastAlert's `new_term`: a field, or several together, has a value that it did not have within `terms_window_size`. What was there before
 * the rule began is asked of search once.
 */
export const newTerm = defineRuleType({
  name: 'new_term',
  options: {
    fields: z
      .union([
        z
          .string()
          .min(1)
          .transform((one) => [one]),
        z.array(fieldSchema).min(1),
      ])
      .optional(),
    terms_window_size: durationSchema.default(30 * day),
    window_step_size: durationSchema.default(day),
    alert_on_missing_field: z.boolean().default(false),
    use_keyword_postfix: z.boolean().default(true),
    // Each event is looked at, which finds what a query for terms would find.
    use_terms_query: countOptions.use_terms_query,
    terms_size: countOptions.terms_size,
  },
  check: ({ fields }, { queryKey }) =>
    !fields && queryKey.length === 0 ? 'new_term needs fields or query_key' : undefined,
  start: (options, saved, { queryKey, windowEventsMax, forgot }) => {
    const fields = (options.fields ?? queryKey).map((field) => (typeof field === 'string' ? [field] : [...field]))
    const before = savedSchema.safeParse(saved).data
    const terms = new Map((before?.terms ?? []).map(([field, seen]) => [field, new Map(seen)]))
    let isKnown = before?.known ?? false
    const windowMs = options.terms_window_size
    const see = (field: string, value: string, time: number): boolean => {
      const seen = terms.get(field) ?? new Map<string, number>()
      terms.set(field, seen)
      const last = seen.get(value)
      seen.delete(value)
      seen.set(value, Math.max(last ?? time, time))
      forgetOldest(seen, windowEventsMax, forgot)
      return last === undefined || time - last > windowMs
    }
    return {
      baseline: () => (isKnown ? undefined : { fields, windowMs, stepMs: options.window_step_size }),
      addBaseline: (field, values, time) => {
        isKnown = true
        for (const value of values) see(nameOf(field), JSON.stringify(value.map(String)), time)
      },
      add: (event) =>
        fields.flatMap((field) =>
          newTermOf(event, field, options.alert_on_missing_field, (value) => see(nameOf(field), value, event.time)),
        ),
      save: () => ({ known: isKnown, terms: [...terms].map(([field, seen]) => [field, [...seen]]) }),
    }
  },
})

function newTermOf(
  event: RuleEvent,
  field: readonly string[],
  alertOnMissing: boolean,
  isNew: (value: string) => boolean,
): RuleMatch[] {
  const name = nameOf(field)
  const values = field.map((part) => leafAt(event.source, part))
  if (values.some((value) => value === undefined || value === '')) {
    if (!alertOnMissing) return []
    return [matchOf(event, `${name} is missing`, { fields: { missing_field: name }, variant: name })]
  }
  const texts = values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)))
  if (!isNew(JSON.stringify(texts))) return []
  return [
    matchOf(event, `${name} has the new value ${texts.join(', ')}`, { fields: { new_field: name }, variant: name }),
  ]
}

function nameOf(field: readonly string[]): string {
  return field.join(',')
}
