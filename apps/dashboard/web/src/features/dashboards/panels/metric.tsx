import { type MetricTile, MetricTiles } from '../draw/metric-tiles.tsx'
import { formatCell } from '../format-cell.ts'
import { legacyVisualization } from '../model/legacy-vis.ts'
import { type Json, jsonArray, jsonObject, number } from '../model/saved-json.ts'
import type { Table } from '../model/table.ts'
import { defineDataPanel } from './panel.ts'

// The ramp behind the saved name “Green to Red”; exports hold names only.
const ramp = ['#4ea674', '#b7a22e', '#e08e2b', '#c75a72']

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
  const ranges = jsonArray(look['colorsRange'])
  const at = ranges.findIndex(
    ({ from, to }) => value >= (number(from) ?? 0) && value < (number(to) ?? Number.MAX_VALUE),
  )
  if (at < 0) return undefined
  const step = ranges.length > 1 ? Math.round((at * (ramp.length - 1)) / (ranges.length - 1)) : 0
  return ramp[look['invertColors'] === true ? ramp.length - 1 - step : step]
}
