import { z } from 'zod'

/** What a check saw: `consequence` is a fault that comes with another, `unknown` one that could not be looked at. */
export const healthStatuses = ['healthy', 'information', 'unknown', 'fault', 'consequence'] as const
export type HealthStatus = (typeof healthStatuses)[number]

/** The last look of one check of `logstack doctor`, a document a check in `.logstack-health`, its id the check's name. */
export const healthDocumentSchema = z.strictObject({
  /** ISO 8601: when it looked. */
  '@timestamp': z.string(),
  /** ISO 8601: since when every look saw this status. */
  since: z.string(),
  check: z.string(),
  title: z.string(),
  status: z.enum(healthStatuses),
  /** One sentence: what is wrong, or the evidence that nothing is. */
  message: z.string(),
  /** Of a fault: what was seen, what it means, the commands that mend it, and whether `doctor --repair` does. */
  evidence: z.array(z.string()).optional(),
  meaning: z.string().optional(),
  plan: z.array(z.string()).optional(),
  repairable: z.boolean().optional(),
  /** The check whose fault this one follows from. */
  follows: z.string().optional(),
})

export type HealthDocument = z.infer<typeof healthDocumentSchema>

const keyword = { type: 'keyword' }
const shown = { type: 'keyword', index: false, doc_values: false }

/** The hidden index of the stack's own health: the operator writes it every few minutes, the dashboard shows it, alert rules may read it. */
export const healthIndex = {
  name: '.logstack-health',
  version: 1,
  properties: {
    '@timestamp': { type: 'date' },
    since: { type: 'date' },
    check: keyword,
    title: keyword,
    status: keyword,
    message: { type: 'text' },
    evidence: shown,
    meaning: shown,
    plan: shown,
    repairable: { type: 'boolean' },
    follows: keyword,
  },
} as const
