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
    /** Of Sigma rules: the rule's own id, its author and references. */
    uuid: z.string().optional(),
    author: z.string().optional(),
    reference: z.array(z.string()).optional(),
  }),
  /** MITRE ATT&CK, from the rule's tags. */
  threat: z
    .strictObject({
      framework: z.literal('MITRE ATT&CK'),
      tactic: z.strictObject({ id: z.array(z.string()), name: z.array(z.string()) }).optional(),
      technique: z.strictObject({ id: z.array(z.string()) }).optional(),
    })
    .optional(),
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
      /** How many events led to the alert; 0 when it was their absence. */
      count: z.number().int().min(0),
      /** ISO 8601 times of the first and last of these events. */
      first_event: z.string(),
      last_event: z.string(),
      /** Where these events are; the newest 100 at most. */
      events: z.array(z.strictObject({ index: z.string(), id: z.string() })),
      /** `pending` while any notification is. */
      delivery: z.enum(['pending', 'done']),
      notifications: z.array(alertNotificationSchema),
      /** Alerts of one rule and key share it. */
      group: z.string().optional(),
      /** Until when (ISO 8601) a silence that a person set keeps its channels quiet, and whose it is. */
      silenced: z.strictObject({ until: z.string(), by: z.string(), id: z.string() }).optional(),
      /** The message that the channels send. */
      subject: z.string().optional(),
      text: z.string().optional(),
      /** Sent together with the others of this id, at `due` (ISO 8601). */
      aggregate: z.strictObject({ id: z.string(), due: z.string() }).optional(),
      /** The matching event with what the rule adds to it. */
      match: z.record(z.string(), z.unknown()).optional(),
      /** What people did with it, oldest first. */
      history: z.array(z.strictObject({ at: z.string(), by: z.string(), status: z.enum(alertStatuses) })).optional(),
    }),
  }),
})

export type AlertDocument = z.infer<typeof alertDocumentSchema>

const keyword = { type: 'keyword' }
const date = { type: 'date' }

/** The hidden index of alerts: the alerter writes it, the dashboard reads it and changes `logstack.alert.status`. */
export const alertsIndex = {
  name: '.logstack-alerts',
  version: 2,
  properties: {
    '@timestamp': date,
    event: { properties: { kind: keyword } },
    rule: {
      properties: {
        id: keyword,
        name: keyword,
        description: { type: 'keyword', ignore_above: 8192 },
        category: keyword,
        uuid: keyword,
        author: keyword,
        reference: keyword,
      },
    },
    threat: {
      properties: {
        framework: keyword,
        tactic: { properties: { id: keyword, name: keyword } },
        technique: { properties: { id: keyword } },
      },
    },
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
            group: keyword,
            silenced: { properties: { until: date, by: keyword, id: keyword } },
            subject: { type: 'text' },
            text: { type: 'text' },
            aggregate: { properties: { id: keyword, due: date } },
            match: { type: 'object', enabled: false },
            history: { properties: { at: date, by: keyword, status: keyword } },
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

/** A silence: until `until` no channel hears of the alerts it fits. Without `key` it fits every alert of the rule, without `rule` of every rule. */
export const alertSilenceSchema = z.strictObject({
  rule: z.string().optional(),
  key: z.string().optional(),
  /** ISO 8601. */
  from: z.string(),
  until: z.string(),
  by: z.string(),
  reason: z.string().optional(),
})

export type AlertSilence = z.infer<typeof alertSilenceSchema>

/** The hidden index of silences: the dashboard writes it with the rights of the person, the alerter reads it. */
export const alertSilencesIndex = {
  name: '.logstack-alerts-silences',
  version: 1,
  properties: { rule: keyword, key: keyword, from: date, until: date, by: keyword, reason: { type: 'text' } },
} as const

/** How a rule fares, one document a rule in `.logstack-alerts-rules`, its id the rule's. `switched_off` is the people's, all else the alerter's. */
export const alertRuleSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(['elastalert', 'sigma']),
  /** ElastAlert's rule type, or `sigma`, `correlation`. */
  type: z.string(),
  file: z.string(),
  description: z.string().optional(),
  severity: z.enum(alertSeverities).optional(),
  index: z.string().optional(),
  tags: z.array(z.string()).optional(),
  /** The file it is in, as it is written. */
  text: z.string().optional(),
  /** `broken` rules do not run: `error` says why. `disabled` is what the file says, `off` what `switched_off` does. */
  state: z.enum(['running', 'broken', 'disabled', 'off', 'gone']),
  error: z.strictObject({ message: z.string(), line: z.number().optional(), column: z.number().optional() }).nullable(),
  last_run: z.string().optional(),
  last_match: z.string().optional(),
  matches: z.number().int().optional(),
  switched_off: z.boolean().optional(),
  switched_by: z.string().optional(),
})

