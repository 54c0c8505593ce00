import { z } from 'zod'
import { durationSchema } from './duration.ts'

/** ElastAlert filters whose languages the alerter does not speak. */
const otherLanguages = ['eql', 'esql']

// ElastAlert allows `query:` around a clause and takes it away again.
const clauseSchema = z.record(z.string(), z.unknown()).transform((clause, context) => {
  const inner = clause['query']
  const bare = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? { ...inner } : clause
  const names = Object.keys(bare)
  const [name] = names
  if (name === undefined || names.length !== 1) {
    context.addIssue(`a filter holds one clause, found ${names.length === 0 ? 'none' : names.join(', ')}`)
  } else if (otherLanguages.includes(name)) {
    context.addIssue(`${name} filters are not supported; use the query DSL or query_string`)
  }
  return bare as Record<string, unknown>
})

const channelNameSchema = z.string().min(1)
const channelSchema = z.union([
  channelNameSchema.transform((name) => ({ name, overrides: {} })),
  z.record(channelNameSchema, z.record(z.string(), z.unknown())).transform((entry, context) => {
    const [only, ...more] = Object.entries(entry)
    if (!only || more.length > 0) context.addIssue('each entry of alert names one channel')
    return { name: only?.[0] ?? '', overrides: only?.[1] ?? {} }
  }),
])

const oneOrMore = <T extends z.ZodType>(schema: T) =>
  z.union([schema.transform((one) => [one]), z.array(schema).min(1)])

/** The keys of every rule file, whatever its type and channels: ElastAlert 2's, with its defaults. */
export const ruleShape = {
  name: z.string().min(1).optional(),
  type: z.string(),
  index: z
    .string()
    .min(1)
    .regex(/^[^\s/?#]+$/, 'index must be names or patterns joined by commas'),
  alert: oneOrMore(channelSchema),
  is_enabled: z.boolean().default(true),
  description: z.string().optional(),
  owner: z.string().optional(),
  category: z.string().optional(),
  priority: z.number().int().min(0).max(4).default(2),
  filter: z.array(clauseSchema).default([]),
  query_key: oneOrMore(z.string().min(1)).optional(),
  timestamp_field: z.string().min(1).default('@timestamp'),
  realert: durationSchema.default(60_000),
} as const
