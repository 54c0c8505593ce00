import { type Json, jsonArray, jsonObject, number, text } from '../../../kibana/saved-json.ts'
import { legendSideOf } from '../draw/legend-side.ts'
import { SplitCharts } from '../draw/split-charts.tsx'
import { Xy } from '../draw/xy.tsx'
import type { XyAxes, XyAxis } from '../draw/xy-axes.ts'
import type { XyLayer } from '../draw/xy-option.ts'
import { type LegacyVisualization, legacyVisualization } from '../model/legacy-vis.ts'
import { defineDataPanel, type PanelKind } from '../model/panel.ts'
import type { Cell, Table } from '../model/table.ts'
import { hidesLegend, uiColors } from '../model/ui-state.ts'
import type { XyMark } from '../model/xy-mark.ts'
import { filtersOfRow } from './filter-by-cell.ts'

/** Legacy area, line and bar charts: they differ only in what a series looks like when it does not say so itself. */
export const area = xyPanel('area', 'area')
export const line = xyPanel('line', 'line')
export const histogram = xyPanel('histogram', 'bar')
export const horizontalBar = xyPanel('horizontal_bar', 'bar')

function xyPanel(kind: string, fallback: XyLayer['type']): PanelKind {
  return defineDataPanel(kind, ({ panel, context }) => {
    const visualization = legacyVisualization(panel, context.objects)
    const { params, request, schemas, splitsRows } = visualization
    const split = request.buckets.find(({ id }) => schemas.get(id) === 'split')?.id
    const colors = uiColors(panel)
    const drawn = (table: Table, above: Readonly<Record<string, Cell>>, label: string) => (
      <Xy
        label={label}
        onZoom={context.onZoom}
        onPick={(_, picked) => {
          const cells = { ...above, ...picked }
          const filters = filtersOfRow(request, cells, Object.keys(cells))
          if (filters.length > 0) context.onFilters(filters)
        }}
        chart={{
          layers: layersOf(table, visualization, fallback).map((layer) => ({ ...layer, named: colors })),
          horizontal: kind === 'horizontal_bar',
          legend: params['addLegend'] !== false && !hidesLegend(panel),
          legendSide: legendSideOf(params['legendPosition']),
          range: context.range,
          axes: legacyAxes(visualization, table),
          marks: thresholdMarks(params),
        }}
      />
    )
    return {
      requests: [request],
      draw: ([table]) => {
        if (!table) return null
        if (split === undefined) return drawn(table, {}, panel.title)
        return (
          <SplitCharts
            table={table}
            split={split}
            rows={splitsRows}
            draw={(part, above, heading) => drawn(part, above, `${panel.title} ${heading}`)}
          />
        )
      },
    }
  })
}

function thresholdMarks(params: LegacyVisualization['params']): XyMark[] {
  const threshold = jsonObject(params['thresholdLine'])
  const at = number(threshold['value'])
  if (threshold['show'] !== true || at === undefined) return []
  const style = { full: 'solid', dashed: 'dashed', 'dot-dashed': 'dotted' } as const
  const found = style[(text(threshold['style']) ?? 'full') as keyof typeof style] ?? 'solid'
  const color = text(threshold['color'])
  return [{ at, along: 'value', label: '', color, style: found, width: number(threshold['width']) ?? 1 }]
}

function layersOf(table: Table, visualization: LegacyVisualization, fallback: XyLayer['type']): XyLayer[] {
  const { params, request, schemas, values } = visualization
  const idOf = (schema: string): string | undefined => request.buckets.find(({ id }) => schemas.get(id) === schema)?.id
  const axes = jsonArray(params['valueAxes'])
  return values.map((id) => {
    const series =
      jsonArray(params['seriesParams']).find((entry) => jsonObject(entry['data'])['id'] === id.split('.')[0]) ?? {}
    const type = text(series['type'])
    const axis = axes.find((one) => one['id'] === series['valueAxis']) ?? axes[0] ?? {}
    const isPercentage = jsonObject(axis['scale'])['mode'] === 'percentage'
    const isStacked = (text(series['mode']) ?? text(params['mode']) ?? 'stacked') === 'stacked'
    return {
      table,
      x: idOf('segment'),
      split: idOf('group'),
      values: [id],
      type: type === 'histogram' ? 'bar' : type === 'line' || type === 'area' ? type : fallback,
      stack: isPercentage ? 'percentage' : isStacked ? 'stacked' : 'none',
      colors: new Map(),
      right: new Set(isSecond(axis) ? [id] : []),
    }
  })
}

/** Whether an axis lies at the right, or above a chart that lies on its side. */
function isSecond(axis: Json): boolean {
  return axis['position'] === 'right' || axis['position'] === 'top'
}

/** Scales, limits and titles of the axes, the first of each side; one without a title has that of what is measured along it. */
function legacyAxes({ params, request, schemas, values }: LegacyVisualization, table: Table): XyAxes {
  const axes = jsonArray(params['valueAxes'])
  const labelOf = (id: string | undefined): string | undefined =>
    table.columns.find((column) => column.id === id)?.label
  const measured = (axis: Json): string | undefined => {
    const of = jsonArray(params['seriesParams']).filter((series) => series['valueAxis'] === axis['id'])
    const ids = of.map((series) => jsonObject(series['data'])['id'])
    return labelOf(values.find((id) => ids.includes(id.split('.')[0])) ?? (ids.length === 0 ? values[0] : undefined))
  }
  const [category = {}] = jsonArray(params['categoryAxes'])
  const along = labelOf(request.buckets.find(({ id }) => schemas.get(id) === 'segment')?.id)
  const read = (axis: Json | undefined): XyAxis => {
    if (!axis) return {}
    const scale = jsonObject(axis['scale'])
    const limits = scale['setYExtents'] === true ? { min: number(scale['min']), max: number(scale['max']) } : {}
    return {
      title: axis['show'] === false ? undefined : text(jsonObject(axis['title'])['text']) || measured(axis),
      logarithmic: scale['type'] === 'log',
      ...limits,
      fitsData: scale['defaultYExtents'] === true,
    }
  }
  return {
    // Kibana 5 and older saved no axes.
    left: read(axes.length === 0 ? {} : axes.find((axis) => !isSecond(axis))),
    right: read(axes.find(isSecond)),
    along: { title: category['show'] === false ? undefined : text(jsonObject(category['title'])['text']) || along },
  }
}
