import { boundsAt } from '../../../../geo/mercator.ts'
import type { Bounds } from '../../../../geo/world.ts'
import { type Json, jsonObject, number } from '../../../../kibana/saved-json.ts'
import type { PanelModel } from '../panel-model.ts'

/** Where people live: without the ice of the south. */
export const inhabited: Bounds = [-170, -56, 180, 78]

// A column and a row of the grid on a page of the usual width, with its gaps.
const columnPx = 29
const rowPx = 28

/** A saved centre and zoom. */
export interface SavedView {
  readonly lat: number
  readonly lon: number
  readonly zoom: number
  /** How wide the world is at zoom 0. */
  readonly worldPx: number
}

/** What a panel shows of a saved view, in degrees. Of more than half the world, all of it: the panel may be smaller than the page it was made for. */
export function boundsOfView(view: SavedView, { place }: Pick<PanelModel, 'place'>): Bounds {
  const box = { width: place.w * columnPx, height: place.h * rowPx }
  const bounds = boundsAt([view.lon, view.lat], view.zoom, box, view.worldPx)
  return bounds[2] - bounds[0] > 180 ? inhabited : bounds
}

/** The zoom of a legacy map. */
export function legacyZoom(params: Json, panel: PanelModel): number {
  return (
    holdersOf(params, panel)
      .map(({ mapZoom }) => number(mapZoom))
      .find((zoom) => zoom !== undefined) ?? 2
  )
}

function holdersOf(params: Json, panel: PanelModel): Json[] {
  const saved = jsonObject(panel.attributes['savedVis'])
  return [panel.config, jsonObject(panel.attributes['uiStateJSON'] ?? saved['uiState']), params]
}

/** The view of a legacy map: of its panel, its state or its parameters, with tiles of 256 pixels. */
export function legacyView(params: Json, panel: PanelModel): Bounds {
  const center = holdersOf(params, panel)
    .map(({ mapCenter }) => mapCenter)
    .find(Array.isArray) as unknown[] | undefined
  const [lat, lon] = [number(center?.[0]) ?? 0, number(center?.[1]) ?? 0]
  return boundsOfView({ lat, lon, zoom: legacyZoom(params, panel), worldPx: 256 }, panel)
}

/** What a Kibana map shows at first, and the zoom that says how fine its grids are. Its tiles have 512 pixels. */
export function savedMapView(panel: PanelModel): { readonly bounds: Bounds | 'data'; readonly zoom: number } {
  const state = jsonObject(panel.attributes['mapStateJSON'])
  const settings = jsonObject(state['settings'])
  const fixed = settings['initialLocation'] === 'FIXED_LOCATION' ? jsonObject(settings['fixedLocation']) : {}
  const own = jsonObject(panel.config['mapCenter'])
  const saved: Json = { ...jsonObject(state['center']), zoom: state['zoom'] }
  const [view = {}] = [own, fixed, saved].filter(({ zoom }) => number(zoom) !== undefined)
  const zoom = number(view['zoom']) ?? 1
  const isFitted = settings['autoFitToDataBounds'] === true || settings['initialLocation'] === 'AUTO_FIT_TO_BOUNDS'
  const [lat, lon] = [number(view['lat']) ?? 0, number(view['lon']) ?? 0]
  return { bounds: isFitted ? 'data' : boundsOfView({ lat, lon, zoom, worldPx: 512 }, panel), zoom }
}
