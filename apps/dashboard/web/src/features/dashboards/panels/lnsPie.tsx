import { Pie } from '../draw/pie.tsx'
import { lensRequest, lensVisualization } from '../model/lens.ts'
import { jsonArray, text, texts } from '../model/saved-json.ts'
import { defineDataPanel } from './panel.ts'

/** Lens pies and donuts; other shapes of the same kind are drawn as a pie. */
export const lnsPie = defineDataPanel('lnsPie', ({ panel, context }) => {
  const visualization = lensVisualization(panel)
  const [layer = {}] = jsonArray(visualization['layers'])
  const request = lensRequest(panel, text(layer['layerId']) ?? '', context.objects)
  // Before 8.4 the slices were `groups` and the size was `metric`.
  const groups = texts(layer['primaryGroups'] ?? layer['groups'])
  const metric = texts(layer['metrics'])[0] ?? text(layer['metric']) ?? ''
  const display = layer['numberDisplay']
  return {
    requests: request ? [request] : [],
    draw: ([table]) =>
      table && (
        <Pie
          label={panel.title}
          model={{
            table,
            groups,
            metric,
            donut: visualization['shape'] === 'donut',
            legend: layer['legendDisplay'] !== 'hide',
            labels: display === 'hidden' || display === 'value' ? display : 'percent',
            colors: new Map(),
          }}
        />
      ),
  }
})
