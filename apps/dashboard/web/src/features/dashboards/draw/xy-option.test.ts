import { expect, test } from 'vitest'
import { chartTheme } from '../../../charts/palette.ts'
import type { Table } from '../model/table.ts'
import type { XyMark } from '../model/xy-mark.ts'
import { type XyLayer, xyOption, xyPoint } from './xy-option.ts'

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
type Point = number | readonly (number | null)[]
const pointsOf = (rest: Partial<XyLayer>, horizontal = false): readonly Point[][] => {
  const layers = [{ ...layer, ...rest }]
  const option = xyOption({ layers, horizontal, legend: true, range: { fromMs: 0, toMs: 1 } }, chartTheme('light'))
  return (option['series'] as { data: Point[] }[]).map(({ data }) => data)
}
/** The instants and values that points stand for. */
const dataOf = (rest: Partial<XyLayer>): unknown =>
  pointsOf(rest).map((points) => points.map((one) => (typeof one === 'number' ? one : [one[2], one[1]])))

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

test('a row without a time has no point', () => {
  const untimed = { ...table, rows: [{ t: null, s: 'a', m: 9 }, ...table.rows] }
  const rest = { type: 'line', stack: 'none', split: undefined } as const
  expect(dataOf({ ...rest, table: untimed })).toEqual(dataOf(rest))
})

test('bars stand over the time they count, lines at its start; lying bars change their axes', () => {
  const one = { split: undefined, stack: 'none' } as const
  expect(pointsOf(one)[0]?.[0]).toEqual([minute / 2, 1, 0])
  expect(pointsOf({ ...one, type: 'line' })[0]?.[0]).toEqual([0, 1, 0])
  expect(pointsOf(one, true)[0]?.[0]).toEqual([1, minute / 2, 0])
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

test('lines at values fill to the edge of the chart, spans between their ends, each on its axis', () => {
  const mark: XyMark = { at: 5, along: 'value', label: 'limit', color: 'red', style: 'dashed', width: 2, fill: 'above' }
  const marks: XyMark[] = [
    mark,
    { ...mark, along: 'right', fill: 'below' },
    { ...mark, along: 'time', at: 10, until: 20, fill: undefined },
  ]
  const layers = [{ ...layer, right: new Set(['m']) }]
  const option = xyOption(
    { layers, horizontal: false, legend: true, range: { fromMs: 0, toMs: 1 }, marks },
    chartTheme('light'),
  )
  const drawn = (option['series'] as Record<string, unknown>[]).slice(-2)
  expect(drawn).toMatchObject([
    {
      markLine: { data: [{ yAxis: 5, name: 'limit', lineStyle: { color: 'red', type: 'dashed', width: 2 } }] },
      markArea: {
        data: [
          [{ yAxis: 5 }, {}],
          [{ xAxis: 10 }, { xAxis: 20 }],
        ],
      },
    },
    { yAxisIndex: 1, markArea: { data: [[{}, { yAxis: 5 }]] } },
  ])
  expect(option['yAxis']).toHaveLength(2)
})

test('a point of a chart knows the groups it stands for', () => {
  const range = { fromMs: 0, toMs: 1 }
  const overTime = { layers: [layer], horizontal: false, legend: true, range }
  expect(xyPoint(overTime, 1, 0)).toEqual({ layer: 0, cells: { s: 'b' } })
  const byHost = { ...overTime, layers: [{ ...layer, x: 's', split: undefined }] }
  expect(xyPoint(byHost, 0, 1)).toEqual({ layer: 0, cells: { s: 'b' } })
  expect(xyPoint(byHost, 7, 0)).toBeUndefined()
})
