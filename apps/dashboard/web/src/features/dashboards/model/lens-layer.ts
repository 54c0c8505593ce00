import { lensRequest } from './lens.ts'
import { lensEsqlRequest } from './lens-esql.ts'
import type { ObjectMap } from './objects.ts'
import type { PanelModel } from './panel-model.ts'
import type { PanelRequest } from './table.ts'

/** What a layer of a Lens panel asks for, in either way of asking; undefined when it has no data (annotations). Throws what cannot be drawn, in words. */
export function layerRequest(panel: PanelModel, layerId: string, objects: ObjectMap): PanelRequest | undefined {
  return lensEsqlRequest(panel, layerId, objects) ?? lensRequest(panel, layerId, objects)
}
