import { indicesOf } from '../../../esql/query-text.ts'
import { jsonObject, text } from '../../../kibana/saved-json.ts'
import type { PanelModel } from './panel-model.ts'
import { clausesOf } from './saved-filters.ts'
import type { EsqlRequest } from './table.ts'

/** What a saved search asks in ES|QL; undefined for one that looks for documents. */
export function savedEsqlRequest({ attributes }: Pick<PanelModel, 'attributes'>): EsqlRequest | undefined {
  const source = jsonObject(jsonObject(attributes['kibanaSavedObjectMeta'])['searchSourceJSON'])
  const esql = text(jsonObject(source['query'])['esql'])
  if (esql === undefined) return undefined
  return {
    esql,
    index: indicesOf(esql),
    timeField: text(jsonObject(source['index'])['timeFieldName']) ?? '@timestamp',
    queries: [],
    filters: clausesOf(source['filter']),
    columns: [],
    collapse: [],
  }
}
