import { expect, test } from 'vitest'
import { withOwnRange } from './panel-range.ts'

const now = new Date('2026-03-01T12:00:00Z')
const context = {
  range: { fromMs: 0, toMs: 1 },
  address: { range: { from: 'now-15m', to: 'now' }, query: 'a' },
  round: 3,
}

test('a panel with a range of its own asks for that, and links lead to it', () => {
  expect(withOwnRange({ config: { timeRange: { from: 'now-1h', to: 'now' } } }, context, now)).toEqual({
    range: { fromMs: now.getTime() - 3_600_000, toMs: now.getTime() },
    address: { range: { from: 'now-1h', to: 'now' }, query: 'a' },
    round: 3,
  })
})

test('any other panel has the dashboard’s', () => {
  for (const config of [{}, { timeRange: null }, { timeRange: { from: 'now-1h' } }])
    expect(withOwnRange({ config }, context, now)).toBe(context)
})
