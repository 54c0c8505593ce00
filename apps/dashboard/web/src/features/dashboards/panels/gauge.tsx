import { type Json, jsonObject, text } from '../../../kibana/saved-json.ts'
import { type GaugeModel, Gauges } from '../draw/gauge.tsx'
import { formatCell } from '../format-cell.ts'
import { legacyVisualization } from '../model/legacy-vis.ts'
import { defineDataPanel, type PanelKind } from '../model/panel.ts'
import { colorRanges, inPercent } from '../model/ramp.ts'
import type { Table } from '../model/table.ts'

const gaugesMax = 12

/** Legacy gauges and goals: one for each metric and group. A goal is a gauge whose scale ends at what is to be reached. */
export const gauge = gaugePanel('gauge')
export const goal = gaugePanel('goal')

function gaugePanel(kind: string): PanelKind {
  return defineDataPanel(kind, ({ panel, context }) => {
    const { params, request } = legacyVisualization(panel, context.objects)
    const look = jsonObject(params['gauge'])
    return {
      requests: [request],
      draw: ([table]) => <Gauges gauges={table ? gaugesOf(table, look) : []} />,
    }
  })
}

function gaugesOf(table: Table, look: Json): GaugeModel[] {
  const ranges = colorRanges(look)
  const below = text(jsonObject(look['style'])['subText'])
  const metrics = table.columns.filter(({ role }) => role === 'metric')
  const buckets = table.columns.filter(({ role }) => role === 'bucket')
  return table.rows
    .flatMap((row) => {
      const group = buckets.map((bucket) => formatCell(row[bucket.id], bucket)).join(' · ')
      return metrics.map((column) => {
        const value = Number(row[column.id] ?? 0)
        return {
          label: [group, column.label, below].filter(Boolean).join(' · '),
          value,
          text: inPercent(value, look) ?? formatCell(row[column.id], column),
          min: ranges[0]?.from ?? 0,
          // A value beyond the last range widens the scale rather than standing still at its end.
          max: Math.max(ranges.at(-1)?.to ?? 100, value),
          ranges,
        }
      })
    })
    .slice(0, gaugesMax)
}
