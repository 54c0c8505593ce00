import type { SavedObjectReference } from '@logstack/contracts'
import type { QueryClause } from '@logstack/kql'
import type { FieldNames } from '../../../kibana/field-names.ts'
import { type Json, jsonArray, jsonObject, text } from '../../../kibana/saved-json.ts'
import type { FieldFormats } from '../../../kibana/value-format.ts'
import type { LanguageQuery } from '../../../query/build-query.ts'
import { isLegacyBucket, legacyBucket } from './legacy-buckets.ts'
import { legacyMetrics, orderingMetric } from './legacy-metrics.ts'
import { dataSourceOf, type ObjectMap } from './objects.ts'
import type { PanelModel } from './panel-model.ts'
import { clausesOf } from './saved-filters.ts'
import { queriesOf } from './saved-queries.ts'
import type { BucketSpec, TableRequest } from './table.ts'

/** Where a bucket of a legacy visualization goes: x axis or slice, series, table rows, small multiples. */
export type BucketSchema = 'segment' | 'group' | 'bucket' | 'split' | 'radius'

/** A legacy visualization: its parameters, what it asks for, and the role of each bucket. */
export interface LegacyVisualization {
  readonly params: Json
  readonly request: TableRequest
  readonly schemas: ReadonlyMap<string, BucketSchema>
  /** The columns that are drawn, in order. */
  readonly values: readonly string[]
  /** Whether small multiples are rows rather than columns. */
  readonly splitsRows: boolean
}

/** Reads a legacy visualization, by value or by reference, with the saved search it may be based on. Throws what cannot be calculated, in words. */
export function legacyVisualization(panel: PanelModel, objects: ObjectMap): LegacyVisualization {
  const saved = jsonObject(panel.attributes['savedVis'])
  const isByValue = Object.keys(saved).length > 0
  const state = isByValue ? saved : jsonObject(panel.attributes['visState'])
  const params = jsonObject(state['params'])
  const data = jsonObject(saved['data'])
  const aggs = jsonArray(isByValue ? data['aggs'] : state['aggs']).filter((agg) => agg['enabled'] !== false)
  const source = searchSource(isByValue ? data : panel.attributes, panel, objects)
  const groups = aggs.filter(isLegacyBucket)
  const numbers = aggs.filter((agg) => !isLegacyBucket(agg))
  const nameOf = (field: string): string => source.names?.[field] ?? field
  const { metrics, derived, hidden } = legacyMetrics(numbers, nameOf)
  const context = { nameOf, orderOf: (agg: Json) => orderingMetric(agg, nameOf) }
  const buckets = groups.map((agg) => ({
    spec: dense(legacyBucket(agg, context), derived.length > 0),
    schema: agg['schema'] as BucketSchema,
  }))
  // Small multiples are the outermost level whatever their place in the list.
  buckets.sort((left, right) => Number(right.schema === 'split') - Number(left.schema === 'split'))
  const sizes = numbers.filter((agg) => agg['schema'] === 'radius').map((agg) => text(agg['id']) ?? '')
  const unshown = new Set([...hidden, ...sizes])
  const all = [...new Set([...metrics, ...derived].map(({ id }) => id))]
  const split = jsonObject(groups.find((agg) => agg['schema'] === 'split')?.['params'])
  return {
    params,
    request: {
      ...source,
      buckets: buckets.map(({ spec }) => spec),
      metrics,
      ...(derived.length > 0 || unshown.size > 0 ? { derived, hidden: [...unshown] } : {}),
    },
    schemas: new Map(buckets.map(({ spec, schema }) => [spec.id, schema])),
    values: all.filter((id) => !unshown.has(id)),
    splitsRows: (split['row'] ?? params['row']) !== false,
  }
}

/** What is calculated along buckets of time needs the empty ones, too. */
function dense(bucket: BucketSpec, isNeeded: boolean): BucketSpec {
  return isNeeded && bucket.type === 'date_histogram' ? { ...bucket, dense: true } : bucket
}

interface Source {
  readonly index: string
  readonly timeField: string | undefined
  readonly formats?: FieldFormats | undefined
  readonly names?: FieldNames | undefined
  readonly leavesOut?: readonly string[] | undefined
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
  const { index, timeField, formats, names, leavesOut } = below && indexId === undefined ? below : own
  return {
    index,
    timeField,
    ...(formats ? { formats } : {}),
    ...(names ? { names } : {}),
    ...(leavesOut ? { leavesOut } : {}),
    queries: [...queriesOf(source['query']), ...(below?.queries ?? [])],
    filters: [...clausesOf(source['filter']), ...(below?.filters ?? [])],
  }
}
