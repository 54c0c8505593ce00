import { expect, test } from 'vitest'
import { chartTheme } from '../../../../charts/palette.ts'
import { chartOf, minutely, seriesOfExpression, startMs } from '../testing.ts'
import { axesOf } from './axes.ts'
import { timelionOption, titleOf } from './option.ts'
import { timelionTable } from './table.ts'
import { tickFormat, valueFormat } from './units.ts'

const theme = chartTheme('light')

interface Option {
  readonly yAxis: readonly Record<string, unknown>[]
  readonly series: readonly Record<string, unknown>[]
  readonly legend: Record<string, unknown>
}

async function optionOf(expression: string): Promise<Option> {
  const series = await seriesOfExpression(expression)
  return timelionOption({ series, axes: axesOf(series), range: chartOf(4).frame.range }, theme) as unknown as Option
}

test('a series is a line of three pixels in the next colour; bars and points stand in its place', async () => {
  const { series } = await optionOf(
    '.static(1), .static(2).bars(9), .static(3).points(), .static(4).bars().lines(show=true)',
  )
  expect(series.map(({ type, lineStyle }) => [type, lineStyle])).toEqual([
    ['line', { width: 3, color: theme.series[0] }],
    ['bar', undefined],
    ['line', { width: 0, color: theme.series[2] }],
    ['bar', undefined],
    ['line', { width: 3, color: theme.series[3] }],
  ])
  expect(series[1]).toMatchObject({ barWidth: 9, stack: 'stack-0', itemStyle: { color: theme.series[1] } })
  expect(series[2]).toMatchObject({ showSymbol: true, symbol: 'emptyCircle', symbolSize: 6 })
})

test('areas, steps and stacks', async () => {
  const { series, yAxis } = await optionOf('.static(1).lines(fill=4, width=0, steps=true, stack=true).color(red)')
  expect(series[0]).toMatchObject({
    areaStyle: { color: 'red', opacity: 0.4 },
    lineStyle: { width: 0 },
    step: 'end',
    stack: 'stack-0',
  })
  // Areas stand on zero.
  expect(yAxis[0]).toMatchObject({ scale: false })
  expect((await optionOf('.static(1)')).yAxis[0]).toMatchObject({ scale: true })
})

test('each number of an axis is one, at the left or at the right, with the last that is said of it', async () => {
  const { series, yAxis } = await optionOf(
    '.static(1), .static(2).yaxis(2, max=9, label=rate, color=red).yaxis(2, min=0), .static(3).yaxis(4), .static(4).yaxis(3, position=right)',
  )
  expect(yAxis.map(({ position, min, max, name }) => [position, min, max, name])).toEqual([
    ['left', undefined, undefined, undefined],
    ['right', 0, 9, 'rate'],
    ['right', undefined, undefined, undefined],
    ['right', undefined, undefined, undefined],
  ])
  const offsets = yAxis.map(({ offset }) => Number(offset))
  expect(offsets.slice(1)).toEqual([...new Set(offsets.slice(1))].sort((left, right) => left - right))
  expect(series.map(({ yAxisIndex }) => yAxisIndex)).toEqual([0, 1, 3, 2])
  const many = Array.from({ length: 9 }, (_, at) => `.static(1).yaxis(${at + 1})`).join()
  await expect(optionOf(many)).rejects.toThrow('9 axes of values: at most 8 are drawn')
})

test('the legend is in its corner, tells series of one name apart, and leaves hidden ones off', async () => {
  const { legend, series } = await optionOf('.static(1, a), .static(2, a).hide().legend(se)')
  expect(legend).toMatchObject({ show: true, right: 24, bottom: 34 })
  const names = series.map(({ name }) => String(name))
  expect(new Set(names).size).toBe(2)
  expect(names.map((name) => name.replaceAll('\u200b', ''))).toEqual(['a', 'a'])
  expect(legend['selected']).toEqual({ [names[1] ?? '']: false })
  expect((await optionOf('.static(1).legend(false)')).legend).toMatchObject({ show: false })
})

test('the last title stands above the chart', async () => {
  expect(titleOf(await seriesOfExpression('.static(1).title(a), .static(2).title(b), .static(3)'))).toBe('b')
  expect(titleOf(await seriesOfExpression('.static(1)'))).toBeUndefined()
})

test.each([
  ['bits', 1_500_000, '1.5mb'],
  ['bits/s', 999, '999b/s'],
  ['bytes', 1536, '1.5 KB'],
  ['bytes/s', 1536, '1.5 KB/s'],
  ['percent', 0.256, '26%'],
  ['currency', 3, '$3.00'],
  ['currency:EUR', -3.5, '-€3.50'],
  ['custom:~: events', 7, '~7 events'],
])('%s are written for people', (units, value, shown) => {
  expect(tickFormat({ units })(value)).toBe(shown)
})

test('digits after the point are as many as are said', () => {
  expect(valueFormat({ decimals: 3 })(2)).toBe('2.000')
  expect(tickFormat({ units: 'percent', decimals: 1 })(0.256)).toBe('25.6%')
  expect(tickFormat({ units: 'custom::B', decimals: 1 })(300)).toBe('300.0B')
  expect(tickFormat({})(12_345)).toBe('12.3K')
})

test('the table has the series side by side, a row for each moment', () => {
  const { columns, rows } = timelionTable([minutely('a', [1, 2]), minutely('b', [3])], 'Time')
  expect(columns.map(({ label, type }) => [label, type])).toEqual([
    ['Time', 'date'],
    ['a', 'number'],
    ['b', 'number'],
  ])
  expect(rows).toEqual([
    { time: startMs, s0: 1, s1: 3 },
    { time: startMs + 60_000, s0: 2 },
  ])
})
