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

/** A rule matched: the event that made it match, and all that led to it, oldest first. */
export interface RuleMatch {
  readonly event: RuleEvent
  readonly marks: readonly EventMark[]
  /** One sentence without its final stop. */
  readonly reason: string
}

/** Limits a running rule keeps to. */
export interface RuleLimits {
  readonly windowEventsMax: number
}

/** A running rule: `add` takes each event once, `save` gives what `start` needs to go on from here, as JSON. */
export interface RunningRule {
  add(event: RuleEvent): RuleMatch | undefined
  save(): unknown
}

/** A rule type of ElastAlert, with options of any shape. */
export interface RuleType {
  readonly name: string
  readonly options: z.ZodRawShape
  /** `options` are parsed by the type's schema; `saved` is what `save` gave, or undefined at first. */
  start(options: unknown, saved: unknown, limits: RuleLimits): RunningRule
}

/** Declares a rule type: its wire name, the keys it adds to a rule file, and how it runs. It sees no clock: time is the events'. */
export function defineRuleType<const Shape extends z.ZodRawShape>(definition: {
  readonly name: string
  readonly options: Shape
  start(options: z.output<z.ZodObject<Shape>>, saved: unknown, limits: RuleLimits): RunningRule
}): RuleType {
  return {
    ...definition,
    start: (options, saved, limits) => definition.start(options as z.output<z.ZodObject<Shape>>, saved, limits),
  }
}
