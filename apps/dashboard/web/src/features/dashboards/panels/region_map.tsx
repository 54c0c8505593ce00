import { jsonObject, text } from '../../../kibana/saved-json.ts'
import { regionScene } from '../draw/region-scene.ts'
import { WorldMap } from '../draw/world-map.tsx'
import { legacyVisualization } from '../model/legacy-vis.ts'
import { boundariesNote } from '../model/map/boundaries.ts'
import { legacyView } from '../model/map/view.ts'
import { defineDataPanel } from '../model/panel.ts'
import { namedRamp } from '../model/ramp.ts'
import { filtersOfPick } from './filter-by-cell.ts'

/** The legacy region map: countries in the colour of their value, found by ISO code (two letters, three, digits) or English name. */
export const regionMap = defineDataPanel('region_map', ({ panel, context }) => {
  const { params, request } = legacyVisualization(panel, context.objects)
  const region = request.buckets[0]?.id ?? ''
  const layer = jsonObject(params['selectedLayer'])
  return {
    requests: [request],
    draw: ([table]) => {
      return (
        table && (
          <WorldMap
            label={panel.title}
            scene={regionScene({
              table,
              region,
              value: request.metrics[0]?.id ?? '',
              ramp: namedRamp(text(params['colorSchema']) ?? 'Yellow to Red'),
              filtersOf: (place) => filtersOfPick(request, table, { [region]: place }),
              view: legacyView(params, panel),
              notes: boundariesNote([text(layer['layerId']), text(layer['name'])]),
            })}
            onFilters={context.onFilters}
          />
        )
      )
    },
  }
})
