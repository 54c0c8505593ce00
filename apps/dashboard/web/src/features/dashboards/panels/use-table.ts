import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { type Field, fieldsOf, search } from '../../../api/search.ts'
import { buildQuery, typesOf } from '../../../query/build-query.ts'
import type { Table, TableRequest } from '../model/table.ts'
import { aggregationsOf } from '../model/to-search.ts'
import { tableOf } from '../model/to-table.ts'
import type { DashboardContext } from './panel.ts'

const fieldsKeptMs = 60_000
const fieldsByPattern = new Map<string, { readonly atMs: number; readonly fields: Promise<Field[]> }>()

// All panels of a dashboard ask for the same fields at once: one request is enough.
function sharedFields(index: string): Promise<Field[]> {
  const known = fieldsByPattern.get(index)
  if (known && Date.now() - known.atMs < fieldsKeptMs) return known.fields
  const fields = fieldsOf(index)
  fieldsByPattern.set(index, { atMs: Date.now(), fields })
  fields.catch(() => fieldsByPattern.delete(index))
  return fields
}

/** The field types of an index pattern, shared between panels. */
export async function sharedTypes(index: string): Promise<ReadonlyMap<string, string>> {
  return typesOf(await sharedFields(index))
}

/** The tables of a panel, one for each request; all of them or a reason. */
export function useTables(panelId: string, requests: readonly TableRequest[], context: DashboardContext) {
  const { range, round } = context
  const results = useQueries({
    queries: requests.map((request, index) => ({
      queryKey: ['panel', panelId, index, request, range, context.queries, context.filters, round],
      queryFn: ({ signal }: { signal: AbortSignal }) => loadTable(request, context, signal),
      placeholderData: keepPreviousData,
    })),
  })
  const tables = results.flatMap((result) => (result.data ? [result.data] : []))
  return {
    tables: tables.length === requests.length ? tables : undefined,
    error: results.find((result) => result.error)?.error ?? undefined,
    retry: () => {
      for (const result of results) void result.refetch()
    },
  }
}

async function loadTable(request: TableRequest, context: DashboardContext, signal: AbortSignal): Promise<Table> {
  const types = await sharedTypes(request.index)
  const aggregation = { range: context.range, types }
  const query = buildQuery({
    timeField: request.timeField,
    range: context.range,
    queries: [...context.queries, ...request.queries],
    filters: [...context.filters, ...request.filters],
    types,
  })
  const aggs = aggregationsOf(request, aggregation)
  const body = { size: 0, track_total_hits: true, query, ...(Object.keys(aggs).length > 0 ? { aggs } : {}) }
  const answer = await search(request.index, body, signal)
  const total = answer.hits.total?.value ?? 0
  return tableOf(request, { aggregations: answer.aggregations, total }, aggregation)
}
