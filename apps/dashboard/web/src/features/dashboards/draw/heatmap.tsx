import type { EChartsCoreOption } from 'echarts/core'
import { useCallback } from 'react'
import { Chart, tooltip } from '../../../charts/chart.tsx'
import type { ChartTheme } from '../../../charts/palette.ts'
import { formatMetric } from '../../../format/format-as.ts'
import { formatCell } from '../format-cell.ts'
import type { Column, Table } from '../model/table.ts'

/** A heat map over a table: two bucket columns (the second may be missing) and the metric that gives the colour. */
export interface HeatmapModel {
  readonly table: Table
  readonly x: string | undefined
  readonly y: string | undefined
  readonly value: string
  /** From low to high. */
  readonly ramp: readonly string[]
  readonly legend: boolean
  readonly cellLabels: boolean
}

/** Draws the heat map. */
export function Heatmap({ model, label }: { model: HeatmapModel; label: string }) {
  const option = useCallback((theme: ChartTheme) => heatmapOption(model, theme), [model])
  return <Chart option={option} label={label} />
}

/** The chart option of a heat map. */
export function heatmapOption(model: HeatmapModel, theme: ChartTheme): EChartsCoreOption {
  const { table } = model
  const columnOf = (id: string | undefined): Column | undefined => table.columns.find((column) => column.id === id)
  const [x, y, metric] = [columnOf(model.x), columnOf(model.y), columnOf(model.value)]
  const nameOf = (row: Table['rows'][number], column: Column | undefined): string =>
    column ? formatCell(row[column.id], column) : ''
  const cells = table.rows.flatMap((row) => {
    const value = row[model.value]
    return typeof value === 'number' ? [{ x: nameOf(row, x), y: nameOf(row, y), value }] : []
  })
  const xs = [...new Set(cells.map((cell) => cell.x))]
  const ys = [...new Set(cells.map((cell) => cell.y))]
  const values = cells.map(({ value }) => value)
  const format = (value: unknown): string => formatMetric(Number(value), metric?.format)
  const axis = { type: 'category', axisLine: { show: false }, axisTick: { show: false }, splitArea: { show: false } }
  return {
    grid: { left: 8, right: model.legend ? 84 : 12, top: 8, bottom: 8, containLabel: true },
    tooltip: tooltip(theme, { position: 'top', valueFormatter: format }),
    xAxis: { ...axis, data: xs, axisLabel: { color: theme.text, hideOverlap: true } },
    yAxis: { ...axis, data: ys, axisLabel: { color: theme.text, width: 140, overflow: 'truncate' } },
    visualMap: {
      show: model.legend,
      min: Math.min(0, ...values),
      max: Math.max(1, ...values),
      dimension: 2,
      orient: 'vertical',
      right: 0,
      top: 'middle',
      itemHeight: 80,
      text: [format(Math.max(1, ...values)), format(Math.min(0, ...values))],
      textStyle: { color: theme.text },
      formatter: format,
      inRange: { color: [...model.ramp] },
    },
    series: [
      {
        type: 'heatmap',
        name: metric?.label ?? '',
        data: cells.map((cell) => [xs.indexOf(cell.x), ys.indexOf(cell.y), cell.value]),
        label: { show: model.cellLabels, formatter: ({ value }: { value: unknown[] }) => format(value[2]) },
        itemStyle: { borderColor: theme.tooltip, borderWidth: 1 },
      },
    ],
  }
}
