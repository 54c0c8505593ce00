import { layerScene } from '../draw/layer-scene.ts'
import { WorldMap } from '../draw/world-map.tsx'
import { mapLayers } from '../model/map/layers.ts'
import { savedMapView } from '../model/map/view.ts'
import { defineDataPanel } from '../model/panel.ts'

/** Kibana's map: its layers of clusters, heat, cells, documents, lines and joined countries above the land. */
export const map = defineDataPanel('map', ({ panel, context }) => {
  const { bounds, zoom } = savedMapView(panel)
  const { layers, notes } = mapLayers(panel, context.objects, zoom)
  return {
    requests: layers.map(({ request }) => request),
    drawsEmpty: true,
    draw: (tables) => (
      <WorldMap
        label={panel.title}
        scene={layerScene(layers, tables, { view: bounds, notes })}
        onFilters={context.onFilters}
      />
    ),
  }
})
