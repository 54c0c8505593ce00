import type { ECharts } from 'echarts/core'
import { useCallback } from 'react'
import { Chart } from '../../../charts/chart.tsx'
import type { ChartTheme } from '../../../charts/palette.ts'
import type { DashboardContext } from '../panels/panel.ts'
import { type XyChart, xyOption } from './xy-option.ts'

/** Draws an XY chart; a click on a time bucket zooms into it. */
export function Xy({ chart, label, onZoom }: { chart: XyChart; label: string; onZoom: DashboardContext['onZoom'] }) {
  const option = useCallback((theme: ChartTheme) => xyOption(chart, theme), [chart])
  const intervalMs = chart.layers[0]?.table.columns.find((column) => column.type === 'date')?.intervalMs
  const onReady = useCallback(
    (made: ECharts) => {
      const onClick = (event: unknown): void => {
        const value = (event as { value?: unknown }).value
        if (intervalMs && Array.isArray(value)) onZoom(Number(value[0]), Number(value[0]) + intervalMs)
      }
      made.on('click', onClick)
      return () => void made.off('click', onClick)
    },
    [intervalMs, onZoom],
  )
  return <Chart option={option} label={label} onReady={onReady} />
}
