import type { Counted, Level, Measure } from './count.ts'
import { type Json, list, object, text } from './json.ts'
import { queryTest } from './words.ts'

/** What a legacy visualization counts: its buckets in order, those that split it first. */
export function legacyCounted(aggs: unknown): Counted {
  const enabled = list(aggs).filter(({ enabled: on }) => on !== false)
  const metrics = enabled.filter(({ schema }) => schema === 'metric')
  const buckets = enabled.filter(({ schema }) => schema !== 'metric')
  const ordered = [...buckets.filter(isSplit), ...buckets.filter((agg) => !isSplit(agg))]
  const ids = metrics.map(({ id }) => text(id))
  return { levels: ordered.map((agg) => levelOf(agg, ids)), measures: metrics.map(measureOf) }
}

const isSplit = ({ schema }: Json): boolean => schema === 'split'

function measureOf({ type, params }: Json): Measure {
  const field = text(object(params)['field'])
  const test = (): boolean => true
  if (type === 'count') return { type: 'documents', field, test }
  if (type === 'cardinality') return { type: 'distinct', field, test }
  throw new Error(`the exports were not known to hold the metric ${String(type)}`)
}

function levelOf({ type, params: saved }: Json, metrics: readonly string[]): Level {
  const params = object(saved)
  const field = text(params['field'])
  switch (type) {
    case 'terms': {
      const at = metrics.indexOf(text(params['orderBy']))
      return {
        type: 'terms',
        field,
        size: Number(params['size']),
        order: at < 0 ? 'key' : at,
        ascending: params['order'] === 'asc',
        other: params['otherBucket'] === true ? text(params['otherBucketLabel']) : undefined,
        missing: params['missingBucket'] === true ? text(params['missingBucketLabel']) : undefined,
      }
    }
    case 'date_histogram':
      return { type: 'time', field }
    case 'significant_terms':
      return { type: 'significant', field, size: Number(params['size']) }
    case 'filters': {
      const filters = list(params['filters']).map(({ label, input }) => {
        const { query } = object(input)
        return { label: text(label) || text(query), test: queryTest(query) }
      })
      return { type: 'filters', filters }
    }
    default:
      throw new Error(`the exports were not known to hold the bucket ${String(type)}`)
  }
}
