import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pauseUntilNext } from './pause.ts'

const periodMs = 1_000
beforeEach(() => {
  vi.useFakeTimers()
  vi.advanceTimersByTime(periodMs - (performance.now() % periodMs))
})
afterEach(() => vi.useRealTimers())

it('wakes all that wait at the same moment, those that came shortly before it at the next', async () => {
  const open = new AbortController().signal
  const woken: string[] = []
  const wait = (name: string): unknown => pauseUntilNext(periodMs, open).then(() => woken.push(name))
  wait('early')
  await vi.advanceTimersByTimeAsync(400)
  wait('later')
  await vi.advanceTimersByTimeAsync(500)
  wait('late')
  expect(woken).toEqual([])
  await vi.advanceTimersByTimeAsync(100)
  expect(woken).toEqual(['early', 'later'])
  await vi.advanceTimersByTimeAsync(periodMs)
  expect(woken).toEqual(['early', 'later', 'late'])
})

it('ends at once when it is told to', async () => {
  const stopping = new AbortController()
  const waiting = pauseUntilNext(periodMs, stopping.signal)
  stopping.abort()
  await waiting
  expect(vi.getTimerCount()).toBe(0)
})
