import { expect, test } from 'vitest'
import { chartTheme } from '../../../charts/palette.ts'
import type { Table } from '../model/table.ts'
import { type XyLayer, xyOption } from './xy-option.ts'

const minute = 60_000
const table: Table = {
  columns: [
    { id: 't', label: 'time', role: 'bucket', type: 'date', intervalMs: minute },
    { id: 's', label: 'host', role: 'bucket', type: 'text' },
    { id: 'm', label: 'Count', role: 'metric', type: 'number' },
  ],
  rows: [
    { t: 0, s: 'a', m: 1 },
    { t: 3 * minute, s: 'a', m: 3 },
    { t: 2 * minute, s: 'b', m: 2 },
  ],
}
const layer: XyLayer = { table, x: 't', split: 's', values: ['m'], type: 'bar', stack: 'stacked', colors: new Map() }
const dataOf = (rest: Partial<XyLayer>): unknown => {
  const layers = [{ ...layer, ...rest }]
  const option = xyOption(
    { layers, horizontal: false, legend: true, range: { fromMs: 0, toMs: 1 } },
    chartTheme('light'),
  )
  return (option['series'] as { data: unknown }[]).map(({ data }) => data)
}

// Each has the instant after the first: that is how wide a bar is.
test('stacked series share their instants, because stacking goes by position', () => {
  expect(dataOf({})).toEqual([
    [
      [0, 1],
      [minute, 0],
      [2 * minute, 0],
      [3 * minute, 3],
    ],
    [
      [0, 0],
      [minute, 0],
      [2 * minute, 2],
      [3 * minute, 0],
    ],
  ])
})

test('lines fall to zero where search left empty buckets out', () => {
  expect(dataOf({ type: 'line', stack: 'none', split: undefined })).toEqual([
    [
      [0, 1],
      [minute, 0],
      [2 * minute, 2],
      [3 * minute, 3],
    ],
  ])
})

test('shares of a hundred are taken at each instant', () => {
  expect(dataOf({ stack: 'percentage' })).toEqual([
    [
      [0, 100],
      [minute, 0],
      [2 * minute, 0],
      [3 * minute, 100],
    ],
    [
      [0, 0],
      [minute, 0],
      [2 * minute, 100],
      [3 * minute, 0],
    ],
  ])
})

test('without a time axis the keys are categories', () => {
  expect(dataOf({ x: 's', split: undefined })).toEqual([[3, 2]])
})
