import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { Throttle } from './throttle.ts'

/** A clock that goes on by `stepMs` whenever it is looked at, as it does on a busy machine. */
function slowClock(stepMs: number): () => number {
  let nowMs = 0
  return () => {
    nowMs += stepMs
    return nowMs
  }
}

describe('Throttle', () => {
  const signal = new AbortController().signal

  it('counts no pause where there is no limit, however slow the clock', async () => {
    const throttle = new Throttle(Number.POSITIVE_INFINITY, slowClock(5))
    await throttle.wait(1000, 0, signal)
    expect(throttle.throttledMs).toBe(0)
  })

  it('counts no pause where the work took longer than the pace asks', async () => {
    const throttle = new Throttle(1000, slowClock(5))
    await throttle.wait(10, 60_000, signal)
    expect(throttle.throttledMs).toBe(0)
  })

  it('counts a pause, and ends it where the pace is lifted', async () => {
    let nowMs = 0
    const throttle = new Throttle(1, () => nowMs)
    const waiting = throttle.wait(3600, 0, signal)
    expect(throttle.untilMs).toBe(3_600_000)
    nowMs = 250
    throttle.change(Number.POSITIVE_INFINITY)
    await waiting
    expect(throttle.throttledMs).toBe(250)
    expect(throttle.untilMs).toBe(0)
  })
  it('leaves nothing at the signal when a pause is over', async () => {
    const own = new AbortController().signal
    const throttle = new Throttle(1, () => 0)
    const waiting = throttle.wait(3600, 0, own)
    expect(getEventListeners(own, 'abort')).toHaveLength(1)
    throttle.change(Number.POSITIVE_INFINITY)
    await waiting
    expect(getEventListeners(own, 'abort')).toEqual([])
  })
})
