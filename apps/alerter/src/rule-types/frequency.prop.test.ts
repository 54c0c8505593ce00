import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contextOf } from '../rule-context.testing.ts'
import { frequency } from './frequency.ts'

test('matches exactly where counting back by hand does, and every event is in one match at most', () => {
  const events = fc.array(fc.record({ step: fc.nat(50), key: fc.constantFrom('a', 'b') }), { maxLength: 60 })
  fc.assert(
    fc.property(
      events,
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 100 }),
      (steps, wanted, timeframe) => {
        const limits = contextOf({ windowEventsMax: 10_000 })
        let rule = frequency.start({ num_events: wanted, timeframe }, undefined, limits)
        const counted: Record<string, number[]> = { a: [], b: [] }
        let time = 0
        for (const [at, { step, key }] of steps.entries()) {
          time += step
          const times = [...(counted[key] ?? []), time]
          const expected = times.filter((earlier) => earlier >= time - timeframe).length >= wanted
          counted[key] = expected ? [] : times
          const match = rule.add?.({ index: 'i', id: String(at), seqNo: at, time, key, source: {} })
          expect(match?.length).toBe(expected ? 1 : 0)
          if (at % 7 === 0) {
            rule = frequency.start({ num_events: wanted, timeframe }, JSON.parse(JSON.stringify(rule.save())), limits)
          }
        }
      },
    ),
  )
})
