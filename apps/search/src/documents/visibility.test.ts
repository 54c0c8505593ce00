import { expect, it } from 'vitest'
import { runsOf, VisibleRows, visibleSql } from './visibility.ts'

const dead = (...sequences: number[]) => [{ table: 1, tableName: 'events_1', partition: 0, sequences }]
const range = (first: number, count: number): number[] => Array.from({ length: count }, (_, at) => first + at)

it('names many rows on end by the first and the last of them', () => {
  expect(runsOf([3, 1, 2])).toEqual({ runs: [], others: [3, 1, 2] })
  expect(runsOf([...range(100, 20).reverse(), 7, 121, 122])).toEqual({ runs: [[100, 119]], others: [7, 121, 122] })
  expect(runsOf([...range(1, 8), ...range(10, 7)])).toEqual({ runs: [[1, 8]], others: range(10, 7) })
  const visible = new VisibleRows(200)
  visible.commit(201, dead(7, ...range(100, 20)), [])
  expect(visibleSql(visible.of(1)).text).toBe('_seq <= 201 AND _seq NOT IN (7) AND _seq NOT BETWEEN 100 AND 119')
  visible.commit(202, dead(...range(1, 6), ...range(8, 2)), [])
  expect(visibleSql(visible.of(1)).text).toBe(
    '_seq <= 202 AND _seq NOT BETWEEN 1 AND 9 AND _seq NOT BETWEEN 100 AND 119',
  )
})

it('lets rows go that whoever holds them is done with', () => {
  const visible = new VisibleRows(10)
  const job = visible.hold()
  const first = dead(1, 2)
  visible.commit(11, first, [])
  expect(visible.isUnheld(11, first)).toBe(false)
  job.done([1])
  expect(visible.isUnheld(11, first)).toBe(false)
  job.done([2, 3])
  expect(visible.isUnheld(11, first)).toBe(true)
  // Another read began before it.
  const reading = visible.hold([{ seq: 10, dead: [], replaced: 0, expiries: 0 }])
  expect(visible.isUnheld(11, first)).toBe(false)
  reading.release()
  visible.purged(first)
  // What is replaced once more is another row; what was not done stays.
  const second = dead(3, 4)
  visible.commit(12, second, [])
  expect(visible.isUnheld(12, second)).toBe(false)
  job.release()
  expect(visible.isUnheld(12, second)).toBe(true)
})

it('knows a row that was replaced until the engine has deleted it', () => {
  const visible = new VisibleRows(10)
  expect(visible.isCurrent(1, 5)).toBe(true)
  visible.commit(11, dead(5), [])
  expect([visible.isCurrent(1, 5), visible.isCurrent(2, 5), visible.isCurrent(1, 6)]).toEqual([false, true, true])
})
