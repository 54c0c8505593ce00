import type { EChartsCoreOption } from 'echarts/core'
import { tooltip } from '../../../charts/chart.tsx'
import type { ChartTheme } from '../../../charts/palette.ts'
import { formatMetric } from '../../../format/format-as.ts'
import type { ResolvedRange } from '../../../time/time-range.ts'
import { formatCell } from '../format-cell.ts'
import type { Cell, Column, Table } from '../model/table.ts'
import type { XyMark } from '../model/xy-mark.ts'
import type { LegendSide } from './legend-side.ts'
import { axisTitle, categoryAxis, labelWidth, timeAxis, valueAxis, type XyAxes } from './xy-axes.ts'
import { eventSeries, marksSeries } from './xy-marks.ts'

/** One layer of an XY chart over one table. */
export interface XyLayer {
  readonly table: Table
  /** Column ids; without `x` all values stand over one mark. */
  readonly x: string | undefined
  readonly split: string | undefined
  readonly values: readonly string[]
  readonly type: 'bar' | 'line' | 'area'
  readonly stack: 'none' | 'stacked' | 'percentage'
  /** Fixed colours by column id; with one that stands for the whole layer, by the empty text. */
  readonly colors: ReadonlyMap<string, string>
  /** Columns measured on a second axis, at the right. */
  readonly right?: ReadonlySet<string>
  /** Fixed colours of the values of a split, as they are shown. */
  readonly named?: ReadonlyMap<string, string>
  /** How a line goes from point to point. */
  readonly curve?: 'straight' | 'smooth' | 'steps'
  /** What stands where there is no number: nothing, a line across the gap, or zero. */
  readonly gaps?: 'open' | 'bridged' | 'zero'
  /** How much of an area is covered, 0 to 1. */
  readonly opacity?: number | undefined
  /** Whether numbers stand at their marks. */
  readonly labelled?: boolean
  /** How names of series read; the value of the split is put in place of `{{key}}`. */
  readonly label?: string
}

export interface XyChart {
  readonly layers: readonly XyLayer[]
  readonly horizontal: boolean
  /** Whether there is a legend, also of one series. */
  readonly legend: boolean
  readonly range: ResolvedRange
  /** Lines at values, and moments of note. */
  readonly marks?: readonly XyMark[]
  readonly axes?: XyAxes
  /** Where the legend stands; at the right unless told. */
  readonly legendSide?: LegendSide | undefined
}

interface Series {
  readonly name: string
  readonly layer: XyLayer
  readonly layerIndex: number
  readonly column: Column
  readonly points: ReadonlyMap<Cell, number | null>
  readonly color: string | undefined
  readonly isRight: boolean
  readonly splitKey: Cell | undefined
}

/** The layer and the groups of one point of the chart that `xyOption` describes. */
export function xyPoint(
  chart: XyChart,
  seriesIndex: number,
  dataIndex: number,
): { readonly layer: number; readonly cells: Readonly<Record<string, Cell>> } | undefined {
  const one = chart.layers.flatMap(seriesOf)[seriesIndex]
  if (!one) return undefined
  const { layer, layerIndex, splitKey } = one
  const isTime = columnOf(layer.table, layer.x)?.type === 'date'
  const key = isTime ? undefined : categoriesOf(chart.layers)[dataIndex]
  const cells = {
    ...(layer.x === undefined || key === undefined ? {} : { [layer.x]: key }),
    ...(layer.split === undefined || splitKey === undefined ? {} : { [layer.split]: splitKey }),
  }
  return { layer: layerIndex, cells }
}

/** Whether time runs from left to right: only there does a drag choose a range of it. */
export function hasTimeBelow({ layers: [first], horizontal }: XyChart): boolean {
  return !horizontal && columnOf(first?.table, first?.x)?.type === 'date'
}

