import { jsonObject, text } from '../../../kibana/saved-json.ts'
import { Heatmap } from '../draw/heatmap.tsx'
import { lensVisualization } from '../model/lens.ts'
import { layerRequest } from '../model/lens-layer.ts'
import { defineDataPanel } from '../model/panel.ts'
import { paletteRamp } from '../model/ramp.ts'

/** The Lens heat map. */
export const lnsHeatmap = defineDataPanel('lnsHeatmap', ({ panel, context }) => {
  const visualization = lensVisualization(panel)
  const request = layerRequest(panel, text(visualization['layerId']) ?? '', context.objects)
  return {
    requests: request ? [request] : [],
    draw: ([table]) =>
      table && (
        <Heatmap
          label={panel.title}
          model={{
            table,
            x: text(visualization['xAccessor']),
            y: text(visualization['yAccessor']),
            value: text(visualization['valueAccessor']) ?? '',
            ramp: paletteRamp(visualization['palette']),
            legend: jsonObject(visualization['legend'])['isVisible'] !== false,
            cellLabels: jsonObject(visualization['gridConfig'])['isCellLabelVisible'] === true,
          }}
        />
      ),
  }
})
