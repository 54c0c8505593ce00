import type { ChartTheme } from '../../../charts/palette.ts'
import { formatCompact } from '../../../format/format.ts'
import { formatMetric } from '../../../format/format-as.ts'
import { formatInstant, type ResolvedRange } from '../../../time/time-range.ts'
import { formatCell } from '../format-cell.ts'
import type { Cell, Column } from '../model/table.ts'

/** What an author set of one axis of values. */
export interface XyAxis {
  readonly title?: string | undefined
  /** A scale for values that differ by powers of ten. */
  readonly logarithmic?: boolean | undefined
  readonly min?: number | undefined
  readonly max?: number | undefined
  /** Whether the scale reaches from the least to the greatest value, whether or not zero lies between. */
  readonly fitsData?: boolean | undefined
  readonly hidesLabels?: boolean | undefined
  readonly hidesGrid?: boolean | undefined
}

/** The axes of values on both sides, and what stands along the other one. */
export interface XyAxes {
  readonly left?: XyAxis
  readonly right?: XyAxis
  readonly along?: Pick<XyAxis, 'title' | 'hidesLabels'>
}

/** The axis of time at the bottom of a chart; its points are moved by so many milliseconds. */
export function timeAxis(range: ResolvedRange, halfMs: number, theme: ChartTheme): Record<string, unknown> {
  return {
    type: 'time',
    // Else the axis grows beyond the range to hold whole bars.
    containShape: false,
    min: range.fromMs,
    max: range.toMs,
    axisLine: { lineStyle: { color: theme.line } },
    axisLabel: { color: theme.text, hideOverlap: true },
    splitLine: { show: false },
    // The head of the tooltip: the start of what a bar counts.
    axisPointer: {
      label: { formatter: ({ value }: { value: unknown }) => formatInstant(Number(value) - halfMs).slice(0, 19) },
    },
  }
}

/** The axis of a chart's groups. */
export function categoryAxis(
  categories: readonly Cell[],
  column: Column | undefined,
  horizontal: boolean,
  theme: ChartTheme,
): Record<string, unknown> {
  return {
    type: 'category',
    data: categories.map((key) => (column ? formatCell(key, column) : String(key))),
    // The first category belongs at the top of a horizontal chart.
    inverse: horizontal,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: theme.line } },
    axisLabel: { color: theme.text, hideOverlap: !horizontal, width: 140, overflow: 'truncate' },
  }
}

/** An axis of values. */
export function valueAxis(
  own: XyAxis,
  shape: {
    readonly isPercentage: boolean
    readonly isWhole: boolean
    readonly column: Column | undefined
    readonly horizontal: boolean
    /** The greatest value that stands along it, about. */
    readonly greatest: number
  },
  theme: ChartTheme,
): Record<string, unknown> {
  const { isPercentage, isWhole, column, horizontal, greatest } = shape
  const isPlain = column?.format === undefined
  const format = (value: number): string => (isPlain ? formatCompact(value) : formatMetric(value, column?.format))
  return {
    type: own.logarithmic ? 'log' : 'value',
    ...(isPercentage ? { max: 100 } : {}),
    ...(own.min === undefined ? {} : { min: own.min }),
    ...(own.max === undefined ? {} : { max: own.max }),
    ...(own.fitsData ? { scale: true } : {}),
    ...(isWhole ? { minInterval: 1 } : {}),
    ...axisTitle(own.title, theme, horizontal ? 24 : 18 + labelWidth([isPercentage ? '100%' : format(greatest)])),
    splitNumber: 4,
    axisLabel: {
      show: own.hidesLabels !== true,
      color: theme.text,
      formatter: isPercentage ? '{value}%' : format,
    },
    splitLine: { show: own.hidesGrid !== true, lineStyle: { color: theme.split } },
  }
}

/** About how many pixels the longest of the labels of an axis takes. */
export function labelWidth(labels: readonly string[]): number {
  return Math.min(140, 6.8 * Math.max(0, ...labels.map((label) => label.length)))
}

/** The title of an axis, in its middle, so many pixels from the axis. */
export function axisTitle(title: string | undefined, theme: ChartTheme, nameGap: number): Record<string, unknown> {
  if (!title) return {}
  return { name: title, nameLocation: 'middle', nameGap, nameTextStyle: { color: theme.text, fontSize: 11 } }
}
