import { messageOf } from '@logstack/errors'
import type { QueryClause } from '@logstack/kql'
import { keepPreviousData, type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { calculatedWanted } from '../../api/calculated-fields.ts'
import type { IndexPattern } from '../../api/index-patterns.ts'
import { leftOutOf } from '../../api/left-out.ts'
import { highlightRequest, type SearchAnswer, search } from '../../api/search.ts'
import type { DocumentSort } from '../../documents/document-head.tsx'
import { sourceWanted } from '../../kibana/source-filters.ts'
import { buildQuery, type LanguageQuery, pillClauses, type QueryLanguage } from '../../query/build-query.ts'
import { useFields } from '../../query/use-fields.ts'
import { automaticInterval, dateHistogram, type Interval } from '../../time/interval.ts'
import type { TimeState } from '../../time/use-time-range.ts'
import type { FieldFilter } from '../../url-state/field-filters.ts'

/** Documents that can be scrolled through: as far as Elasticsearch goes by position. More are found by narrowing the search. */
export const documentsMax = 10_000
// What a window shows and a little more comes first; who scrolls wants many.
const firstPageSize = 100
const pageSize = 500
const histogramBuckets = 60

/** What Discover asks for. */
export interface DiscoverRequest {
  readonly pattern: IndexPattern
  readonly query: string
  readonly language: QueryLanguage
  readonly filters: readonly FieldFilter[]
  readonly time: Pick<TimeState, 'resolved' | 'round'>
  readonly sort: DocumentSort | undefined
  /** What an opened saved search asks for besides: what the page's own query and pills cannot say. */
  readonly base: SearchBase
}

/** Queries and clauses that stand beside the page's own. */
export interface SearchBase {
  readonly queries: readonly LanguageQuery[]
  readonly clauses: readonly QueryClause[]
}

/** One bar of the histogram. */
export interface Bar {
  readonly ms: number
  readonly count: number
}

interface Histogram {
  readonly bars: readonly Bar[]
  readonly answer: SearchAnswer
}

/** Fields, documents and histogram of one request; the documents do not wait for the histogram. */
export function useDiscover(request: DiscoverRequest) {
  const { pattern } = request
  const fields = useFields(pattern.title)
  const built = useMemo(() => build(request, fields.types), [request, fields.types])
  const ready = built.clause !== undefined && (fields.settled || !needsTypes(request))
  const sort = sortOf(request)
  const documents = useInfiniteQuery({
    ...documentsQuery(request, built.clause),
    enabled: ready,
    placeholderData: keepPreviousData,
  })
  const hits = useMemo(() => documents.data?.pages.flatMap((page) => page.hits.hits) ?? [], [documents.data])
  const interval = intervalOf(request)
  const histogram = useQuery({
    ...histogramQuery(request, built.clause),
    enabled: ready && pattern.timeField !== undefined,
    placeholderData: keepPreviousData,
  })
  const answers = [...(documents.data?.pages ?? []), ...(histogram.data ? [histogram.data.answer] : [])]
  const leftOut = leftOutOf(answers)
  const total = documents.data?.pages[0]?.hits.total?.value ?? hits.length
  const { problem, clause } = built
  return { fields, documents, hits, total, histogram, interval, leftOut, problem, clause, sort }
}

/** The question for the documents, page by page. */
function documentsQuery(request: DiscoverRequest, clause: QueryClause | undefined) {
  const { pattern, time } = request
  const sort = sortOf(request)
  const highlight = request.query !== '' || request.filters.length > 0 ? { highlight: highlightRequest } : {}
  return {
    queryKey: ['discover', 'documents', pattern.title, pattern.leavesOut, clause, time.round, sort],
    queryFn: ({ signal, pageParam: from }: { signal: AbortSignal; pageParam: number }) => {
      const body = {
        from,
        size: sizeFrom(from),
        track_total_hits: from === 0,
        query: clause,
        sort,
        ...highlight,
        ...calculatedWanted(pattern.title),
        ...sourceWanted(pattern.leavesOut),
      }
      return search(pattern.title, body, signal, { partial: true })
    },
    initialPageParam: 0,
    getNextPageParam: (last: SearchAnswer, _pages: readonly SearchAnswer[], from: number) => {
      const next = from + sizeFrom(from)
      return last.hits.hits.length < sizeFrom(from) || next >= documentsMax ? undefined : next
    },
  }
}

/** The question for the bars above them. */
function histogramQuery(request: DiscoverRequest, clause: QueryClause | undefined) {
  const { pattern, time } = request
  const interval = intervalOf(request)
  return {
    queryKey: ['discover', 'histogram', pattern.title, clause, time.round],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Histogram> => {
      const aggs = {
        bars: { date_histogram: { ...dateHistogram(pattern.timeField ?? '', interval), min_doc_count: 1 } },
      }
      const body = { size: 0, track_total_hits: false, query: clause, aggs }
      const answer = await search(pattern.title, body, signal, { partial: true })
      const bars = answer.aggregations?.['bars'] as { buckets?: { key: number; doc_count: number }[] } | undefined
      return { answer, bars: (bars?.buckets ?? []).map((bucket) => ({ ms: bucket.key, count: bucket.doc_count })) }
    },
  }
}

/** Asks what `useDiscover` will ask of the same request, unless that waits for the fields of the pattern. */
export function askDocuments(client: QueryClient, request: DiscoverRequest): void {
  if (needsTypes(request)) return
  const { clause } = build(request, new Map())
  if (clause === undefined) return
  void client.prefetchInfiniteQuery(documentsQuery(request, clause))
  if (request.pattern.timeField !== undefined) void client.prefetchQuery(histogramQuery(request, clause))
}

function intervalOf({ time }: DiscoverRequest): Interval {
  return automaticInterval(time.resolved.toMs - time.resolved.fromMs, histogramBuckets)
}

function sizeFrom(from: number): number {
  return from === 0 ? firstPageSize : Math.min(pageSize, documentsMax - from)
}

// Only what is written in KQL is read by the types of fields: the first look at a pattern does not wait for them.
function needsTypes({ query, language, base }: DiscoverRequest): boolean {
  return (query !== '' && language === 'kuery') || base.queries.length > 0
}

function build(
  { pattern, query, language, filters, time, base }: DiscoverRequest,
  types: ReadonlyMap<string, string>,
): { clause?: QueryClause; problem?: string } {
  try {
    const clause = buildQuery({
      timeField: pattern.timeField,
      range: time.resolved,
      queries: [...base.queries, { language, query }],
      filters: [...base.clauses, ...pillClauses(filters)],
      types,
    })
    return { clause }
  } catch (thrown) {
    return { problem: messageOf(thrown) }
  }
}

/** The chosen order, else the newest first; documents without the field come last. */
function sortOf({ pattern, sort }: DiscoverRequest): unknown[] {
  const chosen = sort ?? (pattern.timeField ? { field: pattern.timeField, direction: 'desc' } : undefined)
  if (!chosen) return []
  const unmapped = chosen.field === pattern.timeField ? 'date' : 'keyword'
  return [{ [chosen.field]: { order: chosen.direction, unmapped_type: unmapped } }]
}
