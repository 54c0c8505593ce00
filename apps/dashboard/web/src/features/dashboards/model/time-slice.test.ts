import { describe, expect, test } from 'vitest'
import { movedSlice, readSlice, sliceRange, stepOf, timeSliderOf, wholeSlice, writeSlice } from './time-slice.ts'

const saved = (explicitInput: Record<string, unknown>, type = 'timeSlider') => ({
  type: 'dashboard',
  id: 'd',
  attributes: { controlGroupInput: { panelsJSON: JSON.stringify({ s: { type, order: 0, explicitInput } }) } },
  references: [],
})

const slice = (start: number, end: number, anchored = false) => ({ start, end, anchored })

describe('the saved time slider', () => {
  test('says its slice by the shares of the range', () => {
    const input = { id: 's', timesliceStartAsPercentageOfTimeRange: 0.25, timesliceEndAsPercentageOfTimeRange: 0.5 }
    expect(timeSliderOf(saved(input))).toEqual({ id: 's', saved: slice(0.25, 0.5) })
    expect(timeSliderOf(saved({ ...input, isAnchored: true }))?.saved).toEqual(slice(0, 0.5, true))
  })

  test('without a slice, or with one that cannot be, stands for everything; other controls are none', () => {
    expect(timeSliderOf(saved({}))?.saved).toEqual(wholeSlice)
    const empty = { timesliceStartAsPercentageOfTimeRange: 0.5, timesliceEndAsPercentageOfTimeRange: 0.5 }
    expect(timeSliderOf(saved(empty))?.saved).toEqual(wholeSlice)
    expect(timeSliderOf(saved({}, 'optionsListControl'))).toBeUndefined()
  })
})

test('a slice comes back from the address as it was written', () => {
  for (const one of [slice(0.25, 0.5), slice(0, 1), slice(0, 0.333333, true), wholeSlice])
    expect(readSlice(writeSlice(one))).toEqual(one)
  for (const text of [undefined, '', '2-3', '0.5', 'x-y', '-1-1']) expect(readSlice(text)).toBeUndefined()
})

test('a slice of a range has its instants, and a step is a width for people', () => {
  expect(sliceRange({ fromMs: 1_000, toMs: 2_000 }, slice(0.25, 0.5))).toEqual({ fromMs: 1_250, toMs: 1_499 })
  expect(sliceRange({ fromMs: 1_000, toMs: 2_000 }, slice(0.5, 1))).toEqual({ fromMs: 1_500, toMs: 2_000 })
  // A tenth of a day is more than two hours: three.
  expect(stepOf({ fromMs: 0, toMs: 86_400_000 })).toBe(0.125)
  expect(stepOf({ fromMs: 5, toMs: 5 })).toBe(1)
})

describe('a step', () => {
  test('of everything begins at an end of it', () => {
    expect(movedSlice(wholeSlice, 1, 0.125)).toEqual(slice(0, 0.125))
    expect(movedSlice(wholeSlice, -1, 0.125)).toEqual(slice(0.875, 1))
  })

  test('goes on by the width of the slice, and round at the ends', () => {
    expect(movedSlice(slice(0.25, 0.5), 1, 0.1)).toEqual(slice(0.5, 0.75))
    expect(movedSlice(slice(0.25, 0.5), -1, 0.1)).toEqual(slice(0, 0.25))
    expect(movedSlice(slice(0.75, 1), 1, 0.1)).toEqual(slice(0, 0.25))
    expect(movedSlice(slice(0, 0.25), -1, 0.1)).toEqual(slice(0.75, 1))
    // The last one is as wide as what is left.
    expect(movedSlice(slice(0.4, 0.8), 1, 0.1)).toEqual(slice(0.8, 1))
  })

  test('of an anchored slice moves its end only', () => {
    expect(movedSlice(slice(0, 0.5, true), 1, 0.25)).toEqual(slice(0, 0.75, true))
    expect(movedSlice(slice(0, 0.5, true), -1, 0.25)).toEqual(slice(0, 0.25, true))
    expect(movedSlice(slice(0, 1, true), 1, 0.25)).toEqual(slice(0, 0.25, true))
    expect(movedSlice(slice(0, 0.25, true), -1, 0.25)).toEqual(slice(0, 1, true))
  })
})
