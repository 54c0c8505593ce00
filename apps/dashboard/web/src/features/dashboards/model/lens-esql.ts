import { indicesOf } from '../../../esql/query-text.ts'
import { type Json, jsonArray, jsonObject, text } from '../../../kibana/saved-json.ts'
import { messages } from '../messages.ts'
import { collapsesOf, formatOf, lensVisualization, withAdHocViews } from './lens.ts'
import { dataSourceOf, type ObjectMap } from './objects.ts'
import type { PanelModel } from './panel-model.ts'
import { clausesOf } from './saved-filters.ts'
import { queriesOf } from './saved-queries.ts'
import type { EsqlColumnSpec, EsqlRequest } from './table.ts'

/** What a layer asks in ES|QL; undefined for one that does not. Throws what cannot be drawn, in words. */
export function lensEsqlRequest(panel: PanelModel, layerId: string, objects: ObjectMap): EsqlRequest | undefined {
  const state = jsonObject(panel.attributes['state'])
  const layers = jsonObject(jsonObject(jsonObject(state['datasourceStates'])['textBased'])['layers'])
  if (layers[layerId] === undefined) return undefined
  const layer = jsonObject(layers[layerId])
  const esql = text(jsonObject(layer['query'])['esql']) ?? text(jsonObject(state['query'])['esql'])
  if (esql === undefined || esql.trim() === '') throw new Error(messages.noEsqlQuery)
  return {
    esql,
    index: indicesOf(esql),
    timeField: timeFieldOf(layer, withAdHocViews(state, objects)),
    queries: [...queriesOf(state['query']), ...queriesOf(panel.config['query'])],
    filters: [...clausesOf(state['filters']), ...clausesOf(panel.config['filters'])],
    columns: columnsOf(layer),
    collapse: collapsesOf(lensVisualization(panel), layerId),
  }
}

/** The layer's own, else that of its index pattern where that is known. */
function timeFieldOf(layer: Json, objects: ObjectMap): string | undefined {
  const own = text(layer['timeField'])
  const view = text(layer['index'])
  if (own !== undefined) return own
  return view !== undefined && objects.has(`index-pattern:${view}`)
    ? dataSourceOf(view, objects).timeField
    : '@timestamp'
}

function columnsOf(layer: Json): EsqlColumnSpec[] {
  const columns = jsonArray(layer['columns'])
  // Layers that say of none of their columns whether it is a number to show leave it to the types.
  const isSaid = columns.some((column) => column['inMetricDimension'] === true)
  return columns.flatMap((column) => {
    const id = text(column['columnId'])
    const name = text(column['fieldName'])
    if (id === undefined || name === undefined) return []
    const role = column['inMetricDimension'] === true ? ('metric' as const) : isSaid ? ('bucket' as const) : undefined
    const format = formatOf(jsonObject(column['params'])['format'])
    return [{ id, name, label: text(column['label']) || name, role, format }]
  })
}
