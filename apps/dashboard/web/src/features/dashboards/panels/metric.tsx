import { type Json, jsonObject, text } from '../../../kibana/saved-json.ts'
import { type MetricTile, MetricTiles } from '../draw/metric-tiles.tsx'
import { formatCell } from '../format-cell.ts'
import { legacyVisualization } from '../model/legacy-vis.ts'
import { defineDataPanel } from '../model/panel.ts'
import { colorRanges, inPercent } from '../model/ramp.ts'
import type { Table } from '../model/table.ts'

/** The legacy big number: one tile for each metric and group. */
export const metric = defineDataPanel('metric', ({ panel, context }) => {
  const { params, request } = legacyVisualization(panel, context.objects)
  return {
    requests: [request],
    draw: ([table]) => <MetricTiles tiles={table ? tilesOf(table, jsonObject(params['metric'])) : []} />,
  }
})

function tilesOf(table: Table, look: Json): MetricTile[] {
  const metrics = table.columns.filter(({ role }) => role === 'metric')
  const buckets = table.columns.filter(({ role }) => role === 'bucket')
  const hidesLabels = jsonObject(look['labels'])['show'] === false
  const subtitle = text(jsonObject(look['style'])['subText'])
  return table.rows.flatMap((row) => {
    const group = buckets.map((bucket) => formatCell(row[bucket.id], bucket)).join(' · ')
    return metrics.map((column) => {
      const value = row[column.id] ?? null
      const shown = typeof value === 'number' ? inPercent(value, look) : undefined
      const name = group === '' ? column.label : `${group} - ${column.label}`
      return {
        id: name,
        label: hidesLabels ? '' : name,
        value: shown ?? formatCell(value, column),
        color: typeof value === 'number' ? rangeColor(look, value) : undefined,
        colorMode: look['metricColorMode'] === 'Background' ? ('background' as const) : ('text' as const),
        subtitle: subtitle || undefined,
      }
    })
  })
}

function rangeColor(look: Json, value: number): string | undefined {
  if (look['metricColorMode'] === undefined || look['metricColorMode'] === 'None') return undefined
  return colorRanges(look).find(({ from, to }) => value >= from && value < to)?.color
}
