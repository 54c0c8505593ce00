import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CorrelationWindow } from './correlation-window.ts'

const events = fc.array(fc.record({ time: fc.nat(400), value: fc.constantFrom('a', 'b', 'c'), rule: fc.nat(1) }), {
  maxLength: 60,
})

it('a window holds, in order, what is near enough to the newest, and knows how many values that are', () => {
  fc.assert(
    fc.property(events, (all) => {
      const window = new CorrelationWindow({ type: 'value_count', timespanMs: 100 }, [])
      let newest = 0
      let wanted: { time: number }[] = []
      for (const [n, event] of all.entries()) {
        const entry = { ...event, index: 'logs', id: `e${n}` }
        expect(window.add(entry)).toBe(true)
        newest = Math.max(newest, event.time)
        wanted = [...wanted, entry].filter(({ time }) => newest - time <= 100)
        // An event that came too late is let go of at once, and is no event twice.
        if (newest - event.time <= 100) expect(window.add(entry)).toBe(false)
        expect(window.valueCount).toBe(new Set(window.entries.map(({ value }) => value)).size)
        expect([...window.entries]).toEqual(wanted.toSorted((left, right) => left.time - right.time))
      }
    }),
  )
})

it('a flood of one value leaves its newest event', () => {
  const window = new CorrelationWindow({ type: 'value_count', timespanMs: 1_000 }, [])
  window.add({ index: 'logs', id: 'other', time: 0, rule: 0, value: 'other' })
  for (let n = 0; n < 300; n += 1) window.add({ index: 'logs', id: `e${n}`, time: n, rule: 0, value: 'same' })
  expect(window.length).toBeLessThan(256)
  expect(window.valueCount).toBe(2)
  expect(window.entries.at(-1)?.id).toBe('e299')
})
