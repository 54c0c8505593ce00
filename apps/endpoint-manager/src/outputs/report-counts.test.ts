import type { Logger } from '@logstack/logging'
import type { SearchClient } from '@logstack/search-client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { BackgroundWriter } from './background-writer.ts'
import { InputLosses } from './input-losses.ts'
import type { OutputDocument } from './search-output.ts'
import { reportCounts } from './source-counts.ts'

const logger = { warn: () => undefined, error: () => undefined } as unknown as Logger
const minuteMs = 60_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A search that is away or there, and what it took. */
function storage() {
  const taken: OutputDocument[] = []
  const state = { isAway: true }
  const write = async (documents: readonly OutputDocument[]): Promise<void> => {
    if (state.isAway) throw new Error('search is away')
    taken.push(...documents)
  }
  const lost = (): unknown[] => taken.map(({ document }) => (document['logstack'] as { input: unknown }).input)
  return { taken, state, write, lost }
}

it('keeps what was lost while search was away until it is back, each once', async () => {
  const losses = new InputLosses(() => Date.now())
  const { taken, state, write, lost } = storage()
  const stop = reportCounts([{ take: () => [] }, losses], write, logger)
  losses.lost('syslog', 'queue', 5)
  await vi.advanceTimersByTimeAsync(minuteMs)
  losses.lost('syslog', 'queue', 7)
  await vi.advanceTimersByTimeAsync(minuteMs)
  expect(taken).toEqual([])
  state.isAway = false
  await vi.advanceTimersByTimeAsync(minuteMs)
  await vi.advanceTimersByTimeAsync(minuteMs)
  expect(lost()).toEqual([
    { name: 'syslog', place: 'queue', lost: 5 },
    { name: 'syslog', place: 'queue', lost: 7 },
  ])
  expect(new Set(taken.map(({ id }) => id)).size).toBe(2)
  losses.lost('syslog', 'connections', 1)
  await stop()
  expect(lost()).toHaveLength(3)
})

it('lets the oldest go of what search does not take for very long, and a stop does not wait for it', async () => {
  let number = 0
  const many = { take: () => Array.from({ length: 6_000 }, () => ({ id: `${number++}`, index: 'i', document: {} })) }
  const { taken, state, write } = storage()
  const stop = reportCounts([many], write, logger)
  await vi.advanceTimersByTimeAsync(2 * minuteMs)
  state.isAway = false
  await vi.advanceTimersByTimeAsync(minuteMs)
  expect(taken).toHaveLength(10_000)
  expect(taken.at(-1)?.id).toBe('17999')
  await stop()
  const silent = reportCounts([many], () => new Promise(() => undefined), logger)
  const stopped = silent()
  await vi.advanceTimersByTimeAsync(minuteMs)
  await stopped
})

it('counts what a writer drops that search takes nothing of', () => {
  const losses = new InputLosses(() => 0)
  const search = { request: () => new Promise(() => undefined) } as unknown as SearchClient
  const writer = new BackgroundWriter({ search, logger, losses, what: 'alerts' })
  writer.add(Array.from({ length: 50_003 }, (_, n) => ({ action: 'create', index: 'a', id: `${n}`, document: {} })))
  writer.add([{ action: 'create', index: 'a', id: 'one', document: {} }])
  expect(losses.take().map(({ document }) => document['logstack'])).toEqual([
    { input: { name: 'alerts', place: 'writer', lost: 4 } },
  ])
})
