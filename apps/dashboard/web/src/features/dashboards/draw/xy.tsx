import type { ECharts } from 'echarts/core'
import { useCallback } from 'react'
import { Chart } from '../../../charts/chart.tsx'
import type { ChartTheme } from '../../../charts/palette.ts'
import { brushTime } from '../../../charts/time-brush.ts'
import type { DashboardContext } from '../model/panel.ts'
import type { Cell } from '../model/table.ts'
import { hasTimeBelow, type XyChart, xyOption, xyPoint } from './xy-option.ts'

/** Draws an XY chart; a click on a time bucket or a drag over several zooms into them, and every click picks the groups it stands for. */
export function Xy({
  chart,
  label,
  onZoom,
  onPick,
}: {
  chart: XyChart
  label: string
  onZoom: DashboardContext['onZoom']
  onPick?: (layer: number, cells: Readonly<Record<string, Cell>>) => void
}) {
  const option = useCallback((theme: ChartTheme) => xyOption(chart, theme), [chart])
  const onReady = useCallback(
    (made: ECharts) => {
      const intervalMs = chart.layers[0]?.table.columns.find((column) => column.type === 'date')?.intervalMs
      const leave = hasTimeBelow(chart) ? brushTime(made, onZoom) : undefined
      const onClick = (event: unknown): void => {
        const { value, seriesIndex = -1, dataIndex = -1 } = event as ChartClick
        const fromMs = Array.isArray(value) ? Number(value[2]) : Number.NaN
        if (intervalMs && Number.isFinite(fromMs)) onZoom(fromMs, fromMs + intervalMs)
        const point = xyPoint(chart, seriesIndex, dataIndex)
        if (point) onPick?.(point.layer, point.cells)
      }
      made.on('click', onClick)
      return () => {
        leave?.()
        made.off('click', onClick)
      }
    },
    [chart, onZoom, onPick],
  )
  return <Chart option={option} label={label} onReady={onReady} />
}

interface ChartClick {
  readonly value?: unknown
  readonly seriesIndex?: number
  readonly dataIndex?: number
}
