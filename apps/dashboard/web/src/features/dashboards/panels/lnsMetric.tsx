import { text } from '../../../kibana/saved-json.ts'
import { type MetricTile, MetricTiles } from '../draw/metric-tiles.tsx'
import { formatCell } from '../format-cell.ts'
import { lensVisualization } from '../model/lens.ts'
import { layerRequest } from '../model/lens-layer.ts'
import { defineDataPanel } from '../model/panel.ts'
import type { Table } from '../model/table.ts'

const tilesMax = 24

/** Lens big numbers, one tile for each value of the breakdown. */
export const lnsMetric = defineDataPanel('lnsMetric', ({ panel, context }) => {
  const visualization = lensVisualization(panel)
  const request = layerRequest(panel, text(visualization['layerId']) ?? '', context.objects)
  const ids = {
    metric: text(visualization['metricAccessor']) ?? '',
    breakdown: text(visualization['breakdownByAccessor']),
    secondary: text(visualization['secondaryMetricAccessor']),
  }
  const color = text(visualization['color'])
  const subtitle = text(visualization['subtitle'])
  return {
    requests: request ? [request] : [],
    draw: ([table]) => <MetricTiles tiles={table ? tilesOf(table, ids, { color, subtitle }) : []} />,
  }
})

function tilesOf(
  table: Table,
  ids: { metric: string; breakdown: string | undefined; secondary: string | undefined },
  look: { color: string | undefined; subtitle: string | undefined },
): MetricTile[] {
  const columnOf = (id: string | undefined) => table.columns.find((column) => column.id === id)
  const metric = columnOf(ids.metric)
  const breakdown = columnOf(ids.breakdown)
  const secondary = columnOf(ids.secondary)
  if (!metric) return []
  return table.rows.slice(0, tilesMax).map((row) => ({
    label: breakdown ? formatCell(row[breakdown.id], breakdown) : metric.label,
    value: formatCell(row[metric.id], metric),
    subtitle: secondary ? `${secondary.label} ${formatCell(row[secondary.id], secondary)}` : look.subtitle,
    color: look.color,
  }))
}
