import { expect, it } from 'vitest'
import { expiredSnapshots, type PolicySnapshot } from './retention-choice.ts'

const dayMs = 86_400_000
const nowMs = 100 * dayMs
/** Snapshots of so many days ago, oldest first. */
const whole = (...days: number[]): PolicySnapshot[] =>
  days.map((ago) => ({ snapshot: String(ago), startMs: nowMs - ago * dayMs, state: 'SUCCESS' }))
const partial = (ago: number): PolicySnapshot => ({
  snapshot: `p${ago}`,
  startMs: nowMs - ago * dayMs,
  state: 'PARTIAL',
})
const names = (found: readonly PolicySnapshot[]) => found.map(({ snapshot }) => snapshot)

it.each([
  ['nothing without a rule', whole(9, 1), {}, []],
  ['what is older', whole(9, 8, 1), { expire_after: '7d' }, ['9', '8']],
  ['not the very age', whole(7), { expire_after: '7d' }, []],
  ['expired ones only down to the least', whole(9, 8, 1), { expire_after: '7d', min_count: 2 }, ['9']],
  ['none where the least is not reached', whole(9, 8), { expire_after: '7d', min_count: 2 }, []],
  ['the oldest beyond the most', whole(3, 2, 1), { max_count: 2 }, ['3']],
  ['beyond the most, though young', whole(3, 2, 1), { expire_after: '7d', min_count: 1, max_count: 1 }, ['3', '2']],
  ['broken ones when they expire', [partial(9), ...whole(3)], { expire_after: '7d', min_count: 5 }, ['p9']],
  ['no broken ones for the count', [partial(2), ...whole(1)], { max_count: 1 }, []],
  ['whatever their order', whole(1, 9, 5), { max_count: 1 }, ['9', '5']],
] as const)('%s', (_what, all, retention, expected) => {
  expect(names(expiredSnapshots(all, retention, nowMs))).toEqual(expected)
})
