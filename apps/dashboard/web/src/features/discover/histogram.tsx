import type { ECharts, EChartsCoreOption } from 'echarts/core'
import { useCallback, useRef } from 'react'
import { Chart, tooltip } from '../../charts/chart.tsx'
import type { ChartTheme } from '../../charts/palette.ts'
import { formatCompact } from '../../format/format.ts'
import { ErrorState } from '../../shell/states.tsx'
import type { Interval } from '../../time/interval.ts'
import { formatInstant, type ResolvedRange } from '../../time/time-range.ts'
import { messages } from './messages.ts'
import type { Bar } from './use-discover.ts'
import { withGaps } from './with-gaps.ts'

interface HistogramProps {
  readonly bars: readonly Bar[] | undefined
  readonly error: Error | null
  readonly onRetry: () => void
  readonly interval: Interval
  readonly range: ResolvedRange
  readonly onZoom: (fromMs: number, toMs: number) => void
}

interface BrushEvent {
  areas?: { coordRange?: [number, number] }[]
}

/** Documents over time. A drag over bars zooms into their range, a click into one bar. */
export function Histogram({ bars, error, onRetry, interval, range, onZoom }: HistogramProps) {
  // Kept in a ref so that listeners are added once and still call the newest handler.
  const zoom = useRef(onZoom)
  zoom.current = onZoom
  const intervalMs = useRef(interval.ms)
  intervalMs.current = interval.ms
  const option = useCallback(
    (theme: ChartTheme) => histogramOption(bars ?? [], interval, range, theme),
    [bars, interval, range],
  )
  const onReady = useCallback((chart: ECharts) => listen(chart, zoom, intervalMs), [])
  if (error)
    return (
      <div className="discover-histogram">
        <ErrorState error={error} onRetry={onRetry} />
      </div>
    )
  return (
    <div className="discover-histogram" data-testid="histogram" data-bars={bars?.length ?? 0}>
      <Chart option={option} label={messages.perInterval(interval.text)} onReady={onReady} />
    </div>
  )
}

function listen(
  chart: ECharts,
  zoom: { current: HistogramProps['onZoom'] },
  intervalMs: { current: number },
): () => void {
  const enableBrush = (): void => {
    chart.dispatchAction({
      type: 'takeGlobalCursor',
      key: 'brush',
      brushOption: { brushType: 'lineX', brushMode: 'single' },
    })
  }
  const onBrushEnd = (event: unknown): void => {
    const area = (event as BrushEvent).areas?.[0]?.coordRange
    chart.dispatchAction({ type: 'brush', areas: [] })
    if (area && area[1] > area[0]) zoom.current(area[0], area[1])
  }
  const onClick = (event: unknown): void => {
    const ms = Number((event as { value?: number[] }).value?.[2])
    if (Number.isFinite(ms)) zoom.current(ms, ms + intervalMs.current)
  }
  chart.on('finished', enableBrush)
  chart.on('brushEnd', onBrushEnd)
  chart.on('click', onClick)
  return () => {
    chart.off('finished', enableBrush)
    chart.off('brushEnd', onBrushEnd)
    chart.off('click', onClick)
  }
}

function histogramOption(
  bars: readonly Bar[],
  interval: Interval,
  range: ResolvedRange,
  theme: ChartTheme,
): EChartsCoreOption {
  // Bars are drawn as wide as their time, from their start: a bar never leans into the range of its neighbour.
  const data = withGaps(bars, interval, range).map(({ ms, count }) => [ms + interval.ms / 2, count, ms])
  return {
    grid: { left: 44, right: 14, top: 8, bottom: 22 },
    tooltip: tooltip(theme, {
      trigger: 'axis',
      axisPointer: { type: 'none' },
      formatter: (items: { value: number[] }[]) => {
        const [item] = items
        if (!item) return ''
        const ms = item.value[2] ?? 0
        return `${formatInstant(ms).slice(0, 19)}<br><b>${messages.events(String(item.value[1]))}</b>`
      },
    }),
    toolbox: { show: false },
    brush: {
      xAxisIndex: 0,
      toolbox: [],
      transformable: false,
      brushStyle: { color: `${theme.accent}33`, borderColor: theme.accent },
    },
    xAxis: {
      type: 'time',
      containShape: false,
      min: range.fromMs,
      max: range.toMs,
      axisLine: { lineStyle: { color: theme.line } },
      axisLabel: { color: theme.text, hideOverlap: true },
      splitLine: { show: false },
    },
    yAxis: {
      type: 'value',
      minInterval: 1,
      splitNumber: 3,
      axisLabel: { color: theme.text, formatter: formatCompact },
      splitLine: { lineStyle: { color: theme.split } },
    },
    series: [
      {
        type: 'bar',
        data,
        barCategoryGap: '8%',
        barMaxWidth: 48,
        itemStyle: { color: theme.accent, borderRadius: [1, 1, 0, 0] },
        cursor: 'pointer',
      },
    ],
  }
}
