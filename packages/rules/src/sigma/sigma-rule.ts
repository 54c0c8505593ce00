import type { Detection } from './detection.ts'

export type SigmaLevel = 'informational' | 'low' | 'medium' | 'high' | 'critical'

/** Which events a rule is for. */
export interface LogSource {
  readonly product: string | undefined
  readonly category: string | undefined
  readonly service: string | undefined
}

/** What every Sigma document says of itself. */
export interface SigmaHead {
  readonly title: string
  /** The document's `id`, or one made of where it stands. */
  readonly id: string
  /** `name`, by which correlations may refer to it. */
  readonly name: string | undefined
  readonly description: string | undefined
  readonly status: string | undefined
  readonly level: SigmaLevel
  readonly author: string | undefined
  readonly references: readonly string[]
  readonly tags: readonly string[]
  readonly falsePositives: readonly string[]
}

/** A rule on single events. */
export interface SigmaRule extends SigmaHead {
  readonly kind: 'rule'
  readonly logSource: LogSource
  readonly detection: Detection
}

/** A rule on what other rules find. */
export interface SigmaCorrelation extends SigmaHead {
  readonly kind: 'correlation'
  readonly type: 'event_count' | 'value_count' | 'value_sum' | 'value_avg' | 'temporal' | 'temporal_ordered'
  /** Ids or names of rules or correlations. */
  readonly rules: readonly string[]
  readonly groupBy: readonly string[]
  readonly timespanMs: number
  readonly condition: {
    readonly gt?: number | undefined
    readonly gte?: number | undefined
    readonly lt?: number | undefined
    readonly lte?: number | undefined
    readonly eq?: number | undefined
    readonly neq?: number | undefined
  }
  /** What is counted or summed: fields of the events. */
  readonly fields: readonly string[]
  /** Name → field for each rule, for `groupBy`. */
  readonly aliases: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Whether the rules it refers to raise alerts of their own. */
  readonly generate: boolean
}

/** A condition that is added to other rules: they match only what it lets through. */
export interface SigmaFilter extends SigmaHead {
  readonly kind: 'filter'
  readonly logSource: LogSource
  /** Ids or names; undefined for every rule of the log source. */
  readonly rules: readonly string[] | undefined
  readonly detection: Detection
}

export type SigmaDocument = SigmaRule | SigmaCorrelation | SigmaFilter