/** The chart of XY layers: time on a time axis, everything else as categories. */
export function xyOption(chart: XyChart, theme: ChartTheme): EChartsCoreOption {
  const series = chart.layers.flatMap(seriesOf)
  const xColumn = columnOf(chart.layers[0]?.table, chart.layers[0]?.x)
  const isTime = xColumn?.type === 'date'
  const categories = isTime ? [] : categoriesOf(chart.layers)
  const instants = isTime ? instantsOf(series, xColumn.intervalMs) : []
  const halfMs = halfBarMs(series, xColumn)
  const isPercentage = chart.layers.some((layer) => layer.stack === 'percentage')
  const totals = isPercentage ? totalsOf(series) : new Map<Cell, number>()
  const category = isTime
    ? timeAxis(chart.range, halfMs, theme)
    : categoryAxis(categories, xColumn, chart.horizontal, theme)
  const axes = chart.axes ?? {}
  const labels = categories.map((key) => (xColumn ? formatCell(key, xColumn) : String(key)))
  const along = {
    ...axisTitle(axes.along?.title, theme, chart.horizontal ? 18 + labelWidth(labels) : 24),
    ...(axes.along?.hidesLabels ? { axisLabel: { show: false } } : {}),
  }
  const hasRight = series.some(({ isRight }) => isRight)
  const marks = chart.marks ?? []
  const value = valueAxes(chart, series, theme)
  const { grid, legend } = legendPlace(chart, chart.legend ? series.map(({ name }) => name) : undefined)
  return {
    grid,
    legend: {
      show: chart.legend,
      data: series.map(({ name }) => name),
      ...legend,
      textStyle: { color: theme.text, width: 110, overflow: 'truncate' },
      itemWidth: 10,
      itemHeight: 10,
      icon: 'roundRect',
    },
    tooltip: tooltip(theme, {
      trigger: 'axis',
      axisPointer: { type: isTime ? 'line' : 'shadow' },
    }),
    xAxis: chart.horizontal ? value : { ...category, ...along },
    yAxis: chart.horizontal ? { ...category, ...along } : value,
    series: [
      ...series.map((one) =>
        seriesOption(one, {
          isTime,
          halfMs,
          categories,
          totals,
          instants,
          horizontal: chart.horizontal,
          isLogarithmic: ({ isRight }) => (isRight ? axes.right : axes.left)?.logarithmic === true,
        }),
      ),
      ...marksSeries(marks, { horizontal: chart.horizontal, hasRight }, theme),
      ...eventSeries(marks, { horizontal: chart.horizontal, axis: hasRight ? 2 : 1 }, theme),
    ],
  }
}

function valueAxes(chart: XyChart, series: readonly Series[], theme: ChartTheme): Record<string, unknown>[] {
  const isPercentage = chart.layers.some((layer) => layer.stack === 'percentage')
  const isWhole = series.every(({ points }) =>
    [...points.values()].every((one) => one === null || Number.isInteger(one)),
  )
  const axisOf = (isRight: boolean): Record<string, unknown> => {
    const measured = series.filter((one) => one.isRight === isRight)
    const column = measured[0]?.column
    const own = (isRight ? chart.axes?.right : chart.axes?.left) ?? {}
    return valueAxis(
      own,
      { isPercentage, isWhole, column, horizontal: chart.horizontal, greatest: greatestOf(measured) },
      theme,
    )
  }
  const hasRight = series.some(({ isRight }) => isRight)
  const hasEvents = chart.marks?.some(({ detail }) => detail !== undefined)
  return [
    axisOf(false),
    ...(hasRight ? [{ ...axisOf(true), splitLine: { show: false } }] : []),
    // Events stand at the foot of the chart, whatever its values are.
    ...(hasEvents ? [{ type: 'value', min: 0, max: 1, show: false }] : []),
  ]
}

/** The greatest value of some series, stacked where they are. */
function greatestOf(series: readonly Series[]): number {
  const stacked = totalsOf(series.filter(({ layer }) => layer.stack === 'stacked')).values()
  const values = [...series.flatMap(({ points }) => [...points.values()]), ...stacked]
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0)
}

