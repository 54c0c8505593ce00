import { layerScene } from '../draw/layer-scene.ts'
import { WorldMap } from '../draw/world-map.tsx'
import { legacyVisualization } from '../model/legacy-vis.ts'
import type { MapLayer } from '../model/map/layers.ts'
import { layerStyle } from '../model/map/style.ts'
import { legacyView, legacyZoom } from '../model/map/view.ts'
import { defineDataPanel } from '../model/panel.ts'
import type { TableRequest } from '../model/table.ts'

/** The legacy coordinate map: circles, cells or heat by the number of each cell of a grid. */
export const tileMap = defineDataPanel('tile_map', ({ panel, context }) => {
  const { params, request } = legacyVisualization(panel, context.objects)
  const layer = layerOf(request, String(params['mapType'] ?? ''), legacyZoom(params, panel))
  return {
    requests: layer ? [layer.request] : [],
    drawsEmpty: true,
    draw: (tables) => (
      <WorldMap
        label={panel.title}
        scene={layerScene(layer ? [layer] : [], tables, { view: legacyView(params, panel), notes: [] })}
        onFilters={context.onFilters}
      />
    ),
  }
})

/** A coordinate map as a layer of a map; undefined for one without a grid. */
function layerOf(request: TableRequest, type: string, zoom: number): MapLayer | undefined {
  const [grid] = request.buckets
  const [metric] = request.metrics
  if (grid?.type !== 'geo_grid' || !metric) return undefined
  const precision = Math.max(2, Math.min(7, Math.ceil(zoom / 2) + 1))
  const shape = type === 'Heatmap' ? 'heat' : type.endsWith('Grid') ? 'cells' : 'points'
  const byValue = { field: { name: metric.id }, color: 'Yellow to Red', minSize: 4, maxSize: 22 }
  const scaled = type === 'Scaled Circle Markers' ? { iconSize: { type: 'DYNAMIC', options: byValue } } : {}
  const properties = { fillColor: { type: 'DYNAMIC', options: byValue }, ...scaled }
  return {
    label: '',
    shape,
    request: {
      ...request,
      buckets: [{ ...grid, precision }],
      metrics: [metric, { id: 'centroid', label: grid.field, type: 'geo_centroid', field: grid.field }],
    },
    style: layerStyle({ style: { properties }, alpha: 0.8 }, (name) => name),
    told: [metric.id],
    place: shape === 'cells' ? grid.id : 'centroid',
  }
}
