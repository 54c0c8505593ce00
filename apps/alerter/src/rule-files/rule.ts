import type { AlertSeverity } from '@logstack/contracts'
import type { Channel } from '../channels/define-channel.ts'
import type { RuleType } from '../rule-types/define-rule-type.ts'
import type { TimestampForm } from '../rule-values/event-time.ts'
import type { LanguageQuery } from '../rule-values/language-query.ts'
import type { Realert } from '../silence.ts'

/** One channel of a rule with its parsed options; `name` is unlike that of the rule's other channels. */
export interface RuleChannel {
  readonly name: string
  readonly channel: Channel
  readonly options: unknown
}

/** When alerts of a rule are sent together: after a time, or at the times of a cron schedule. */
export interface Aggregation {
  readonly afterMs: number | undefined
  readonly schedule: string | undefined
  /** Fields whose values keep aggregations apart. */
  readonly key: readonly string[]
  /** Whether the time counts from the match rather than from now. */
  readonly byMatchTime: boolean
}

/** How a rule words its alerts: ElastAlert's options, with their defaults. */
export interface TextOptions {
  readonly subject: string | undefined
  readonly subjectArgs: readonly string[] | undefined
  readonly subjectMax: number
  readonly text: string | undefined
  readonly textArgs: readonly string[] | undefined
  readonly textKeywords: Readonly<Record<string, string>> | undefined
  readonly textType: 'default' | 'alert_text_only' | 'exclude_fields' | 'aggregation_summary_only'
  readonly missing: string
  readonly summary: SummaryOptions | undefined
}

/** ElastAlert's table of an aggregation. */
export interface SummaryOptions {
  readonly fields: readonly { readonly path: string; readonly header: string }[]
  readonly type: 'ascii' | 'markdown' | 'html'
  readonly rowsMax: number | undefined
  readonly prefix: string
  readonly suffix: string
}

/** What an alert says of its rule, and how it is told. */
export interface AlertingRule {
  readonly id: string
  readonly name: string
  readonly description: string | undefined
  readonly category: string | undefined
  readonly severity: AlertSeverity
  readonly typeName: string
  readonly queryKey: readonly string[]
  readonly channels: readonly RuleChannel[]
  readonly text: TextOptions
  /** Patterns of fields that the match holds. */
  readonly include: readonly string[]
  readonly aggregation: Aggregation | undefined
  readonly realert: Realert
  /** Rules with the same key are silent together. */
  readonly realertKey: string
  /** The file's top-level keys, which texts may name. */
  readonly raw: Readonly<Record<string, unknown>>
  readonly tags: readonly string[]
  /** Whether the match's `@timestamp` is written for people: ElastAlert's TimeEnhancement. */
  readonly hasTimeForPeople?: boolean
  readonly uuid?: string
  readonly author?: string
  readonly references?: readonly string[]
}

/** A rule as read from a file of ElastAlert's form. */
export interface Rule extends AlertingRule {
  readonly type: RuleType
  readonly typeOptions: unknown
  /** Index pattern as Elasticsearch takes it in a path: names, `*`, commas. */
  readonly index: string
  /** Clauses of the query DSL that an event must all match. */
  readonly filter: readonly Readonly<Record<string, unknown>>[]
  /** A query in EQL or ES|QL that must find an event, too. */
  readonly query?: LanguageQuery & { readonly index: string }
  readonly timestamp: TimestampForm
  /** Whether search hands over the events, or only their number, in all or for each key. */
  readonly reads: 'events' | 'count' | 'terms'
  readonly termsSize: number
  readonly pageEventsMax: number | undefined
  readonly queryDelayMs: number
  readonly bufferMs: number | undefined
  readonly runEveryMs: number | undefined
  /** Cron schedule of the only times at which the rule runs. */
  readonly limitExecution: string | undefined
  /** Whether such a run looks at all that came since the last one, not only at the last buffer. */
  readonly limitCoverage: boolean
  /** How far back a first run looks at least. */
  readonly lookbackMs: number
  readonly topCounts:
    | { readonly keys: readonly string[]; readonly number: number; readonly raw: boolean; readonly spanMs: number }
    | undefined
  readonly attachRelated: boolean
  /** Changes when what the rule looks for does; a saved window of another fingerprint is dropped. */
  readonly fingerprint: string
  /** Changes with any change of the file or of what it imports. */
  readonly revision: string
}
