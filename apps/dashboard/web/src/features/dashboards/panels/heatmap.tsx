import { jsonArray, jsonObject, text } from '../../../kibana/saved-json.ts'
import { Heatmap } from '../draw/heatmap.tsx'
import { legacyVisualization } from '../model/legacy-vis.ts'
import { defineDataPanel } from '../model/panel.ts'
import { namedRamp } from '../model/ramp.ts'

/** The legacy heat map: segments across, groups down. */
export const heatmap = defineDataPanel('heatmap', ({ panel, context }) => {
  const { params, request, schemas } = legacyVisualization(panel, context.objects)
  const idOf = (schema: string): string | undefined => request.buckets.find(({ id }) => schemas.get(id) === schema)?.id
  const [axis = {}] = jsonArray(params['valueAxes'])
  return {
    requests: [request],
    draw: ([table]) =>
      table && (
        <Heatmap
          label={panel.title}
          model={{
            table,
            x: idOf('segment'),
            y: idOf('group') ?? idOf('split'),
            value: request.metrics[0]?.id ?? '',
            ramp: namedRamp(text(params['colorSchema']), params['invertColors'] === true),
            legend: params['addLegend'] !== false,
            cellLabels: jsonObject(axis['labels'])['show'] === true,
          }}
        />
      ),
  }
})
