import { expect, test } from 'vitest'
import { chartTheme } from '../../../charts/palette.ts'
import type { Table } from '../model/table.ts'
import type { XyMark } from '../model/xy-mark.ts'
import { type XyChart, type XyLayer, xyOption, xyPoint } from './xy-option.ts'

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

const optionOf = (chart: Partial<XyChart>, rest: Partial<XyLayer> = {}) =>
  xyOption(
    { layers: [{ ...layer, ...rest }], horizontal: false, legend: true, range: { fromMs: 0, toMs: 1 }, ...chart },
    chartTheme('light'),
  )

test('a legend stands where it was put, and leaves the chart its room', () => {
  expect(optionOf({})).toMatchObject({ legend: { orient: 'vertical', right: 0 }, grid: { bottom: 4 } })
  const below = optionOf({ legendSide: 'bottom' })
  expect(below).toMatchObject({ legend: { bottom: 2, left: 8 }, grid: { bottom: 30, right: 14 } })
})

test('axes have the limits, the titles and the scale that were set', () => {
  const axes = { left: { min: 1, max: 9, title: 'Bytes', logarithmic: true }, right: { title: 'Count' } }
  const option = optionOf({ axes }, { right: new Set(['m']), stack: 'none' })
  expect(option['yAxis']).toMatchObject([{ type: 'log', min: 1, max: 9, name: 'Bytes' }, { type: 'value' }])
  expect((option['yAxis'] as { name?: string }[])[1]?.name).toBe('Count')
})

test('the title of an axis stands beside its labels, however long they are', () => {
  const gapOf = (most: number): number => {
    const rows = [{ t: 0, s: 'a', m: most }]
    const layers = [{ ...layer, table: { ...table, rows }, split: undefined }]
    const axes = { left: { title: 'Count' } }
    const chart = { layers, horizontal: false, legend: false, range: { fromMs: 0, toMs: 1 }, axes }
    const [axis] = xyOption(chart, chartTheme('light'))['yAxis'] as { nameGap: number }[]
    return axis?.nameGap ?? 0
  }
  // Of one digit: the room that the grid leaves beside the labels is 26 pixels.
  expect(gapOf(1)).toBeLessThan(26)
  expect(gapOf(250)).toBeGreaterThan(gapOf(1) + 12)
})

test('a logarithm of nothing has no point', () => {
  const zero = {
    ...table,
    rows: [
      { t: 0, s: 'a', m: 0 },
      { t: minute, s: 'a', m: 10 },
    ],
  }
  const option = optionOf({ axes: { left: { logarithmic: true } } }, { table: zero, type: 'line', stack: 'none' })
  expect((option['series'] as { data: Point[] }[])[0]?.data).toEqual([
    [0, null, 0],
    [minute, 10, minute],
  ])
})

test('values have the colours that people gave them, lines their curve, and gaps what stands for them', () => {
  const option = optionOf(
    {},
    { type: 'line', stack: 'none', named: new Map([['b', '#123456']]), curve: 'smooth', gaps: 'bridged' },
  )
  expect(option['series']).toMatchObject([
    { name: 'a', smooth: true, connectNulls: true },
    { name: 'b', itemStyle: { color: '#123456' } },
  ])
})
