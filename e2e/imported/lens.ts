import type { Counted, Level, Measure } from './count.ts'
import { type Json, list, object, text } from './json.ts'
import { queryTest, type Test } from './words.ts'

/** The name under which a Lens panel refers to the data view of the layer it draws. */
export function lensReference(attributes: Json): string {
  return `indexpattern-datasource-layer-${layerOf(attributes)}`
}

/** What a Lens panel counts. A filter that all its numbers share limits the whole panel, as Lens does it. */
export function lensCounted(attributes: Json): { counted: Counted; test: Test } {
  const sources = object(object(attributes['state'])['datasourceStates'])
  const layers = object(object(sources['formBased'] ?? sources['indexpattern'])['layers'])
  const layer = object(layers[layerOf(attributes)])
  const columns = object(layer['columns'])
  const ordered = list(layer['columnOrder']).map((id) => ({ id: String(id), column: object(columns[String(id)]) }))
  const buckets = ordered.filter(({ column }) => column['isBucketed'] === true)
  const metrics = ordered.filter(({ column }) => column['isBucketed'] !== true)
  const ids = metrics.map(({ id }) => id)
  const filters = metrics.map(({ column }) => text(object(column['filter'])['query']).trim())
  const isShared = filters.every((filter) => filter === filters[0])
  const measures = metrics.map(({ column }, at) => measureOf(column, isShared ? '' : (filters[at] ?? '')))
  const counted = { levels: buckets.map(({ column }) => levelOf(column, ids)), measures }
  return { counted, test: isShared ? queryTest(filters[0]) : () => true }
}

function layerOf(attributes: Json): string {
  const visualization = object(object(attributes['state'])['visualization'])
  if (visualization['layers'] === undefined) return text(visualization['layerId'])
  const drawn = list(visualization['layers']).find((layer) => {
    const shown = layer['accessors'] ?? layer['metrics']
    return list(shown).length > 0
  })
  return text(drawn?.['layerId'])
}

function measureOf(column: Json, filter: string): Measure {
  const field = text(column['sourceField'])
  const test = queryTest(filter)
  if (column['operationType'] === 'unique_count') return { type: 'distinct', field, test }
  if (column['operationType'] !== 'count') throw new Error(`an unknown number: ${String(column['operationType'])}`)
  return { type: field === '___records___' ? 'documents' : 'values', field, test }
}

function levelOf(column: Json, metrics: readonly string[]): Level {
  const params = object(column['params'])
  const field = text(column['sourceField'])
  switch (column['operationType']) {
    case 'terms': {
      const by = object(params['orderBy'])
      return {
        type: 'terms',
        field,
        size: Number(params['size']),
        order: by['type'] === 'alphabetical' ? 'key' : metrics.indexOf(text(by['columnId'])),
        ascending: params['orderDirection'] === 'asc',
        other: params['otherBucket'] === true ? 'Other' : undefined,
        missing: params['missingBucket'] === true ? '(missing value)' : undefined,
      }
    }
    case 'date_histogram':
      return { type: 'time', field }
    case 'range':
      return { type: 'number', field }
    case 'filters': {
      const filters = list(params['filters']).map(({ label, input }) => {
        const { query } = object(input)
        return { label: text(label) || text(query), test: queryTest(query) }
      })
      return { type: 'filters', filters }
    }
    default:
      throw new Error(`an unknown group: ${String(column['operationType'])}`)
  }
}
