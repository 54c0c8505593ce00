import { messageOf } from '@logstack/errors'
import type { QueryClause } from '@logstack/kql'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { IndexPattern } from '../../api/saved-objects.ts'
import { search } from '../../api/search.ts'
import { buildQuery, type FieldFilter, filterClause } from '../../query/build-query.ts'
import { useFields } from '../../query/use-fields.ts'
import { automaticInterval, dateHistogram } from '../../time/interval.ts'
import type { TimeState } from '../../time/use-time-range.ts'

/** Documents fetched for the table; more are found by narrowing the search. */
const documentsMax = 500
const histogramBuckets = 60

/** What Discover asks for. */
export interface DiscoverRequest {
  readonly pattern: IndexPattern
  readonly query: string
  readonly filters: readonly FieldFilter[]
  readonly time: TimeState
}

/** One bar of the histogram. */
export interface Bar {
  readonly ms: number
  readonly count: number
}

/** Fields, documents and histogram of one request; the documents do not wait for the histogram. */
export function useDiscover(request: DiscoverRequest) {
  const { pattern, time } = request
  const fields = useFields(pattern.title)
  const built = useMemo(() => build(request, fields.types), [request, fields.types])
  const ready = fields.settled && built.clause !== undefined
  const key = [pattern.title, built.clause, time.round]
  const documents = useQuery({
    queryKey: ['discover', 'documents', ...key],
    queryFn: ({ signal }) => search(pattern.title, documentsBody(pattern, built.clause), signal),
    enabled: ready,
    placeholderData: keepPreviousData,
  })
  const interval = automaticInterval(time.resolved.toMs - time.resolved.fromMs, histogramBuckets)
  const histogram = useQuery({
    queryKey: ['discover', 'histogram', ...key],
    queryFn: async ({ signal }): Promise<Bar[]> => {
      const aggs = {
        bars: { date_histogram: { ...dateHistogram(pattern.timeField ?? '', interval), min_doc_count: 1 } },
      }
      const body = { size: 0, track_total_hits: false, query: built.clause, aggs }
      const answer = await search(pattern.title, body, signal)
      const bars = answer.aggregations?.['bars'] as { buckets?: { key: number; doc_count: number }[] } | undefined
      return (bars?.buckets ?? []).map((bucket) => ({ ms: bucket.key, count: bucket.doc_count }))
    },
    enabled: ready && pattern.timeField !== undefined,
    placeholderData: keepPreviousData,
  })
  return { fields, documents, histogram, interval, problem: built.problem }
}

function build(
  { pattern, query, filters, time }: DiscoverRequest,
  types: ReadonlyMap<string, string>,
): { clause?: QueryClause; problem?: string } {
  try {
    const clause = buildQuery({
      timeField: pattern.timeField,
      range: time.resolved,
      queries: [{ language: 'kuery', query }],
      filters: filters.map(filterClause),
      types,
    })
    return { clause }
  } catch (thrown) {
    return { problem: messageOf(thrown) }
  }
}

function documentsBody(pattern: IndexPattern, clause: QueryClause | undefined): unknown {
  const sort = pattern.timeField ? [{ [pattern.timeField]: { order: 'desc', unmapped_type: 'date' } }] : undefined
  return { size: documentsMax, track_total_hits: true, query: clause, ...(sort ? { sort } : {}) }
}
