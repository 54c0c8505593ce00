import type { AlertSeverity } from '@logstack/contracts'
import type { Channel } from '../channels/define-channel.ts'
import type { RuleType } from '../rule-types/define-rule-type.ts'

/** One channel of a rule with its parsed options; `name` is unlike that of the rule's other channels. */
export interface RuleChannel {
  readonly name: string
  readonly channel: Channel
  readonly options: unknown
}

/** A rule as read from its file. */
export interface Rule {
  /** Path below the rules folder without extension: stable while the file keeps its name. */
  readonly id: string
  readonly name: string
  readonly description: string | undefined
  readonly category: string | undefined
  readonly severity: AlertSeverity
  readonly type: RuleType
  readonly typeOptions: unknown
  /** Index pattern as Elasticsearch takes it in a path: names, `*`, commas. */
  readonly index: string
  /** Clauses of the query DSL that an event must all match. */
  readonly filter: readonly Readonly<Record<string, unknown>>[]
  /** Fields whose values split the rule's state; empty without `query_key`. */
  readonly queryKey: readonly string[]
  readonly timestampField: string
  /** For how long a key that matched is silent, in milliseconds. */
  readonly realertMs: number
  readonly channels: readonly RuleChannel[]
  /** Changes when what the rule looks for does; a saved window of another fingerprint is dropped. */
  readonly fingerprint: string
  /** Changes with any change of the file. */
  readonly revision: string
}
