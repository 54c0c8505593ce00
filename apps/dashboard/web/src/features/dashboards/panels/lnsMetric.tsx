import { type Json, text } from '../../../kibana/saved-json.ts'
import { type MetricTile, MetricTiles } from '../draw/metric-tiles.tsx'
import { formatCell } from '../format-cell.ts'
import { lensVisualization } from '../model/lens.ts'
import { layerRequest } from '../model/lens-layer.ts'
import { paletteColor } from '../model/palette-color.ts'
import { defineDataPanel } from '../model/panel.ts'
import type { Cell, Table } from '../model/table.ts'

const tilesMax = 24

/** Lens big numbers, one tile for each value of the breakdown. */
export const lnsMetric = defineDataPanel('lnsMetric', ({ panel, context }) => {
  const visualization = lensVisualization(panel)
  const request = layerRequest(panel, text(visualization['layerId']) ?? '', context.objects)
  const ids = {
    metric: text(visualization['metricAccessor']) ?? '',
    breakdown: text(visualization['breakdownByAccessor']),
    secondary: text(visualization['secondaryMetricAccessor']),
    max: text(visualization['maxAccessor']),
  }
  return {
    requests: request ? [request] : [],
    draw: ([table]) => <MetricTiles tiles={table ? tilesOf(table, ids, visualization) : []} />,
  }
})

interface Accessors {
  readonly metric: string
  readonly breakdown: string | undefined
  readonly secondary: string | undefined
  readonly max: string | undefined
}

function tilesOf(table: Table, ids: Accessors, visualization: Json): MetricTile[] {
  const columnOf = (id: string | undefined) => table.columns.find((column) => column.id === id)
  const metric = columnOf(ids.metric)
  const breakdown = columnOf(ids.breakdown)
  const secondary = columnOf(ids.secondary)
  if (!metric) return []
  const greatest = table.rows.reduce((most, row) => Math.max(most, numberIn(row[metric.id]) ?? 0), 0)
  const before = text(visualization['secondaryPrefix']) ?? secondary?.label ?? ''
  return table.rows.slice(0, tilesMax).map((row) => {
    const value = numberIn(row[metric.id])
    const max = numberIn(row[ids.max ?? ''])
    const span = { min: 0, max: max ?? greatest }
    const byValue = value === undefined ? undefined : paletteColor(visualization['palette'], value, span)
    return {
      label: breakdown ? formatCell(row[breakdown.id], breakdown) : metric.label,
      value: formatCell(row[metric.id], metric),
      subtitle: secondary
        ? `${before} ${formatCell(row[secondary.id], secondary)}`.trim()
        : text(visualization['subtitle']),
      color: (visualization['palette'] ? byValue : undefined) ?? text(visualization['color']),
      ...(max && value !== undefined ? { share: Math.max(0, Math.min(1, value / max)) } : {}),
    }
  })
}

function numberIn(cell: Cell | undefined): number | undefined {
  return typeof cell === 'number' ? cell : undefined
}
