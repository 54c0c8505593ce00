import { jsonObject } from '../../../kibana/saved-json.ts'
import { Pie } from '../draw/pie.tsx'
import { legacyVisualization } from '../model/legacy-vis.ts'
import { defineDataPanel } from '../model/panel.ts'
import { filtersOfRow } from './filter-by-cell.ts'

/** The legacy pie: one ring for each slice level. */
export const pie = defineDataPanel('pie', ({ panel, context }) => {
  const { params, request } = legacyVisualization(panel, context.objects)
  const labels = jsonObject(params['labels'])
  return {
    requests: [request],
    draw: ([table]) =>
      table && (
        <Pie
          label={panel.title}
          onPick={(cells) => context.onFilters(filtersOfRow(request, cells, Object.keys(cells)))}
          model={{
            table,
            groups: request.buckets.map(({ id }) => id),
            metric: request.metrics[0]?.id ?? '',
            donut: params['isDonut'] === true,
            legend: params['addLegend'] !== false && params['legendDisplay'] !== 'hide',
            labels: labels['show'] === false ? 'hidden' : 'percent',
            colors: new Map(),
          }}
        />
      ),
  }
})
