import { jsonObject } from '../../../kibana/saved-json.ts'
import { legendSideOf } from '../draw/legend-side.ts'
import { Pie } from '../draw/pie.tsx'
import { SplitCharts } from '../draw/split-charts.tsx'
import { legacyVisualization } from '../model/legacy-vis.ts'
import { defineDataPanel } from '../model/panel.ts'
import type { Cell, Table } from '../model/table.ts'
import { uiColors } from '../model/ui-colors.ts'
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
    legend: params['addLegend'] !== false && params['legendDisplay'] !== 'hide',
    legendSide: legendSideOf(params['legendPosition']),
    labels: labels['show'] === false ? ('hidden' as const) : ('percent' as const),
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
