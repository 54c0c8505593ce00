import { text } from '../../../kibana/saved-json.ts'
import { regionScene } from '../draw/region-scene.ts'
import { WorldMap } from '../draw/world-map.tsx'
import { lensVisualization } from '../model/lens.ts'
import { layerRequest } from '../model/lens-layer.ts'
import { boundariesNote } from '../model/map/boundaries.ts'
import { defineDataPanel } from '../model/panel.ts'
import { paletteRamp } from '../model/ramp.ts'
import { filtersOfPick } from './filter-by-cell.ts'

/** The Lens region map: countries in the colour of their value, and of the world what has values. */
export const lnsChoropleth = defineDataPanel('lnsChoropleth', ({ panel, context }) => {
  const visualization = lensVisualization(panel)
  const request = layerRequest(panel, text(visualization['layerId']) ?? '', context.objects)
  const region = text(visualization['regionAccessor']) ?? ''
  return {
    requests: request ? [request] : [],
    draw: ([table]) => {
      return (
        table &&
        request && (
          <WorldMap
            label={panel.title}
            scene={regionScene({
              table,
              region,
              value: text(visualization['valueAccessor']) ?? '',
              ramp: paletteRamp(visualization['palette']),
              filtersOf: (place) => filtersOfPick(request, table, { [region]: place }),
              view: 'data',
              notes: boundariesNote([text(visualization['emsLayerId'])]),
            })}
            onFilters={context.onFilters}
          />
        )
      )
    },
  }
})
