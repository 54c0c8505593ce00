import type { SavedObjectReference } from '@logstack/contracts'
import type { QueryClause } from '@logstack/kql'
import { type Json, jsonArray, jsonObject, number, text } from '../../../kibana/saved-json.ts'
import type { LanguageQuery } from '../../../query/build-query.ts'
import { queriesOf } from './dashboard.ts'
import { labelledFilter, rangeOf } from './lens.ts'
import { dataSourceOf, type ObjectMap } from './objects.ts'
import type { PanelModel } from './panel-model.ts'
import { clausesOf } from './saved-filters.ts'
import type { BucketSpec, MetricSpec, TableRequest } from './table.ts'

/** Where a bucket of a legacy visualization goes: x axis or slice, series, table rows, small multiples. */
export type BucketSchema = 'segment' | 'group' | 'bucket' | 'split' | 'radius'

/** A legacy visualization: its parameters, what it asks for, and the role of each bucket. */
export interface LegacyVisualization {
  readonly params: Json
  readonly request: TableRequest
  readonly schemas: ReadonlyMap<string, BucketSchema>
}

/** Reads a legacy visualization, by value or by reference, with the saved search it may be based on. */
export function legacyVisualization(panel: PanelModel, objects: ObjectMap): LegacyVisualization {
  const saved = jsonObject(panel.attributes['savedVis'])
  const isByValue = Object.keys(saved).length > 0
  const state = isByValue ? saved : jsonObject(panel.attributes['visState'])
  const data = jsonObject(saved['data'])
  const aggs = jsonArray(isByValue ? data['aggs'] : state['aggs']).filter((agg) => agg['enabled'] !== false)
  const source = searchSource(isByValue ? data : panel.attributes, panel, objects)
  const buckets = aggs.flatMap((agg) => bucketOf(agg).map((spec) => ({ spec, schema: agg['schema'] as BucketSchema })))
  // Small multiples are the outermost level whatever their place in the list.
  buckets.sort((left, right) => Number(right.schema === 'split') - Number(left.schema === 'split'))
  return {
    params: jsonObject(state['params']),
    request: { ...source, buckets: buckets.map(({ spec }) => spec), metrics: aggs.flatMap(metricOf) },
    schemas: new Map(buckets.map(({ spec, schema }) => [spec.id, schema])),
  }
}

interface Source {
  readonly index: string
  readonly timeField: string | undefined
  readonly queries: LanguageQuery[]
  readonly filters: QueryClause[]
}

/** The search source of a visualization or saved search, and of the saved search below it. */
export function searchSource(holder: Json, panel: Pick<PanelModel, 'references'>, objects: ObjectMap): Source {
  const source = jsonObject(holder['searchSource'] ?? jsonObject(holder['kibanaSavedObjectMeta'])['searchSourceJSON'])
  const searchName = text(holder['savedSearchRefName'])
  // A visualization by value names its saved search by the reference alone.
  const isBelow = ({ name, type }: SavedObjectReference): boolean =>
    searchName === undefined ? type === 'search' && name === 'search_0' : name === searchName
  const searchId = panel.references.find(isBelow)?.id ?? text(holder['savedSearchId'])
  const search = searchId === undefined ? undefined : objects.get(`search:${searchId}`)
  const below = search ? searchSource(search.attributes, search, objects) : undefined
  const indexName = text(source['indexRefName'])
  const indexId = panel.references.find(({ name }) => name === indexName)?.id ?? text(source['index'])
  const own = dataSourceOf(indexId, objects)
  const { index, timeField } = below && indexId === undefined ? below : own
  return {
    index,
    timeField,
    queries: [...queriesOf(source['query']), ...(below?.queries ?? [])],
    filters: [...clausesOf(source['filter']), ...(below?.filters ?? [])],
  }
}

