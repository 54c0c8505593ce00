import { type Json, jsonArray, number, text, texts } from '../../../kibana/saved-json.ts'
import { layerRequest } from './lens-layer.ts'
import type { ObjectMap } from './objects.ts'
import type { PanelModel } from './panel-model.ts'
import type { PanelRequest, Table } from './table.ts'
import type { XyMark } from './xy-mark.ts'

/** A layer of reference lines with the request for where they lie: fixed values, or numbers of the documents. */
export interface ReferenceLayer {
  readonly layer: Json
  readonly request: PanelRequest
}

/** The layers of reference lines of an XY chart. */
export function referenceLayers(visualization: Json, panel: PanelModel, objects: ObjectMap): ReferenceLayer[] {
  return jsonArray(visualization['layers']).flatMap((layer) => {
    if (layer['layerType'] !== 'referenceLine' || texts(layer['accessors']).length === 0) return []
    const request = layerRequest(panel, text(layer['layerId']) ?? '', objects)
    return request ? [{ layer, request }] : []
  })
}

/** The lines of a layer. */
export function referenceMarks(layer: Json, table: Table | undefined): XyMark[] {
  const [row] = table?.rows ?? []
  return texts(layer['accessors']).flatMap((id): XyMark[] => {
    const at = row?.[id]
    if (typeof at !== 'number') return []
    const look = jsonArray(layer['yConfig']).find(({ forAccessor }) => forAccessor === id) ?? {}
    const column = table?.columns.find((one) => one.id === id)
    const isNamed = look['textVisibility'] === true
    return [
      {
        at,
        along: look['axisMode'] === 'bottom' ? 'time' : look['axisMode'] === 'right' ? 'right' : 'value',
        label: isNamed ? (column?.label ?? '') : '',
        color: text(look['color']),
        style: look['lineStyle'] === 'dashed' || look['lineStyle'] === 'dotted' ? look['lineStyle'] : 'solid',
        width: number(look['lineWidth']) ?? 1,
        fill: look['fill'] === 'above' || look['fill'] === 'below' ? look['fill'] : undefined,
      },
    ]
  })
}
