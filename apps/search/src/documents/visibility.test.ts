import { expect, it } from 'vitest'
import { runsOf, VisibleRows, visibleSql } from './visibility.ts'

const dead = (...sequences: number[]) => [{ table: 1, tableName: 'events_1', partition: 0, sequences }]
const range = (first: number, count: number): number[] => Array.from({ length: count }, (_, at) => first + at)

it('names many rows on end by the first and the last of them', () => {
  expect(runsOf([3, 1, 2])).toEqual({ runs: [], others: [3, 1, 2] })
  expect(runsOf([...range(100, 80).reverse(), 7, 181, 182])).toEqual({ runs: [[100, 179]], others: [7, 181, 182] })
  expect(runsOf([...range(1, 64), ...range(66, 63)])).toEqual({ runs: [[1, 64]], others: range(66, 63) })
  const visible = new VisibleRows(500)
  visible.commit(501, dead(7, ...range(100, 80)), [])
  expect(visibleSql(visible.of(1)).text).toBe('_seq <= 501 AND _seq NOT IN (7) AND _seq NOT BETWEEN 100 AND 179')
  visible.commit(502, dead(...range(300, 64), ...range(8, 63)), [])
  expect(visibleSql(visible.of(1)).text).toBe(
    '_seq <= 502 AND _seq NOT BETWEEN 100 AND 179 AND _seq NOT BETWEEN 7 AND 70 AND _seq NOT BETWEEN 300 AND 363',
  )
})

it('makes a few comparisons of the longest runs, and a list of all others', () => {
  const each = Array.from({ length: 20 }, (_, at) => range(at * 1_000, 64 + at))
  const { runs, others } = runsOf(each.flat())
  expect(runs.map(([first]) => first / 1_000)).toEqual([19, 18, 17, 16, 15, 14, 13, 12])
  expect(others).toEqual(each.slice(0, 12).flat())
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
