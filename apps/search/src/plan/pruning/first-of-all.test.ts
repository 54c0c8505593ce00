import { expect, it } from 'vitest'
import { beginsAt, FirstOfAll, fewAtOnce } from './first-of-all.ts'

it('bounds what is read by the last of the first, once so many are known', () => {
  const newest = new FirstOfAll({ column: '_time', descending: true }, 3)
  expect(newest.condition()).toBeUndefined()
  newest.found([50, 10])
  expect(newest.condition()).toBeUndefined()
  newest.found([])
  newest.found([40])
  expect(newest.condition()?.text).toBe('`_time` >= 10')
  newest.found([60, 50, 5])
  expect(newest.condition()?.text).toBe('`_time` >= 50')
  newest.found([49])
  expect(newest.condition()?.text).toBe('`_time` >= 50')
  const first = new FirstOfAll({ column: '_seq', descending: false }, 2)
  first.found([7, 9, 11])
  expect(first.condition()?.text).toBe('`_seq` <= 9')
  first.found([1])
  expect(first.condition()?.text).toBe('`_seq` <= 7')
})

it('leaves out what begins behind the last of the first, and looks first where they begin', () => {
  const newest = new FirstOfAll({ column: '_time', descending: true }, 2)
  const begins = new Map([
    ['old', 5],
    ['new', 90],
    ['other', 50],
  ])
  expect(newest.inTurn(['old', 'unknown', 'other', 'new'], (name) => begins.get(name))).toEqual([
    'unknown',
    'new',
    'other',
    'old',
  ])
  expect(newest.isBeyond(5)).toBe(false)
  newest.found([60, 50])
  expect([5, 49, 50, 51, undefined].map((each) => newest.isBeyond(each))).toEqual([true, true, false, false, false])
  const first = new FirstOfAll({ column: '_seq', descending: false }, 1)
  first.found([7])
  expect([6, 7, 8, Number.POSITIVE_INFINITY].map((each) => first.isBeyond(each))).toEqual([false, false, true, true])
})

it('knows where tables begin of the orders whose ends are noted', () => {
  const bounds = { newestMs: 90, firstSeq: 3 }
  expect(beginsAt({ column: '_time', descending: true }, bounds)).toBe(90)
  expect(beginsAt({ column: '_time', descending: false }, bounds)).toBeUndefined()
  expect(beginsAt({ column: '_seq', descending: false }, bounds)).toBe(3)
  expect(beginsAt({ column: '_seq', descending: false }, undefined)).toBeUndefined()
})

it('does a few works at once, and answers in the order of what is given', async () => {
  let [running, most] = [0, 0]
  const made = await fewAtOnce([5, 1, 4, 2, 3, 0], async (ms) => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, ms))
    running -= 1
    return ms * 10
  })
  expect(made).toEqual([50, 10, 40, 20, 30, 0])
  expect(most).toBe(4)
  expect(await fewAtOnce([], async () => 1)).toEqual([])
  await expect(fewAtOnce([1, 2], () => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
