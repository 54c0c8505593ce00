import { type Json, jsonArray, jsonObject, number, text } from '../../../../kibana/saved-json.ts'

/** One property of a layer's style: the same for all, or by the value of a column. */
export interface StyleProperty {
  /** The column it follows; undefined for a fixed one. */
  readonly column: string | undefined
  readonly options: Json
}

/** How the features of a layer look. */
export interface LayerStyle {
  readonly fill: StyleProperty
  readonly line: StyleProperty
  readonly size: StyleProperty
  readonly width: StyleProperty
  readonly label: StyleProperty
  /** 0 to 1. */
  readonly alpha: number
}

/** Reads a vector style; `columnOf` says which column a field's name in it means. */
export function layerStyle(layer: Json, columnOf: (name: string) => string): LayerStyle {
  const properties = jsonObject(jsonObject(layer['style'])['properties'])
  const of = (name: string): StyleProperty => {
    const property = jsonObject(properties[name])
    const options = jsonObject(property['options'])
    const field = text(jsonObject(options['field'])['name'])
    return { column: property['type'] === 'DYNAMIC' && field ? columnOf(field) : undefined, options }
  }
  return {
    fill: of('fillColor'),
    line: of('lineColor'),
    size: of('iconSize'),
    width: of('lineWidth'),
    label: of('labelText'),
    alpha: number(layer['alpha']) ?? 0.75,
  }
}

/** The columns that a style follows. */
export function columnsOfStyle({ fill, line, size, width, label }: LayerStyle): string[] {
  return [...new Set([fill, line, size, width, label].flatMap(({ column }) => column ?? []))]
}

/** The colours of a ramp that a style holds itself; none where it names one. */
export function ownRamp(options: Json): string[] {
  const isOwn = options['useCustomColorRamp'] === true || options['useCustomColorPalette'] === true
  const stops = jsonArray(options['customColorRamp'] ?? options['customColorPalette'])
  return isOwn ? stops.flatMap(({ color }) => text(color) ?? []) : []
}
