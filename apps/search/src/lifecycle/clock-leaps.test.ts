import { createLogger } from '@logstack/logging'
import { beforeEach, expect, it } from 'vitest'
import { memoryStore } from '../testing/memory-store.ts'
import { type ClockLeaps, watchClock } from './clock-leaps.ts'

const dayMs = 86_400_000
const startMs = Date.UTC(2026, 0, 1)
let store = memoryStore()
let nowMs = startMs
let steadyMs = 0

const start = (): ClockLeaps =>
  watchClock({ store, now: () => nowMs, logger: createLogger('test', 'silent') }, () => steadyMs)

function pass(ms: number): void {
  nowMs += ms
  steadyMs += ms
}

async function restart(offMs: number): Promise<ClockLeaps> {
  nowMs += offMs
  steadyMs = 5
  return start()
}

beforeEach(() => {
  store = memoryStore()
  nowMs = startMs
  steadyMs = 1000
})

it('trusts a clock that goes, however long, and one that is set by little', async () => {
  const clock = start()
  expect(await clock.look()).toBeUndefined()
  pass(400 * dayMs)
  expect(await clock.look()).toBeUndefined()
  nowMs += 2 * dayMs
  expect(await clock.look()).toBeUndefined()
  nowMs -= 3_000_000
  expect(await clock.look()).toBeUndefined()
})

it('doubts a clock that leapt ahead, until it is back', async () => {
  const clock = start()
  nowMs += 365 * dayMs
  expect(await clock.look()).toMatchObject({ offsetMs: 365 * dayMs })
  pass(60_000)
  expect(await clock.look()).toMatchObject({ sinceMs: startMs + 365 * dayMs })
  nowMs -= 365 * dayMs
  expect(await clock.look()).toBeUndefined()
  pass(60_000)
  expect(await clock.look()).toBeUndefined()
})

it('doubts a clock that begins in 1970 until it is corrected, also over a restart', async () => {
  const first = start()
  await first.look()
  await first.close()
  const second = await restart(-startMs)
  expect(await second.look()).toMatchObject({ offsetMs: -startMs })
  await second.close()
  const third = await restart(1000)
  expect(await third.look()).toMatchObject({ offsetMs: expect.closeTo(-startMs, -4) })
  nowMs += startMs
  expect(await third.look()).toBeUndefined()
})

it('believes after a day what stays, and doubts a second leap anew', async () => {
  const first = start()
  await first.close()
  const clock = await restart(40 * dayMs)
  expect(await clock.look()).toMatchObject({ offsetMs: 40 * dayMs, untilMs: nowMs + dayMs })
  pass(dayMs - 1)
  expect(await clock.look()).toBeDefined()
  pass(1)
  expect(await clock.look()).toBeUndefined()
  nowMs -= 40 * dayMs
  expect(await clock.look()).toMatchObject({ offsetMs: -40 * dayMs })
})

it('goes by the time of minutes ago where search was ended without a word', async () => {
  const first = start()
  await first.look()
  for (let minutes = 0; minutes < 60 * 24 * 5; minutes += 5) {
    pass(300_000)
    await first.look()
  }
  expect(await (await restart(dayMs)).look()).toBeUndefined()
})
