import { describe, expect, it } from 'vitest'
import { RunClock, threadTimeMs } from './run-clock.ts'

/** A clock of 1000 ms on a machine that gives a script one part in `busy` of its time. */
function runsMs(busy: number): { wallMs: number; readings: number } {
  let wallMs = 0
  let readings = 0
  const clock = new RunClock(
    1000,
    () => wallMs,
    () => {
      readings += 1
      return wallMs / busy
    },
  )
  while (!clock.isOver()) wallMs += 1
  return { wallMs, readings }
}

describe('the time of a script', () => {
  it('is its limit when it has the processor to itself', () => {
    expect(runsMs(1).wallMs).toBe(1000)
  })

  it('is that of the processor on a busy machine, and ends all the same', () => {
    const { wallMs, readings } = runsMs(10)
    expect(wallMs).toBeGreaterThan(9000)
    expect(wallMs).toBeLessThanOrEqual(10_000)
    expect(readings).toBeLessThan(200)
  })

  it('is not asked for by short scripts', () => {
    const clock = new RunClock(
      1000,
      () => 0,
      () => {
        throw new Error('asked')
      },
    )
    expect(clock.isOver()).toBe(false)
  })

  it('grows with what this thread does', () => {
    const before = threadTimeMs()
    let sum = 0
    for (let at = 0; threadTimeMs() - before < 30; at += 1) sum += Math.sqrt(at)
    expect(sum).toBeGreaterThan(0)
    expect(threadTimeMs()).toBeGreaterThanOrEqual(before + 30)
  })
})
