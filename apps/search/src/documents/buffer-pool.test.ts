import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { BufferPool } from './buffer-pool.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('gives a buffer of a size out again', () => {
  const pool = new BufferPool()
  const first = pool.take(5000)
  expect(first.length).toBe(8192)
  pool.give(first)
  expect(pool.keptBytes).toBe(8192)
  expect(pool.take(4096)).not.toBe(first)
  expect(pool.take(8192)).toBe(first)
  expect(pool.keptBytes).toBe(0)
  expect(pool.take(8192)).not.toBe(first)
})

it('keeps nothing that is small, part of something else, or of another size than it gives out', () => {
  const pool = new BufferPool()
  for (const buffer of [pool.take(100), Buffer.alloc(16_384).subarray(0, 8192), Buffer.alloc(5000)]) pool.give(buffer)
  expect(pool.keptBytes).toBe(0)
})

it('keeps no more than two large batches', () => {
  const pool = new BufferPool()
  const size = 16 * 1024 ** 2
  for (const buffer of Array.from({ length: 8 }, () => pool.take(size))) pool.give(buffer)
  expect(pool.keptBytes).toBe(6 * size)
})

it('lets go of what nobody asks for', () => {
  const pool = new BufferPool(1000)
  pool.give(pool.take(8192))
  vi.advanceTimersByTime(1000)
  expect(pool.keptBytes).toBe(8192)
  vi.advanceTimersByTime(1000)
  expect(pool.keptBytes).toBe(0)
  pool.give(pool.take(8192))
  expect(pool.keptBytes).toBe(8192)
  vi.advanceTimersByTime(3000)
  expect([pool.keptBytes, vi.getTimerCount()]).toEqual([0, 0])
})
