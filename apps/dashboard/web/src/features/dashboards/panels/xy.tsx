import { jsonArray, jsonObject, number, text } from '../../../kibana/saved-json.ts'
import { Xy } from '../draw/xy.tsx'
import type { XyLayer } from '../draw/xy-option.ts'
import { type LegacyVisualization, legacyVisualization } from '../model/legacy-vis.ts'
import { defineDataPanel, type PanelKind } from '../model/panel.ts'
import type { Table } from '../model/table.ts'
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
    return {
      requests: [visualization.request],
      draw: ([table]) =>
        table && (
          <Xy
            label={panel.title}
            onZoom={context.onZoom}
            onPick={(_, cells) => {
              const filters = filtersOfRow(visualization.request, cells, Object.keys(cells))
              if (filters.length > 0) context.onFilters(filters)
            }}
            chart={{
              layers: layersOf(table, visualization, fallback),
              horizontal: kind === 'horizontal_bar',
              legend: visualization.params['addLegend'] !== false,
              range: context.range,
              marks: thresholdMarks(visualization.params),
            }}
          />
        ),
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
  const { params, request, schemas } = visualization
  const idOf = (schema: string): string | undefined => request.buckets.find(({ id }) => schemas.get(id) === schema)?.id
  const [axis = {}] = jsonArray(params['valueAxes'])
  const isPercentage = jsonObject(axis['scale'])['mode'] === 'percentage'
  return request.metrics.map(({ id }) => {
    const series =
      jsonArray(params['seriesParams']).find((entry) => jsonObject(entry['data'])['id'] === id.split('.')[0]) ?? {}
    const type = text(series['type'])
    const isStacked = (text(series['mode']) ?? 'stacked') === 'stacked'
    return {
      table,
      x: idOf('segment'),
      split: idOf('group') ?? idOf('split'),
      values: [id],
      type: type === 'histogram' ? 'bar' : type === 'line' || type === 'area' ? type : fallback,
      stack: isPercentage ? 'percentage' : isStacked ? 'stacked' : 'none',
      colors: new Map(),
    }
  })
}
