import type { QueryClause } from '@logstack/kql'
import { geohashBounds, geotileBounds } from '../../../geo/grid-cells.ts'
import { languageClause } from '../../../query/build-query.ts'
import { intervalOf } from '../../../time/interval.ts'
import type { BucketSpec, TableRequest } from './table.ts'
import { type AggregationContext, bucketName, fieldsOfTerms, levelsFrom, missingKey } from './to-search.ts'
import type { OtherGroup } from './to-table.ts'
import { isCountEnough, isSeveral, keyOf, type RawBucket, type RawLevel, type Row } from './to-table.ts'

// Each is a filter of the second search; those of outer levels matter most.
const groupsMax = 60

/** The groups of others that an answer only counted: they need a second search. */
export function otherGroups(
  request: TableRequest,
  aggregations: Readonly<Record<string, unknown>> | undefined,
  context: AggregationContext,
): OtherGroup[] {
  const groups: OtherGroup[] = []
  const walk = (level: number, parent: Readonly<Record<string, unknown>>, above: Row, path: QueryClause[]): void => {
    const spec = request.buckets[level]
    if (!spec) return
    const raw = (parent[bucketName(level)] ?? {}) as RawLevel
    const buckets = Object.entries(raw.buckets ?? {})
    if (spec.type === 'terms' && spec.otherBucket && (raw.sum_other_doc_count ?? 0) > 0) {
      const exist = fieldsOfTerms(spec).map((field) => ({ exists: { field } }))
      const clause = { bool: { filter: [...path, ...exist], must_not: shownValues(spec, buckets) } }
      if (!isCountEnough(request, level))
        groups.push({ level, above: { ...above, [spec.id]: spec.otherLabel }, clause })
    }
    for (const [name, bucket] of buckets) {
      const clause = clauseOf(spec, bucket, name, context)
      walk(level + 1, bucket, { ...above, [spec.id]: keyOf(spec, bucket, name) }, [...path, ...clause])
    }
  }
  walk(0, aggregations ?? {}, {}, [])
  return groups.sort((left, right) => left.level - right.level).slice(0, groupsMax)
}

/** The aggregations of the second search, one filter for each group. */
export function otherAggregations(
  groups: readonly OtherGroup[],
  request: TableRequest,
  context: AggregationContext,
): Record<string, unknown> {
  return Object.fromEntries(
    groups.map(({ level, clause }, at) => {
      const aggs = levelsFrom(level + 1, request, context)
      return [otherName(at), { filter: clause, ...(Object.keys(aggs).length > 0 ? { aggs } : {}) }]
    }),
  )
}

/** The groups with what the second search found of each. */
export function withFound(
  groups: readonly OtherGroup[],
  aggregations: Readonly<Record<string, unknown>> | undefined,
): OtherGroup[] {
  return groups.map((group, at) => ({ ...group, found: aggregations?.[otherName(at)] as RawBucket | undefined }))
}

const otherName = (at: number): string => `o${at}`

/** What the shown groups of a level have in common: any of their values, or of their combinations of values. */
function shownValues(
  spec: BucketSpec & { type: 'terms' },
  buckets: readonly (readonly [string, RawBucket])[],
): QueryClause[] {
  const shown = buckets.map(([, bucket]) => bucket)
  if (!spec.also?.length) {
    const keys = shown.filter(({ key }) => key !== missingKey)
    return [anyOf(spec.field, keys)]
  }
  return shown.map((bucket) => ({ bool: { filter: combinationOf(spec, bucket) } }))
}

function combinationOf(spec: BucketSpec & { type: 'terms' }, { key }: RawBucket): QueryClause[] {
  const values = isSeveral(key) ? key : []
  return fieldsOfTerms(spec).map((field, at) =>
    values[at] === missingKey
      ? { bool: { must_not: [{ exists: { field } }] } }
      : { term: { [field]: { value: values[at] } } },
  )
}

function anyOf(field: string, buckets: readonly RawBucket[]): QueryClause {
  return { terms: { [field]: buckets.map(({ key, key_as_string: asText }) => asText ?? key) } }
}

/** What the documents of a bucket have in common. */
function clauseOf(spec: BucketSpec, bucket: RawBucket, name: string, context: AggregationContext): QueryClause[] {
  switch (spec.type) {
    case 'geo_grid': {
      const bounds = spec.grid === 'geotile' ? geotileBounds(name) : geohashBounds(name)
      if (!bounds) return []
      const [left, bottom, right, top] = bounds
      return [{ geo_bounding_box: { [spec.field]: { left, bottom, right, top } } }]
    }
    case 'terms':
      if (spec.also?.length) return combinationOf(spec, bucket)
      return bucket.key === missingKey
        ? [{ bool: { must_not: [{ exists: { field: spec.field } }] } }]
        : [anyOf(spec.field, [bucket])]
    case 'significant_terms':
      return [anyOf(spec.field, [bucket])]
    case 'filters': {
      const query = spec.filters[Number(name)]?.query
      const clause = query && languageClause(query, context.types)
      return clause ? [clause] : []
    }
    case 'date_histogram': {
      const from = Number(bucket.key)
      const to = from + intervalOf(spec.interval, context.range.toMs - context.range.fromMs).ms
      return [{ range: { [spec.field]: { gte: from, lt: to, format: 'epoch_millis' } } }]
    }
    case 'histogram': {
      const from = Number(bucket.key)
      return [{ range: { [spec.field]: { gte: from, lt: from + (spec.interval ?? 1) } } }]
    }
    case 'range':
    case 'date_range':
    case 'ip_range':
      return [rangeClause(spec, bucket)]
  }
}

function rangeClause(spec: BucketSpec & { readonly field: string }, { from, to }: RawBucket): QueryClause {
  const ends = { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lt: to }) }
  return { range: { [spec.field]: spec.type === 'date_range' ? { ...ends, format: 'epoch_millis' } : ends } }
}
