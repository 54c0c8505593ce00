import { z } from 'zod'
import { durationSchema } from '../rule-files/duration.ts'
import { defineRuleType, type EventMark } from './define-rule-type.ts'

const savedSchema = z.array(
  z.tuple([z.string(), z.array(z.object({ index: z.string(), id: z.string(), time: z.number() }))]),
)

/**
 * ElastAlert's `frequency`: at least `num_events` events of one key within `timeframe` of each other, by the events' own time. After a
 * match the key's window is empty. An event that arrives late takes its place by time; one that changed counts once.
 */
export const frequency = defineRuleType({
  name: 'frequency',
  options: { num_events: z.number().int().min(1).max(10_000), timeframe: durationSchema },
  start: ({ num_events: wanted, timeframe }, saved, { windowEventsMax }) => {
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
      }
    }
    return {
      add: (event) => {
        const before = windows.get(event.key) ?? []
        if (before.some(({ index, id }) => id === event.id && index === event.index)) return undefined
        const window = slide(before, event, timeframe)
        if (window.length < wanted) {
          keep(event.key, window)
          return undefined
        }
        keep(event.key, [])
        const [first, last] = [window[0]?.time ?? event.time, window.at(-1)?.time ?? event.time]
        const times = `${new Date(first).toISOString()} and ${new Date(last).toISOString()}`
        return { event, marks: window, reason: `At least ${wanted} events occurred between ${times}` }
      },
      save: () => [...windows],
    }
  },
})

// The window with the event at its place, less what is now older than the newest event by more than the timeframe.
function slide(window: readonly EventMark[], event: EventMark, timeframeMs: number): EventMark[] {
  const mark = { index: event.index, id: event.id, time: event.time }
  const place = window.findLastIndex((earlier) => earlier.time <= mark.time) + 1
  const next = window.toSpliced(place, 0, mark)
  const newest = next.at(-1)?.time ?? mark.time
  return next.filter(({ time }) => time >= newest - timeframeMs)
}
