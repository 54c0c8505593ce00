import { describe, expect, it } from 'vitest'
import { BackOff } from './back-off.ts'

describe('BackOff', () => {
  it('doubles up to the longest wait and starts over after a success', () => {
    const backOff = new BackOff({ firstMs: 100, longestMs: 500, random: () => 0 })
    expect([backOff.next(), backOff.next(), backOff.next(), backOff.next(), backOff.next()]).toEqual([
      100, 200, 400, 500, 500,
    ])
    backOff.reset()
    expect(backOff.next()).toBe(100)
  })

  it('shortens a wait by at most half', () => {
    expect(new BackOff({ firstMs: 100, longestMs: 500, random: () => 1 }).next()).toBe(50)
  })
})
