import { z } from 'zod'
import { durationSchema } from '../rule-values/duration.ts'
import { countOptions } from './count-options.ts'
import { CountWindow } from './count-window.ts'
import {
  defineRuleType,
  type EventMark,
  type RuleContext,
  type RuleMatch,
  type RunningRule,
} from './define-rule-type.ts'
import { forgetOldest } from './forget-oldest.ts'

const savedSchema = z.array(
  z.tuple([z.string(), z.array(z.object({ index: z.string(), id: z.string(), time: z.number() }))]),
)
const countsSchema = z.object({ counts: z.array(z.tuple([z.string(), z.unknown()])) })

/** A window holds this many events at most; more can be counted by search. */
const eventsHeldMax = 10_000

/**
 * ElastAlert's `frequency`: at least `num_events` events of one key within `timeframe` of each other, by the events' own time. After a
 * match the key's window is empty. An event that arrives late takes its place by time; one that changed counts once.
 */
export const frequency = defineRuleType({
  name: 'frequency',
  options: {
    num_events: z.number().int().min(1).max(1_000_000),
    timeframe: durationSchema,
    attach_related: z.boolean().default(false),
    ...countOptions,
  },
  check: ({ num_events: wanted, use_count_query: useCount, use_terms_query: useTerms, attach_related: attach }) => {
    if (useCount || useTerms)
      return attach
        ? 'attach_related needs the events, which use_count_query and use_terms_query only count'
        : undefined
    return wanted > eventsHeldMax
      ? `num_events above ${eventsHeldMax} needs use_count_query or use_terms_query`
      : undefined
  },
  start: (options, saved, context) =>
    options.use_count_query || options.use_terms_query
      ? countedFrequency(options, saved, context)
      : readFrequency(options, saved, context),
})

function readFrequency(
  { num_events: wanted, timeframe }: { readonly num_events: number; readonly timeframe: number },
  saved: unknown,
  { windowEventsMax, forgot }: Pick<RuleContext, 'windowEventsMax' | 'forgot'>,
): RunningRule {
  // Insertion order is the order in which keys were last seen, so that the first is the one to drop.
  const windows = new Map<string, readonly EventMark[]>(savedSchema.safeParse(saved).data ?? [])
  let held = [...windows.values()].reduce((sum, window) => sum + window.length, 0)
  const drop = (key: string): void => {
    held -= windows.get(key)?.length ?? 0
    windows.delete(key)
  }
  const keep = (key: string, window: readonly EventMark[]): void => {
    drop(key)
    if (window.length > 0) windows.set(key, window)
    held += window.length
    for (const oldest of windows.keys()) {
      if (held <= windowEventsMax || oldest === key) return
      drop(oldest)
      forgot()
    }
  }
  return {
    add: (event) => {
      const before = windows.get(event.key) ?? []
      if (before.some(({ index, id }) => id === event.id && index === event.index)) return []
      const window = slide(before, event, timeframe)
      if (window.length < wanted) {
        keep(event.key, window)
        return []
      }
      keep(event.key, [])
      const [first, last] = [window[0]?.time ?? event.time, window.at(-1)?.time ?? event.time]
      const reason = reasonOf(wanted, first, last)
      return [{ time: event.time, key: event.key, event, marks: window, count: window.length, reason }]
    },
    save: () => [...windows],
  }
}

function countedFrequency(
  { num_events: wanted, timeframe }: { readonly num_events: number; readonly timeframe: number },
  saved: unknown,
  { windowEventsMax, forgot }: Pick<RuleContext, 'windowEventsMax' | 'forgot'>,
): RunningRule {
  const windows = new Map<string, CountWindow>()
  for (const [key, window] of countsSchema.safeParse(saved).data?.counts ?? [])
    windows.set(key, new CountWindow(timeframe, window))
  return {
    addCounts: (time, counts) =>
      counts.flatMap(({ key, count }): RuleMatch[] => {
        const window = windows.get(key) ?? new CountWindow(timeframe)
        windows.delete(key)
        windows.set(key, window)
        forgetOldest(windows, windowEventsMax, forgot)
        window.add(time, count, count)
        const total = window.count
        if (total < wanted) return []
        const reason = reasonOf(wanted, time - timeframe, time)
        windows.delete(key)
        return [{ time, key, marks: [], count: total, reason }]
      }),
    save: () => ({ counts: [...windows].map(([key, window]) => [key, window.save()]) }),
  }
}

function reasonOf(wanted: number, first: number, last: number): string {
  return `At least ${wanted} events occurred between ${new Date(first).toISOString()} and ${new Date(last).toISOString()}`
}

// The window with the event at its place, less what is now older than the newest event by more than the timeframe.
function slide(window: readonly EventMark[], event: EventMark, timeframeMs: number): EventMark[] {
  const mark = { index: event.index, id: event.id, time: event.time }
  const place = window.findLastIndex((earlier) => earlier.time <= mark.time) + 1
  const next = window.toSpliced(place, 0, mark)
  const newest = next.at(-1)?.time ?? mark.time
  return next.filter(({ time }) => time >= newest - timeframeMs)
}
