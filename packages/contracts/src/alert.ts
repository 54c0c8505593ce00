import { z } from 'zod'

/** What a person made of an alert. The alerter writes `open`; the dashboard changes it. */
export const alertStatuses = ['open', 'acknowledged', 'closed'] as const
export type AlertStatus = (typeof alertStatuses)[number]

/** How urgent an alert is; ElastAlert's `priority` 0 and 1 are low, 2 medium, 3 high, 4 critical. */
export const alertSeverities = ['low', 'medium', 'high', 'critical'] as const
export type AlertSeverity = (typeof alertSeverities)[number]

/** The delivery of one alert through one channel. `pending` is tried again at `next_attempt`; `failed` and `off` never are. */
const alertNotificationSchema = z.strictObject({
  channel: z.string(),
  state: z.enum(['pending', 'sent', 'failed', 'off']),
  attempts: z.number().int().min(0),
  /** ISO 8601; present while pending after a failed attempt. */
  next_attempt: z.string().optional(),
  /** ISO 8601; when it was sent. */
  sent_at: z.string().optional(),
  /** Why the last attempt failed, or why the channel is off. */
  error: z.string().optional(),
})

export type AlertNotification = z.infer<typeof alertNotificationSchema>

/** The document of one alert in `.logstack-alerts`, in ECS's words. Its id follows from the rule and the events, so it is never written twice. */
export const alertDocumentSchema = z.strictObject({
  /** ISO 8601: when the rule matched. */
  '@timestamp': z.string(),
  event: z.strictObject({ kind: z.literal('alert') }),
  rule: z.strictObject({
    /** The rule's file name without extension. */
    id: z.string(),
    name: z.string(),
    description: z.string().optional(),
    category: z.string().optional(),
  }),
  /** One sentence for people: what happened, where, between which times. */
  message: z.string(),
  /** Copied from the last matching event where it has one. */
  host: z.strictObject({ name: z.string() }).optional(),
  user: z.strictObject({ name: z.string() }).optional(),
  source: z.strictObject({ ip: z.string() }).optional(),
  logstack: z.strictObject({
    alert: z.strictObject({
      status: z.enum(alertStatuses),
      severity: z.enum(alertSeverities),
      reason: z.string(),
      rule_type: z.string(),
      /** The value of the rule's `query_key` in the events; absent without one. */
      key: z.string().optional(),
      /** The field or fields (joined by commas) that `key` is the value of. */
      key_field: z.string().optional(),
      /** How many events led to the alert. */
      count: z.number().int().min(1),
      /** ISO 8601 times of the first and last of these events. */
      first_event: z.string(),
      last_event: z.string(),
      /** Where these events are; the newest 100 at most. */
      events: z.array(z.strictObject({ index: z.string(), id: z.string() })),
      /** `pending` while any notification is. */
      delivery: z.enum(['pending', 'done']),
      notifications: z.array(alertNotificationSchema),
    }),
  }),
})

export type AlertDocument = z.infer<typeof alertDocumentSchema>

const keyword = { type: 'keyword' }
const date = { type: 'date' }

/** The hidden index of alerts: the alerter writes it, the dashboard reads it and changes `logstack.alert.status`. */
export const alertsIndex = {
  name: '.logstack-alerts',
  version: 1,
  properties: {
    '@timestamp': date,
    event: { properties: { kind: keyword } },
    rule: { properties: { id: keyword, name: keyword, description: keyword, category: keyword } },
    message: { type: 'text' },
    host: { properties: { name: keyword } },
    user: { properties: { name: keyword } },
    source: { properties: { ip: { type: 'ip' } } },
    logstack: {
      properties: {
        alert: {
          properties: {
            status: keyword,
            severity: keyword,
            reason: { type: 'text' },
            rule_type: keyword,
            key: keyword,
            key_field: keyword,
            count: { type: 'long' },
            first_event: date,
            last_event: date,
            events: { properties: { index: keyword, id: keyword } },
            delivery: keyword,
            notifications: {
              properties: {
                channel: keyword,
                state: keyword,
                attempts: { type: 'long' },
                next_attempt: date,
                sent_at: date,
                error: { type: 'keyword', ignore_above: 1024 },
              },
            },
          },
        },
      },
    },
  },
} as const

/** The hidden index of the alerter's own state: one document a rule, its id the rule's. */
export const alerterStateIndex = {
  name: '.logstack-alerter-state',
  version: 1,
  properties: {
    rule: keyword,
    updated: date,
    state: { type: 'object', enabled: false },
  },
} as const