function bucketOf(agg: Json): BucketSpec[] {
  const params = jsonObject(agg['params'])
  const field = text(params['field']) ?? ''
  const id = text(agg['id']) ?? ''
  const base = { id, label: text(params['customLabel']) || field }
  switch (agg['type']) {
    case 'terms': {
      const orderBy = text(params['orderBy']) ?? 'count'
      return [
        {
          ...base,
          type: 'terms',
          field,
          size: number(params['size']) ?? 5,
          orderBy: orderBy === '_key' || orderBy === '_term' ? 'key' : orderBy,
          direction: params['order'] === 'asc' ? 'asc' : 'desc',
          otherBucket: params['otherBucket'] === true,
          otherLabel: text(params['otherBucketLabel']) ?? 'Other',
          missingLabel:
            params['missingBucket'] === true ? (text(params['missingBucketLabel']) ?? 'Missing') : undefined,
        },
      ]
    }
    case 'significant_terms':
      return [{ ...base, type: 'significant_terms', field, size: number(params['size']) ?? 10 }]
    case 'date_histogram':
      return [{ ...base, type: 'date_histogram', field, interval: text(params['interval']) }]
    case 'geohash_grid':
      return [
        {
          ...base,
          type: 'geo_grid',
          grid: 'geohash',
          field,
          precision: number(params['precision']) ?? 3,
          size: 10_000,
        },
      ]
    case 'histogram':
      return [{ ...base, type: 'histogram', field, interval: number(params['interval']) }]
    case 'range':
      return [{ ...base, type: 'range', field, ranges: jsonArray(params['ranges']).map(rangeOf) }]
    case 'filters':
      return [{ ...base, type: 'filters', filters: jsonArray(params['filters']).map(labelledFilter) }]
    default:
      return []
  }
}

const metricTypes: Readonly<Record<string, MetricSpec['type']>> = {
  count: 'count',
  cardinality: 'cardinality',
  avg: 'avg',
  sum: 'sum',
  min: 'min',
  max: 'max',
  median: 'percentiles',
  top_hits: 'last_value',
  std_dev: 'standard_deviation',
}
const metricWords: Readonly<Record<string, string>> = {
  cardinality: 'Unique count of',
  avg: 'Average',
  sum: 'Sum of',
  min: 'Min',
  max: 'Max',
  median: 'Median',
  top_hits: 'Last',
  std_dev: 'Standard deviation of',
}

const combinations: Readonly<Record<string, MetricSpec['combine']>> = {
  average: 'average',
  sum: 'sum',
  min: 'min',
  max: 'max',
  concat: 'concat',
}

function metricOf(agg: Json): MetricSpec[] {
  const name = text(agg['type']) ?? ''
  const params = jsonObject(agg['params'])
  if (name === 'percentiles' || name === 'percentile_ranks') return percentilesOf(agg, name, params)
  const type = metricTypes[name]
  if (!type) return []
  const field = text(params['field'])
  const automatic = type === 'count' ? 'Count' : `${metricWords[name] ?? name} ${field ?? ''}`
  return [
    {
      id: text(agg['id']) ?? name,
      label: text(params['customLabel']) || automatic,
      type,
      field,
      sortField: text(params['sortField']),
      sortDirection: params['sortOrder'] === 'asc' ? 'asc' : 'desc',
      hits: number(params['size']),
      combine: combinations[text(params['aggregate']) ?? ''],
    },
  ]
}

/** One aggregation of several numbers is as many metrics, named as Kibana names them: `1.50`. */
function percentilesOf(agg: Json, type: 'percentiles' | 'percentile_ranks', params: Json): MetricSpec[] {
  const wanted = params[type === 'percentiles' ? 'percents' : 'values']
  const values = (Array.isArray(wanted) ? wanted : []).flatMap((value) => number(value) ?? [])
  const field = text(params['field'])
  return values.map((value) => {
    const automatic =
      type === 'percentiles' ? `${ordinal(value)} percentile of ${field}` : `Percentile rank ${value} of "${field}"`
    const label = text(params['customLabel'])
    const own = type === 'percentiles' ? { percent: value } : { rankOf: value }
    return { id: `${text(agg['id'])}.${value}`, label: label ? `${label} ${value}` : automatic, type, field, ...own }
  })
}

function ordinal(value: number): string {
  const isTeen = value % 100 > 10 && value % 100 < 14
  const ending = isTeen ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[value % 10] ?? 'th')
  return `${value}${ending}`
}
