import { type Json, jsonObject, number } from '../../../kibana/saved-json.ts'
import { legendSideOf } from '../draw/legend-side.ts'
import { Pie, type PieLabels } from '../draw/pie.tsx'
import { SplitCharts } from '../draw/split-charts.tsx'
import { legacyVisualization } from '../model/legacy-vis.ts'
import { defineDataPanel } from '../model/panel.ts'
import type { Cell, Table } from '../model/table.ts'
import { hidesLegend, uiColors } from '../model/ui-state.ts'
import { filtersOfRow } from './filter-by-cell.ts'

/** The legacy pie: one ring for each slice level; with a split, one pie for each of its values. */
export const pie = defineDataPanel('pie', ({ panel, context }) => {
  const { params, request, schemas, values, splitsRows } = legacyVisualization(panel, context.objects)
  const labels = jsonObject(params['labels'])
  const isSplit = ({ id }: { id: string }): boolean => schemas.get(id) === 'split'
  const split = request.buckets.find(isSplit)?.id
  const look = {
    groups: request.buckets.filter((bucket) => !isSplit(bucket)).map(({ id }) => id),
    metric: values[0] ?? '',
    donut: params['isDonut'] === true,
    legend: params['addLegend'] !== false && params['legendDisplay'] !== 'hide' && !hidesLegend(panel),
    legendSide: legendSideOf(params['legendPosition']),
    labels: labelsOf(labels),
    colors: uiColors(panel),
  }
  const drawn = (table: Table, above: Readonly<Record<string, Cell>>, label: string) => (
    <Pie
      label={label}
      onPick={(slice) => {
        const cells = { ...above, ...slice }
        context.onFilters(filtersOfRow(request, cells, Object.keys(cells)))
      }}
      model={{ table, ...look }}
    />
  )
  return {
    requests: [request],
    draw: ([table]) => {
      if (!table) return null
      return split === undefined ? (
        drawn(table, {}, panel.title)
      ) : (
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

/** Names of slices with their share or number, as Kibana writes them: before 8.0 there was neither a place nor a number to choose. */
function labelsOf(saved: Json): PieLabels | undefined {
  if (saved['show'] === false) return undefined
  const isValue = saved['valuesFormat'] === 'value'
  return {
    number: saved['values'] === false ? undefined : isValue ? 'value' : 'percent',
    isInside: saved['position'] === 'inside',
    lastRingOnly: saved['last_level'] !== false,
    lengthMax: number(saved['truncate']),
  }
}
