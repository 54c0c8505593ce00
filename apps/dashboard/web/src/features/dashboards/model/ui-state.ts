import { jsonObject, text } from '../../../kibana/saved-json.ts'
import type { PanelModel } from './panel-model.ts'

/** The colours that people chose for values of a legacy visualization, by the value as it is shown; the panel's own win. */
export function uiColors({
  attributes,
  config,
}: Pick<PanelModel, 'attributes' | 'config'>): ReadonlyMap<string, string> {
  const state = jsonObject(attributes['uiStateJSON'] ?? jsonObject(attributes['savedVis'])['uiState'])
  const all = [jsonObject(state['vis']), config, jsonObject(config['vis'])]
  return new Map(
    all.flatMap((vis) =>
      Object.entries(jsonObject(vis['colors'])).flatMap(([value, color]) => {
        const found = text(color)
        return found ? [[value, found] as const] : []
      }),
    ),
  )
}

/** Whether somebody folded the legend of a legacy visualization; what the panel says wins. */
export function hidesLegend({ attributes, config }: Pick<PanelModel, 'attributes' | 'config'>): boolean {
  const state = jsonObject(attributes['uiStateJSON'] ?? jsonObject(attributes['savedVis'])['uiState'])
  const own = jsonObject(config['vis'])['legendOpen'] ?? config['legendOpen']
  return (own ?? jsonObject(state['vis'])['legendOpen']) === false
}
