import { z } from 'zod'
import { SigmaProblem } from './detection.ts'
import type { SigmaCorrelation, SigmaHead } from './sigma-rule.ts'
import { readTimespan } from './timespan.ts'

const list = z.union([z.string().transform((one) => [one]), z.array(z.string()).min(1)])
const number = z.number().optional()

const conditionSchema = z.strictObject({
  field: list.optional(),
  gt: number,
  gte: number,
  lt: number,
  lte: number,
  eq: number,
  neq: number,
})

const correlationSchema = z.strictObject({
  type: z.enum(['event_count', 'value_count', 'value_sum', 'value_avg', 'temporal', 'temporal_ordered']),
  rules: list,
  'group-by': list.optional(),
  timespan: z.unknown(),
  condition: conditionSchema.optional(),
  aliases: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  generate: z.boolean().default(false),
})

/** Reads the `correlation` of a Sigma document. Throws `SigmaProblem`. */
export function readCorrelation(head: SigmaHead, value: unknown): SigmaCorrelation {
  const parsed = correlationSchema.safeParse(value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const key = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
    const path = [...(issue?.path ?? []), ...(key === undefined ? [] : [key])]
    throw new SigmaProblem(['correlation', ...path], `[correlation.${path.join('.')}]: ${issue?.message}`)
  }
  const { type, rules, condition, timespan, aliases, generate } = parsed.data
  const { field: fields = [], ...bounds } = condition ?? {}
  const path = ['correlation', 'condition']
  if (type.startsWith('value_') && fields.length === 0)
    throw new SigmaProblem(path, `${type} needs a field in its condition`)
  const isTemporal = type === 'temporal' || type === 'temporal_ordered'
  if (!isTemporal && !condition) throw new SigmaProblem(['correlation'], `${type} needs a condition`)
  // Seen at each event, "less than" would hold at the first one.
  if (!isTemporal && bounds.gt === undefined && bounds.gte === undefined && bounds.eq === undefined)
    throw new SigmaProblem(path, 'a condition without gt, gte or eq is not supported: it would hold at the first event')
  return {
    kind: 'correlation',
    ...head,
    type,
    rules,
    groupBy: parsed.data['group-by'] ?? [],
    timespanMs: readTimespan(timespan, ['correlation', 'timespan']),
    condition: bounds,
    fields,
    aliases: new Map(Object.entries(aliases ?? {}).map(([alias, of]) => [alias, new Map(Object.entries(of))])),
    generate,
  }
}
