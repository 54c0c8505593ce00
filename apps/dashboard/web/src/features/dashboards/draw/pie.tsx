import type { ECharts, EChartsCoreOption } from 'echarts/core'
import { useCallback } from 'react'
import { Chart, tooltip } from '../../../charts/chart.tsx'
import type { ChartTheme } from '../../../charts/palette.ts'
import { formatMetric } from '../../../format/format-as.ts'
import type { Table } from '../model/table.ts'
import type { LegendSide } from './legend-side.ts'
import { type SliceTree, sliceTree } from './slices.ts'

/** A pie or donut over a table: one ring for each bucket column, from the inside out. */
export interface PieChartModel {
  readonly table: Table
  readonly groups: readonly string[]
  readonly metric: string
  readonly donut: boolean
  readonly legend: boolean
  /** Where the legend stands; at the right unless told. */
  readonly legendSide?: LegendSide | undefined
  /** What stands at the slices; nothing unless told. */
  readonly labels: PieLabels | undefined
  readonly colors: ReadonlyMap<string, string>
}

/** What stands at the slices of a pie. */
export interface PieLabels {
  /** Beside the name, or in its place where a legend has the names; none for the name alone. */
  readonly number: 'percent' | 'value' | undefined
  /** Within the slices; else beside them, where there is one ring. */
  readonly isInside: boolean
  /** Whether the slices of the outermost ring alone have them. */
  readonly lastRingOnly: boolean
  /** Characters of a name that are shown. */
  readonly lengthMax: number | undefined
}

/** Draws the pie; a click on a slice picks the groups it stands for. */
export function Pie({
  model,
  label,
  onPick,
}: {
  model: PieChartModel
  label: string
  onPick: (cells: SliceTree['cells']) => void
}) {
  const option = useCallback((theme: ChartTheme) => pieOption(model, theme), [model])
  const onReady = useCallback(
    (made: ECharts) => {
      const onClick = (event: unknown): void => {
        const { data } = event as { data?: { cells?: SliceTree['cells'] } }
        if (data?.cells) onPick(data.cells)
      }
      made.on('click', onClick)
      return () => void made.off('click', onClick)
    },
    [onPick],
  )
  return <Chart option={option} label={label} onReady={onReady} />
}

/** The chart option of a pie; exported for its test. */
export function pieOption(model: PieChartModel, theme: ChartTheme): EChartsCoreOption {
  const column = model.table.columns.find(({ id }) => id === model.metric)
  const rings = ringsOf(model)
  const hole = model.donut ? (rings.length > 1 ? 26 : isBesideSlices(model) ? 36 : 46) : 0
  const isOutside = rings.length === 1 && isBesideSlices(model)
  const width = ((isOutside ? 60 : 78) - hole) / Math.max(1, rings.length)
  const longest = Math.max(0, ...rings.flat().map(({ name }) => name.length))
  const side = model.legendSide ?? 'right'
  const isBeside = side === 'left' || side === 'right'
  // Beside the legend, however narrow the panel is.
  const room = model.legend ? { [side]: isBeside ? Math.min(150, 30 + 6.5 * longest) : 28 } : {}
  return {
    legend: {
      show: model.legend,
      type: 'scroll',
      orient: isBeside ? 'vertical' : 'horizontal',
      [side]: 0,
      ...(isBeside ? { top: 'middle' } : { left: 8, right: 8 }),
      textStyle: { color: theme.text, width: 120, overflow: 'truncate' },
      itemWidth: 10,
      itemHeight: 10,
      icon: 'circle',
    },
    tooltip: tooltip(theme, {
      trigger: 'item',
      valueFormatter: (value: unknown) => formatMetric(Number(value), column?.format),
    }),
    series: rings.map((slices, depth) => ({
      type: 'pie',
      ...room,
      center: ['50%', '50%'],
      radius: [`${hole + depth * width}%`, `${hole + (depth + 1) * width}%`],
      data: slices.map((slice) => {
        const color = model.colors.get(slice.name)
        return { ...slice, ...(color ? { itemStyle: { color } } : {}) }
      }),
      label: labelOption(model, { depth, depths: rings.length }, theme),
      labelLine: { length: 8, length2: 8 },
      // A label on a thin slice would cover its neighbours.
      labelLayout: { hideOverlap: true },
      minShowLabelAngle: 18,
      itemStyle: { borderColor: theme.tooltip, borderWidth: 1 },
    })),
  }
}

/** Whether labels stand beside the slices of one ring: beside a legend there is no room for them, and it has the names. */
function isBesideSlices({ labels, legend }: PieChartModel): boolean {
  return labels !== undefined && !labels.isInside && !legend
}

function labelOption(
  model: PieChartModel,
  { depth, depths }: { readonly depth: number; readonly depths: number },
  theme: ChartTheme,
): Record<string, unknown> {
  const { labels, table, metric, legend } = model
  if (!labels || (labels.lastRingOnly && depth < depths - 1)) return { show: false }
  const isInside = depths > 1 || !isBesideSlices(model)
  const column = table.columns.find(({ id }) => id === metric)
  const { lengthMax = Number.POSITIVE_INFINITY } = labels
  const isNamed = labels.number === undefined || !legend
  const formatter = ({ name, value, percent }: { name: string; value: number; percent: number }): string => {
    const shown = name.length > lengthMax ? `${name.slice(0, lengthMax)}…` : name
    const number = labels.number === 'percent' ? `${percent}%` : formatMetric(value, column?.format)
    return [...(isNamed ? [shown] : []), ...(labels.number ? [number] : [])].join(' ')
  }
  return { show: true, position: isInside ? 'inside' : 'outside', color: isInside ? '#fff' : theme.text, formatter }
}

/** All slices of the rings, ring by ring. */
function ringsOf(model: PieChartModel): { name: string; value: number; cells: SliceTree['cells'] }[][] {
  let ring: readonly SliceTree[] = sliceTree(model.table, model.groups, model.metric)
  return model.groups.map(() => {
    const slices = ring.map(({ name, value, cells }) => ({ name, value, cells }))
    ring = ring.flatMap(({ parts }) => parts)
    return slices
  })
}
