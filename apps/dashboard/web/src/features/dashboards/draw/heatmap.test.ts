import { expect, test } from 'vitest'
import { chartTheme } from '../../../charts/palette.ts'
import { colorRanges, namedRamp, paletteRamp } from '../model/ramp.ts'
import type { Table } from '../model/table.ts'
import { gaugeOption } from './gauge.tsx'
import { heatmapOption } from './heatmap.tsx'

const theme = chartTheme('light')
const table: Table = {
  columns: [
    { id: 'x', label: 'Host', role: 'bucket', type: 'text' },
    { id: 'y', label: 'Severity', role: 'bucket', type: 'text' },
    { id: 'm', label: 'Count', role: 'metric', type: 'number' },
  ],
  rows: [
    { x: 'a', y: 'High', m: 3 },
    { x: 'a', y: 'Low', m: 1 },
    { x: 'b', y: 'High', m: 9 },
    { x: 'b', y: 'Low', m: null },
  ],
}

test('a heat map has a cell for each row with a value', () => {
  const model = { table, x: 'x', y: 'y', value: 'm', ramp: ['#000000', '#ffffff'], legend: true, cellLabels: false }
  expect(heatmapOption(model, theme)).toMatchObject({
    xAxis: { data: ['a', 'b'] },
    yAxis: { data: ['High', 'Low'] },
    visualMap: { min: 0, max: 9, inRange: { color: ['#000000', '#ffffff'] } },
    series: [
      {
        data: [
          [0, 0, 3],
          [0, 1, 1],
          [1, 0, 9],
        ],
      },
    ],
  })
})

test('a heat map without a second column is one row', () => {
  const model = { table, x: 'x', y: undefined, value: 'm', ramp: [], legend: false, cellLabels: true }
  expect(heatmapOption(model, theme)).toMatchObject({ yAxis: { data: [''] }, visualMap: { show: false } })
})

test('a gauge shows its value in the colour of the range it lies in', () => {
  const ranges = colorRanges({
    colorSchema: 'Green to Red',
    colorsRange: [
      { from: 0, to: 50 },
      { from: 50, to: 100 },
    ],
  })
  const ramp = namedRamp('Green to Red')
  expect(ranges.map(({ color }) => color)).toEqual([ramp[0], ramp.at(-1)])
  const option = gaugeOption({ label: 'Alerts', value: 70, text: '70', min: 0, max: 100, ranges }, theme)
  expect(option).toMatchObject({
    series: [
      {
        progress: { itemStyle: { color: ramp.at(-1) } },
        axisLine: {
          lineStyle: {
            color: [
              [0.5, ramp[0]],
              [1, ramp.at(-1)],
            ],
          },
        },
      },
    ],
  })
})

test('a palette’s own colours win over its name', () => {
  expect(paletteRamp({ name: 'positive', params: { stops: [{ color: '#123456', stop: 1 }] } })).toEqual(['#123456'])
  expect(paletteRamp({ name: 'positive' })).toEqual(namedRamp('positive'))
  expect(namedRamp('nothing known', true)).toEqual([...namedRamp(undefined)].reverse())
})