export type AlertRule = z.infer<typeof alertRuleSchema>

/** The hidden index of rules as the alerter last saw them. */
export const alertRulesIndex = {
  name: '.logstack-alerts-rules',
  version: 2,
  properties: {
    name: keyword,
    kind: keyword,
    type: keyword,
    file: keyword,
    description: { type: 'text' },
    severity: keyword,
    index: keyword,
    tags: keyword,
    text: { type: 'keyword', index: false, doc_values: false },
    state: keyword,
    error: { properties: { message: { type: 'text' }, line: { type: 'long' }, column: { type: 'long' } } },
    last_run: date,
    last_match: date,
    matches: { type: 'long' },
    switched_off: { type: 'boolean' },
    switched_by: keyword,
  },
} as const

/** A rule file that a person wrote in the dashboard; its id is the file's name. */
export const storedRuleSchema = z.strictObject({
  text: z.string().max(262_144),
  by: z.string(),
  /** ISO 8601. */
  updated: z.string(),
})

export type StoredRule = z.infer<typeof storedRuleSchema>

/** The hidden index of such files: the dashboard writes it with the rights of the person, the alerter reads it. */
export const storedRulesIndex = {
  name: '.logstack-alerts-rule-files',
  version: 1,
  properties: { text: { type: 'keyword', index: false, doc_values: false }, by: keyword, updated: date },
} as const

/** What a rule would have raised over past events. */
export const triedRuleSchema = z.union([
  z.strictObject({ problem: z.strictObject({ line: z.number(), column: z.number(), message: z.string() }) }),
  z.strictObject({
    /** How many events, or windows of an aggregating rule, were looked at. */
    events: z.number(),
    alerts: z.number(),
    /** The first of them; `time` is ISO 8601. */
    shown: z.array(z.strictObject({ time: z.string(), rule: z.string(), what: z.string() })),
    /** ISO 8601: how far it came, where the time was over before all events were read. */
    cutAt: z.string().optional(),
  }),
])

export type TriedRule = z.infer<typeof triedRuleSchema>

/** A test run of a rule file over past events: a person asks for it, the alerter answers. */
export const ruleTrialSchema = z.strictObject({
  text: z.string().max(262_144),
  /** ISO 8601. */
  from: z.string(),
  to: z.string(),
  by: z.string(),
  asked: z.string(),
  state: z.enum(['asked', 'running', 'done', 'failed']),
  answer: triedRuleSchema.optional(),
  error: z.string().optional(),
})

export type RuleTrial = z.infer<typeof ruleTrialSchema>

/** The hidden index of test runs; answers are deleted after an hour. */
export const ruleTrialsIndex = {
  name: '.logstack-alerts-trials',
  version: 1,
  properties: {
    text: { type: 'keyword', index: false, doc_values: false },
    from: date,
    to: date,
    by: keyword,
    asked: date,
    state: keyword,
    answer: { type: 'object', enabled: false },
    error: { type: 'text' },
  },
} as const