/** Where a legend stands, and the room that is left for the chart. */
function legendPlace(
  { legendSide, axes, horizontal }: XyChart,
  names: readonly string[] | undefined,
): { readonly grid: Record<string, unknown>; readonly legend: Record<string, unknown> } {
  const [beside, below] = horizontal ? [axes?.along, axes?.left] : [axes?.left, axes?.along]
  const titled = { left: beside?.title ? 26 : 8, bottom: below?.title ? 20 : 4 }
  const grid = { ...titled, right: axes?.right?.title ? 26 : 14, top: 12, containLabel: true }
  if (!names) return { grid, legend: {} }
  const width = Math.min(150, 44 + 6.5 * Math.max(0, ...names.map((name) => name.length)))
  const height = 30
  const side: LegendSide = legendSide ?? 'right'
  switch (side) {
    case 'left':
      return {
        grid: { ...grid, left: width },
        legend: { type: 'scroll', orient: 'vertical', left: 0, top: 8, bottom: 4 },
      }
    case 'top':
      return { grid: { ...grid, top: height }, legend: { type: 'scroll', top: 2, left: 8, right: 8 } }
    case 'bottom':
      return { grid: { ...grid, bottom: height }, legend: { type: 'scroll', bottom: 2, left: 8, right: 8 } }
    case 'right':
      return {
        grid: { ...grid, right: width },
        legend: { type: 'scroll', orient: 'vertical', right: 0, top: 8, bottom: 4 },
      }
  }
}

function seriesOf(layer: XyLayer, layerIndex: number): Series[] {
  const found = new Map<string, { column: Column; splitKey: Cell | undefined; points: Map<Cell, number | null> }>()
  for (const row of layer.table.rows) {
    for (const id of layer.values) {
      const column = columnOf(layer.table, id)
      if (!column) continue
      const name = seriesName(layer, column, row)
      const splitKey = layer.split === undefined ? undefined : row[layer.split]
      const entry = found.get(name) ?? { column, splitKey, points: new Map<Cell, number | null>() }
      const value = row[id]
      entry.points.set(
        layer.x === undefined ? column.label : (row[layer.x] ?? null),
        typeof value === 'number' ? value : null,
      )
      found.set(name, entry)
    }
  }
  return [...found].map(([name, { column, splitKey, points }]) => {
    const isSplit = columnOf(layer.table, layer.split) !== undefined
    const fixed = isSplit ? undefined : (layer.colors.get(column.id) ?? layer.colors.get(''))
    const color = layer.named?.get(name) ?? fixed
    return { name, layer, layerIndex, column, points, color, isRight: layer.right?.has(column.id) ?? false, splitKey }
  })
}

function seriesName(layer: XyLayer, column: Column, row: Readonly<Record<string, Cell>>): string {
  const split = columnOf(layer.table, layer.split)
  if (layer.split === undefined || split === undefined) return column.label
  const key = formatCell(row[layer.split], split)
  if (layer.label?.includes('{{key}}')) return layer.label.replaceAll('{{key}}', key)
  return layer.values.length > 1 ? `${key} - ${column.label}` : key
}

/** Bars stand over the time they count, from its start: their middle is half a bucket later. Lines beside bars would not meet them then. */
function halfBarMs(series: readonly Series[], xColumn: Column | undefined): number {
  const isBars = series.every(({ layer }) => layer.type === 'bar')
  return xColumn?.type === 'date' && isBars ? (xColumn.intervalMs ?? 0) / 2 : 0
}

interface SeriesContext {
  readonly isTime: boolean
  /** How far points are moved to the right of their instant. */
  readonly halfMs: number
  readonly categories: readonly Cell[]
  readonly totals: ReadonlyMap<Cell, number>
  readonly instants: readonly number[]
  readonly horizontal: boolean
  isLogarithmic(series: Series): boolean
}

function seriesOption(one: Series, context: SeriesContext): Record<string, unknown> {
  const { layer } = one
  const share = (key: Cell, value: number | null): number | null => {
    // A logarithm of nothing does not exist.
    if (value === null || (context.isLogarithmic(one) && value <= 0)) return null
    return layer.stack === 'percentage' ? (100 * value) / (context.totals.get(key) || 1) : value
  }
  const data = context.isTime
    ? timePoints(one, context.instants).map(([ms, value]) => timePoint(ms, share(ms, value), context))
    : context.categories.map((key) => share(key, one.points.get(key) ?? null))
  const stacked = layer.stack === 'none' ? {} : { stack: `layer-${one.layerIndex}` }
  const color = one.color ? { itemStyle: { color: one.color }, lineStyle: { color: one.color } } : {}
  const axis = one.isRight ? { [context.horizontal ? 'xAxisIndex' : 'yAxisIndex']: 1 } : {}
  const shared = { name: one.name, data, ...stacked, ...color, ...axis, ...valueLabels(one, context), ...told(one) }
  if (layer.type === 'bar')
    return { ...shared, type: 'bar', barMaxWidth: 32, barCategoryGap: context.isTime ? '10%' : '28%' }
  const area = layer.type === 'area' ? { areaStyle: { opacity: layer.opacity ?? 0.35 } } : {}
  const curve = { straight: {}, smooth: { smooth: true }, steps: { step: 'end' } }[layer.curve ?? 'straight']
  const connectNulls = layer.gaps === 'bridged'
  return { ...shared, type: 'line', showSymbol: data.length < 3, symbolSize: 5, connectNulls, ...curve, ...area }
}

