import { type Json, jsonObject } from '../../../kibana/saved-json.ts'
import type { PanelModel } from './panel-model.ts'

/** The parameters of a visualization, by value or by reference. */
export function visParams({ attributes }: Pick<PanelModel, 'attributes'>): Json {
  const byValue = jsonObject(attributes['savedVis'])
  const state = Object.keys(byValue).length > 0 ? byValue : jsonObject(attributes['visState'])
  return jsonObject(state['params'])
}
