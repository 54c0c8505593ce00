import { type Json, text } from '../../../kibana/saved-json.ts'
import { type MetricTile, MetricTiles } from '../draw/metric-tiles.tsx'
import { formatCell } from '../format-cell.ts'
import { lensVisualization } from '../model/lens.ts'
import { layerRequest } from '../model/lens-layer.ts'
import { paletteColor } from '../model/palette-color.ts'
import { defineDataPanel } from '../model/panel.ts'
import type { Cell, Table } from '../model/table.ts'

const tilesMax = 24
const trendPointsMax = 2_000

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
  const trendLayer = text(visualization['trendlineLayerId'])
  const trend = trendLayer === undefined ? undefined : layerRequest(panel, trendLayer, context.objects)
  return {
    requests: request ? [request, ...(trend ? [trend] : [])] : [],
    draw: ([table, along]) => {
      const trends = along && trendsOf(along, visualization)
      return <MetricTiles tiles={table ? tilesOf(table, ids, visualization, trends) : []} />
    },
  }
})

interface Accessors {
  readonly metric: string
  readonly breakdown: string | undefined
  readonly secondary: string | undefined
  readonly max: string | undefined
}

/** The numbers along time of each value of the breakdown; of the whole without one. */
type Trends = ReadonlyMap<Cell, readonly (number | null)[]>

function trendsOf(table: Table, visualization: Json): Trends {
  const time = text(visualization['trendlineTimeAccessor']) ?? ''
  const metric = text(visualization['trendlineMetricAccessor']) ?? ''
  const breakdown = text(visualization['trendlineBreakdownByAccessor'])
  const { rows } = table
  const instants = instantsOf(
    rows.map((row) => Number(row[time])),
    table.columns.find(({ id }) => id === time)?.intervalMs,
  )
  const found = new Map<Cell, Map<number, number | null>>()
  for (const row of rows) {
    const key = breakdown === undefined ? null : (row[breakdown] ?? null)
    const points = found.get(key) ?? new Map<number, number | null>()
    found.set(key, points.set(Number(row[time]), numberIn(row[metric]) ?? null))
  }
  return new Map([...found].map(([key, points]) => [key, instants.map((instant) => points.get(instant) ?? null)]))
}

/** All instants from the first to the last: search leaves empty buckets out. */
function instantsOf(known: readonly number[], intervalMs: number | undefined): number[] {
  const sorted = [...new Set(known)].sort((left, right) => left - right)
  const [first = 0, last = first] = [sorted[0], sorted.at(-1)]
  if (!intervalMs || (last - first) / intervalMs > trendPointsMax) return sorted
  return Array.from({ length: 1 + Math.round((last - first) / intervalMs) }, (_, at) => first + at * intervalMs)
}

function tilesOf(table: Table, ids: Accessors, visualization: Json, trends: Trends | undefined): MetricTile[] {
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
      subtitle: text(visualization['subtitle']),
      trend: trends?.get(breakdown ? (row[breakdown.id] ?? null) : null),
      secondary: secondary ? `${before} ${formatCell(row[secondary.id], secondary)}`.trim() : undefined,
      // With a bar towards what is to be reached the colour is the bar's; since Kibana 9 it may be the number's.
      colorMode: max || visualization['applyColorTo'] === 'value' ? ('text' as const) : ('background' as const),
      color: (visualization['palette'] ? byValue : undefined) ?? text(visualization['color']),
      ...(max && value !== undefined ? { share: Math.max(0, Math.min(1, value / max)) } : {}),
    }
  })
}

function numberIn(cell: Cell | undefined): number | undefined {
  return typeof cell === 'number' ? cell : undefined
}
