import { expect, it } from 'vitest'
import { minuteWindow } from './minute-window.ts'

it('lets so many pass in a minute, and waits for no clock that was set back', () => {
  const window = minuteWindow(2)
  const takenAt = (now: number): boolean[] => [window.take(now), window.take(now), window.take(now)]
  expect(takenAt(90_000)).toEqual([true, true, false])
  expect(window.take(149_999)).toBe(false)
  expect(takenAt(150_000)).toEqual([true, true, false])
  expect(takenAt(1_000)).toEqual([true, true, false])
})
