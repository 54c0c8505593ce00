import { type Json, jsonObject } from '../../../kibana/saved-json.ts'
import { type MetricTile, MetricTiles } from '../draw/metric-tiles.tsx'
import { colorRanges } from '../draw/ramp.ts'
import { formatCell } from '../format-cell.ts'
import { legacyVisualization } from '../model/legacy-vis.ts'
import { defineDataPanel } from '../model/panel.ts'
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
  return table.rows.flatMap((row) => {
    const group = buckets.map((bucket) => formatCell(row[bucket.id], bucket)).join(' · ')
    return metrics.map((column) => {
      const value = row[column.id] ?? null
      const color = typeof value === 'number' ? rangeColor(look, value) : undefined
      return {
        label: group === '' ? column.label : `${group} · ${column.label}`,
        value: formatCell(value, column),
        color,
        colorMode: look['metricColorMode'] === 'Background' ? ('background' as const) : ('text' as const),
      }
    })
  })
}

function rangeColor(look: Json, value: number): string | undefined {
  if (look['metricColorMode'] === undefined || look['metricColorMode'] === 'None') return undefined
  return colorRanges(look).find(({ from, to }) => value >= from && value < to)?.color
}
