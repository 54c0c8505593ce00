import type { EChartsCoreOption } from 'echarts/core'
import { tooltip } from '../../../../charts/chart.tsx'
import type { ChartTheme } from '../../../../charts/palette.ts'
import type { ResolvedRange } from '../../../../time/time-range.ts'
import { timeAxis } from '../../draw/xy-axes.ts'
import type { AxisLook, LegendLook, Look, PointLook, Series } from '../language/series.ts'
import { axisNumber, axisOptions } from './axes.ts'
import { valueFormat } from './units.ts'

/** What a chart draws: series, the axes they are measured on, and the range of time. */
export interface TimelionChart {
  readonly series: readonly Series[]
  readonly axes: readonly AxisLook[]
  readonly range: ResolvedRange
}

/** The chart of an expression. */
export function timelionOption({ series, axes, range }: TimelionChart, theme: ChartTheme): EChartsCoreOption {
  const names = distinctNames(series)
  const drawn = series.flatMap((one, at) => seriesOptions(one, { name: names[at] ?? '', at, axes, theme }))
  return {
    grid: { left: 10, right: 16, top: 12, bottom: 6, containLabel: true, outerBoundsContain: 'all' },
    legend: legendOption(series, names, theme),
    tooltip: tooltip(theme, { trigger: 'axis', axisPointer: { type: 'line' } }),
    xAxis: timeAxis(range, 0, theme),
    yAxis: axisOptions(axes, series, theme),
    series: drawn,
  }
}

/** What stands above a chart: the last title that a series gives it. */
export function titleOf(series: readonly Series[]): string | undefined {
  return series.findLast(({ chart }) => chart.title !== undefined)?.chart.title
}

/** Names that differ, as the library knows series by them: those that are alike end in marks that nobody sees. */
function distinctNames(series: readonly Series[]): string[] {
  const seen = new Map<string, number>()
  return series.map(({ label }) => {
    const count = seen.get(label) ?? 0
    seen.set(label, count + 1)
    return label + '\u200b'.repeat(count)
  })
}

interface Drawn {
  readonly name: string
  readonly at: number
  readonly axes: readonly AxisLook[]
  readonly theme: ChartTheme
}

function seriesOptions(one: Series, { name, at, axes, theme }: Drawn): Record<string, unknown>[] {
  const { look, points } = one
  const color = look.color ?? theme.series[at % theme.series.length]
  const yAxisIndex = axes.findIndex(({ number }) => number === axisNumber(one))
  const format = formatOf(look, axes[yAxisIndex])
  const shared = {
    name,
    data: points,
    yAxisIndex,
    itemStyle: { color },
    tooltip: { valueFormatter: (value: unknown) => (typeof value === 'number' ? format(value) : '-') },
    ...(look.isStacked ? { stack: `stack-${yAxisIndex}` } : {}),
  }
  const bars = look.bars?.show ? [barsOption(shared, look)] : []
  const isLine = hasLine(look)
  const lines = isLine || look.points?.show ? [linesOption(shared, look, isLine, color)] : []
  return [...bars, ...lines]
}

function formatOf({ decimals }: Look, axis: AxisLook | undefined): (value: number) => string {
  return valueFormat({ units: axis?.units, decimals: decimals ?? axis?.decimals })
}

/** Lines are what is drawn where nothing else is asked for. */
function hasLine({ lines, bars, points }: Look): boolean {
  return lines?.show ?? !(bars?.show || points?.show)
}

function barsOption(shared: Record<string, unknown>, { bars }: Look): Record<string, unknown> {
  // Bars of several series stand in one place: on each other, or one before the other.
  return { ...shared, type: 'bar', barWidth: Math.max(1, Math.min(100, bars?.widthPx ?? 1)), barGap: '-100%' }
}

const defaultLinePx = 3
const defaultRadiusPx = 3
const mostPx = 50

function linesOption(
  shared: Record<string, unknown> & { readonly data: readonly unknown[]; readonly itemStyle: object },
  { lines = {}, points }: Look,
  isLine: boolean,
  color: string | undefined,
): Record<string, unknown> {
  const width = isLine ? Math.min(mostPx, Math.max(0, lines.widthPx ?? defaultLinePx)) : 0
  const isFilled = isLine && (lines.fill ?? 0) > 0
  return {
    ...shared,
    type: 'line',
    lineStyle: { width, color },
    connectNulls: false,
    ...(lines.steps ? { step: 'end' } : {}),
    ...(isFilled ? { areaStyle: { color, opacity: lines.fill } } : {}),
    // A line of a single point could not be seen.
    ...(points?.show ? pointsOption(points, color) : { showSymbol: shared.data.length < 3, symbolSize: 5 }),
  }
}

const cross = 'path://M0 2 2 0 5 3 8 0 10 2 7 5 10 8 8 10 5 7 2 10 0 8 3 5z'
const symbols: Readonly<Record<string, readonly [hollow: string, filled: string]>> = {
  circle: ['emptyCircle', 'circle'],
  cross: [cross, cross],
  diamond: ['emptyDiamond', 'diamond'],
  square: ['emptyRect', 'rect'],
  triangle: ['emptyTriangle', 'triangle'],
}

function pointsOption(points: PointLook, color: string | undefined): Record<string, unknown> {
  const [hollow = 'emptyCircle', filled = 'circle'] = symbols[points.symbol] ?? []
  const isFilled = (points.fill ?? 0) > 0
  const size = {
    symbolSize: 2 * Math.min(mostPx, Math.max(1, points.radiusPx ?? defaultRadiusPx)),
    showAllSymbol: true,
  }
  if (!isFilled) return { showSymbol: true, symbol: hollow, ...size }
  const inside = { color: points.fillColor ?? color, opacity: points.fill }
  const itemStyle = { ...inside, borderColor: color, borderWidth: points.borderPx ?? 0 }
  return { showSymbol: true, symbol: filled, ...size, itemStyle }
}

const namePx = 320
const rowNamePx = 110

/** Kibana's corner of the chart, with names that can be clicked to hide a series and show it again. */
function legendOption(series: readonly Series[], names: readonly string[], theme: ChartTheme): Record<string, unknown> {
  const said = series.flatMap(({ chart }) => chart.legend ?? [])
  const { show, position, columns } = said.reduce<LegendLook>(
    (before, { show, position, columns }) => ({
      show: before.show && show,
      position: position ?? before.position,
      columns: columns ?? before.columns,
    }),
    { show: true },
  )
  const corner = position ?? 'nw'
  const isRow = (columns ?? 1) > 1
  return {
    show,
    data: [...names],
    selected: Object.fromEntries(series.flatMap(({ look }, at) => (look.isHidden ? [[names[at] ?? '', false]] : []))),
    type: isRow ? 'plain' : 'scroll',
    orient: isRow ? 'horizontal' : 'vertical',
    ...(corner.includes('e') ? { right: 24 } : { left: 56 }),
    ...(corner.includes('s') ? { bottom: 34 } : { top: 10 }),
    ...(isRow ? { width: '70%' } : { height: '60%' }),
    padding: [2, 6],
    backgroundColor: `${theme.tooltip}b3`,
    textStyle: { color: theme.text, width: isRow ? rowNamePx : namePx, overflow: 'truncate' },
    itemWidth: 10,
    itemHeight: 10,
    icon: 'roundRect',
    tooltip: { show: true },
  }
}