/** What the tooltip says of a point: in the format of its own series. */
function told({ layer, column }: Series): Record<string, unknown> {
  const isPercentage = layer.stack === 'percentage'
  const valueFormatter = (found: unknown): string => {
    if (typeof found !== 'number') return '-'
    return isPercentage ? `${found.toFixed(1)}%` : formatMetric(found, column.format)
  }
  return { tooltip: { valueFormatter } }
}

function valueLabels({ layer, column }: Series, { isTime, horizontal }: SeriesContext): Record<string, unknown> {
  if (!layer.labelled) return {}
  const at = isTime && !horizontal ? 1 : 0
  const formatter = ({ value }: { value: unknown }): string => {
    const found = Array.isArray(value) ? value[at] : value
    return typeof found === 'number' ? formatMetric(found, column.format) : ''
  }
  const position = layer.stack === 'none' ? (horizontal ? 'right' : 'top') : 'inside'
  return { label: { show: true, formatter, position, fontSize: 10 }, labelLayout: { hideOverlap: true } }
}

/** A point by its two axes, and the instant it stands for. */
function timePoint(ms: number, value: number | null, { halfMs, horizontal }: SeriesContext): (number | null)[] {
  return horizontal ? [value, ms + halfMs, ms] : [ms + halfMs, value, ms]
}

const pointsMax = 2_000

/**
 * The instants at which time series have points. Stacking goes by position, so all series share them; search leaves empty buckets out,
 * and a line over them must fall to zero, not jump across, so gaps are filled where the interval is fixed.
 */
function instantsOf(series: readonly Series[], intervalMs: number | undefined): number[] {
  // A row without a time has no place on the axis.
  const timed = series.flatMap(({ points }) => [...points.keys()].filter((key) => key !== null))
  const known = [...new Set(timed.map(Number))].sort((a, b) => a - b)
  const first = known[0]
  const last = known.at(-1)
  if (!intervalMs || first === undefined || last === undefined) return known
  // A bar is as wide as the least distance between two: that must be the interval, also where few buckets have events.
  const isBars = series.every(({ layer }) => layer.type === 'bar')
  if (isBars) return [...new Set([...known, first + intervalMs])].sort((a, b) => a - b)
  if (intervalMs >= 86_400_000 || (last - first) / intervalMs > pointsMax) return known
  const filled = new Set(known)
  for (let ms = first; ms <= last; ms += intervalMs) filled.add(ms)
  return [...filled].sort((a, b) => a - b)
}

function timePoints(one: Series, instants: readonly number[]): [number, number | null][] {
  // A count that is not there is zero; an average of nothing is a gap.
  const isCount = [...one.points.values()].every((value) => value === null || Number.isInteger(value))
  const { gaps, stack } = one.layer
  const absent = gaps === 'zero' || stack !== 'none' || isCount ? 0 : null
  return instants.map((ms) => [ms, one.points.get(ms) ?? absent])
}

function categoriesOf(layers: readonly XyLayer[]): Cell[] {
  const keys = new Set<Cell>()
  for (const layer of layers) {
    if (layer.x === undefined) for (const id of layer.values) keys.add(columnOf(layer.table, id)?.label ?? id)
    else for (const row of layer.table.rows) keys.add(row[layer.x] ?? null)
  }
  const found = [...keys]
  return found.every((key) => typeof key === 'number') ? found.sort((a, b) => Number(a) - Number(b)) : found
}

function totalsOf(series: readonly Series[]): Map<Cell, number> {
  const totals = new Map<Cell, number>()
  for (const { points } of series)
    for (const [key, value] of points) totals.set(key, (totals.get(key) ?? 0) + (value ?? 0))
  return totals
}

function columnOf(table: Table | undefined, id: string | undefined): Column | undefined {
  return table?.columns.find((column) => column.id === id)
}
