import { expect, test } from 'vitest'
import { contextOf } from '../rule-context.testing.ts'
import type { RuleEvent, RunningRule } from './define-rule-type.ts'
import { frequency } from './frequency.ts'

const minute = 60_000
const start = (saved?: unknown, windowEventsMax = 100): RunningRule =>
  frequency.start({ num_events: 3, timeframe: 5 * minute }, saved, contextOf({ windowEventsMax }))

const event = (id: string, time: number, key = 'web1'): RuleEvent => ({
  index: 'logs',
  id,
  seqNo: 0,
  time,
  key,
  source: {},
})
const feed = (rule: RunningRule, ...events: RuleEvent[]) =>
  events.map((each) => rule.add?.(each)[0]?.marks.map(({ id }) => id))

test('matches at num_events within the timeframe and starts over from an empty window', () => {
  const rule = start()
  expect(feed(rule, event('a', 0), event('b', minute), event('c', 5 * minute))).toEqual([
    undefined,
    undefined,
    ['a', 'b', 'c'],
  ])
  expect(feed(rule, event('d', 5 * minute), event('e', 5 * minute))).toEqual([undefined, undefined])
})

test('does not count what is older than the timeframe', () => {
  expect(feed(start(), event('a', 0), event('b', minute), event('c', 5 * minute + 1), event('d', 6 * minute))).toEqual([
    undefined,
    undefined,
    undefined,
    ['b', 'c', 'd'],
  ])
})

test('keeps keys apart', () => {
  const rule = start()
  feed(rule, event('a', 0), event('b', 0, 'web2'), event('c', 0), event('d', 0, 'web2'))
  expect(rule.add?.(event('e', 0))[0]?.key).toBe('web1')
  expect(rule.add?.(event('f', 0, 'web2'))[0]?.key).toBe('web2')
})

test('puts an event that arrives late at its place', () => {
  expect(feed(start(), event('b', 4 * minute), event('c', 5 * minute), event('a', minute))).toEqual([
    undefined,
    undefined,
    ['a', 'b', 'c'],
  ])
})

test('counts an event that changed once', () => {
  expect(feed(start(), event('a', 0), event('a', 0), event('a', 0))).toEqual([undefined, undefined, undefined])
})

test('goes on from what it saved, through JSON', () => {
  const before = start()
  feed(before, event('a', 0), event('b', 1))
  const after = start(JSON.parse(JSON.stringify(before.save())))
  expect(feed(after, event('c', 2))).toEqual([['a', 'b', 'c']])
})

test('drops the keys unseen for longest when the windows hold too many events', () => {
  const rule = start(undefined, 3)
  feed(rule, event('a', 0, 'one'), event('b', 0, 'two'), event('c', 1, 'one'), event('d', 1, 'three'))
  expect(rule.save()).toEqual([
    ['one', [expect.objectContaining({ id: 'a' }), expect.objectContaining({ id: 'c' })]],
    ['three', [expect.objectContaining({ id: 'd' })]],
  ])
})

test('names the times of the first and the last event', () => {
  const rule = start()
  feed(rule, event('a', Date.UTC(2026, 0, 1)), event('b', Date.UTC(2026, 0, 1, 0, 1)))
  expect(rule.add?.(event('c', Date.UTC(2026, 0, 1, 0, 2)))[0]?.reason).toBe(
    'At least 3 events occurred between 2026-01-01T00:00:00.000Z and 2026-01-01T00:02:00.000Z',
  )
})

test('counts of search are added up within the timeframe, for each key', () => {
  const rule = frequency.start({ num_events: 10, timeframe: 5 * minute, use_terms_query: true }, undefined, contextOf())
  const at = (time: number, count: number, key = 'web1') =>
    rule.addCounts?.(time, [{ key, count }]).map((match) => match.count)
  expect([at(0, 6), at(minute, 3), at(minute, 9, 'web2')]).toEqual([[], [], []])
  expect(at(2 * minute, 1)).toEqual([10])
  expect(at(6 * minute, 9, 'web2')).toEqual([])
  expect(at(7 * minute, 1, 'web2')).toEqual([10])
})
