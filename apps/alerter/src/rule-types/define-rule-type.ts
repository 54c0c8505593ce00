import type { z } from 'zod'

/** An event that passed a rule's filter. */
export interface RuleEvent {
  readonly index: string
  readonly id: string
  readonly seqNo: number
  /** Epoch milliseconds of the rule's timestamp field. */
  readonly time: number
  /** The value of the rule's `query_key`; empty for a rule without one. */
  readonly key: string
  readonly source: unknown
}

/** Where an event is and when it happened: what a window keeps of it. */
export type EventMark = Readonly<Pick<RuleEvent, 'index' | 'id' | 'time'>>

/** A rule matched: when, for which key, and what led to it. */
export interface RuleMatch {
  /** Epoch milliseconds of the event or of the end of the window. */
  readonly time: number
  readonly key: string
  /** The event that made it match; absent where events were counted or their absence is the match. */
  readonly event?: RuleEvent
  /** The events that led to it as far as they are known, oldest first. */
  readonly marks: readonly EventMark[]
  /** How many events led to it. */
  readonly count: number
  /** One sentence without its final stop. */
  readonly reason: string
  /** What the rule type adds to the match: `spike_count`, `old_value`, … */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Tells apart several matches of one event. */
  readonly variant?: string
}

/** What a running rule knows of its rule file beyond its own options, and the limits it keeps to. */
export interface RuleContext {
  readonly windowEventsMax: number
  /** Empty without `query_key`. */
  readonly queryKey: readonly string[]
  readonly timestampField: string
  /** The span one query of an aggregating rule covers, in milliseconds. */
  readonly bufferMs: number
  readonly useTermsQuery: boolean
  /** To be called for each key that the rule had to forget, as its windows hold `windowEventsMax`. */
  readonly forgot: () => void
}

/** How many events of a key there were, where search counts instead of handing the events over. */
export interface KeyCount {
  readonly key: string
  readonly count: number
}

/** Terms that were there before a rule began: which fields to look up, and how far back. */
export interface Baseline {
  readonly fields: readonly (readonly string[])[]
  readonly windowMs: number
  readonly stepMs: number
}

/** An aggregation that a rule asks for at the end of every window. */
export interface WindowQuery {
  /** The `aggs` of one key, without the split by `query_key`. */
  readonly aggs: Readonly<Record<string, unknown>>
  /** Splits the window into buckets of this many milliseconds. */
  readonly bucketMs?: number
  readonly syncBuckets: boolean
  readonly overlap: boolean
  readonly useRunEverySize: boolean
  readonly termsMinCount: number
}

/** One key's answer to a window query: the aggregations, and the time (epoch ms) it stands for. */
export interface WindowAnswer {
  readonly key: string
  readonly time: number
  readonly aggregations: Readonly<Record<string, unknown>>
}

/**
 * A running rule. It takes each event once (`add`), or counts (`addCounts`), or answers of `windowQuery` (`addWindow`); `tick` tells it the
 * time up to which all events are in; `save` gives what `start` needs to go on from here, as JSON.
 */
export interface RunningRule {
  add?(event: RuleEvent): readonly RuleMatch[]
  addCounts?(time: number, counts: readonly KeyCount[]): readonly RuleMatch[]
  tick?(now: number): readonly RuleMatch[]
  readonly windowQuery?: WindowQuery
  addWindow?(answers: readonly WindowAnswer[], end: number): readonly RuleMatch[]
  /** What it needs to know of the past before its first event; undefined when it knows. */
  baseline?(): Baseline | undefined
  addBaseline?(field: readonly string[], values: readonly (readonly unknown[])[], time: number): void
  save(): unknown
}

/** A rule type of ElastAlert, with options of any shape. */
export interface RuleType {
  readonly name: string
  readonly options: z.ZodRawShape
  /** Why these options cannot be used together, as a sentence; undefined when they can. */
  check(options: unknown, context: Pick<RuleContext, 'queryKey' | 'bufferMs' | 'useTermsQuery'>): string | undefined
  /** `options` are parsed by the type's schema; `saved` is what `save` gave, or undefined at first. */
  start(options: unknown, saved: unknown, context: RuleContext): RunningRule
}

/** Declares a rule type: its wire name, the keys it adds to a rule file, and how it runs. It sees no clock: time is the events'. */
export function defineRuleType<const Shape extends z.ZodRawShape>(definition: {
  readonly name: string
  readonly options: Shape
  check?(
    options: z.output<z.ZodObject<Shape>>,
    context: Pick<RuleContext, 'queryKey' | 'bufferMs' | 'useTermsQuery'>,
  ): string | undefined
  start(options: z.output<z.ZodObject<Shape>>, saved: unknown, context: RuleContext): RunningRule
}): RuleType {
  type Options = z.output<z.ZodObject<Shape>>
  return {
    name: definition.name,
    options: definition.options,
    check: (options, context) => definition.check?.(options as Options, context),
    start: (options, saved, context) => definition.start(options as Options, saved, context),
  }
}

/** A match that one event makes by itself. */
export function matchOf(event: RuleEvent, reason: string, more: Pick<RuleMatch, 'fields' | 'variant'> = {}): RuleMatch {
  const { index, id, time, key } = event
  return { time, key, event, marks: [{ index, id, time }], count: 1, reason, ...more }
}
