import type { QueryClause } from '@logstack/kql'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import type { Completeness, SearchAnswer } from '../../../api/search.ts'
import { searchTogether } from '../../../api/search-batch.ts'
import { variablesIn } from '../../../esql/variables.ts'
import { buildQuery, typesOf } from '../../../query/build-query.ts'
import { sharedFields } from '../../../query/shared-fields.ts'
import { unsettledFields, withIntervals } from '../model/number-interval.ts'
import { otherAggregations, otherGroups, withFound } from '../model/other-groups.ts'
import type { DashboardContext } from '../model/panel.ts'
import { isEsql, type PanelRequest, type TableRequest } from '../model/table.ts'
import { forGroupsOf, shiftedRange, splitByShift, withShifted } from '../model/time-shift.ts'
import { type AggregationContext, aggregationsOf } from '../model/to-search.ts'
import { calculated, type OtherGroup, rowsOf } from '../model/to-table.ts'
import { loadDocuments } from './load-documents.ts'
import { loadEsql } from './load-esql.ts'
import type { PanelAnswer } from './panel-answer.ts'

/** The field types of an index pattern, shared between panels. */
export async function sharedTypes(index: string): Promise<ReadonlyMap<string, string>> {
  return typesOf(await sharedFields(index))
}

/** The tables of a panel, one for each request; all of them or a reason. */
export function useTables(panelId: string, requests: readonly PanelRequest[], context: DashboardContext) {
  const results = useQueries({
    queries: requests.map((request, index) => ({
      ...tableQuery(panelId, index, request, context),
      placeholderData: keepPreviousData,
    })),
  })
  const tables = results.flatMap((result) => (result.data ? [result.data.table] : []))
  return {
    tables: tables.length === requests.length ? tables : undefined,
    told: results.flatMap((result) => result.data?.told ?? []),
    error: results.find((result) => result.error)?.error ?? undefined,
    retry: () => {
      for (const result of results) void result.refetch()
    },
  }
}

/** The question for one table of a panel: its key is all that is asked. */
export function tableQuery(panelId: string, index: number, request: PanelRequest, context: DashboardContext) {
  const { range, round, queries, filters } = context
  const variables = isEsql(request) ? variablesIn(request.esql, context.variables) : []
  return {
    queryKey: ['panel', panelId, index, request, range, queries, filters, variables, round],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      isEsql(request) ? loadEsql(request, context, signal) : loadTable(request, context, signal),
  }
}

/** Asks search within one panel's question. */
type Ask = (index: string, body: unknown) => Promise<SearchAnswer>

async function loadTable(request: TableRequest, context: DashboardContext, signal: AbortSignal): Promise<PanelAnswer> {
  const types = await sharedTypes(request.index)
  if (request.documents) return loadDocuments(request, context, types, signal)
  const { own, shifted } = splitByShift(request, context.range)
  const told: Completeness[] = []
  const ask: Ask = async (index, body) => {
    const answer = await searchTogether(index, body, signal)
    const { timed_out = false, _shards = {} } = answer
    told.push({ timed_out, _shards })
    return answer
  }
  const answer = await loadRows(own, context, types, ask)
  const before = shifted
    .map((part) => forGroupsOf(part, answer.table))
    .map(async ({ shiftMs, request: part }) => {
      const range = shiftedRange(context.range, shiftMs)
      const { table } = await loadRows(part, { ...context, range }, types, ask)
      return { shiftMs, table }
    })
  const table = (await Promise.all(before)).reduce(
    (whole, part) => withShifted(whole, part.table, part.shiftMs, context.range),
    answer.table,
  )
  const aggregation = { range: context.range, types, timeField: request.timeField }
  return { ...answer, request, table: calculated(table, request, aggregation), told }
}

/** The rows of a request over one range, and how search answered. */
async function loadRows(
  request: TableRequest,
  context: DashboardContext,
  types: ReadonlyMap<string, string>,
  ask: Ask,
): Promise<Omit<PanelAnswer, 'told'>> {
  const aggregation = { range: context.range, types, timeField: request.timeField }
  const query = buildQuery({
    timeField: request.timeField,
    range: context.range,
    queries: [...(request.alone ? [] : context.queries), ...request.queries],
    filters: [...(request.alone ? [] : context.filters), ...request.filters],
    types,
  })
  const settled = await settle(request, { query, types }, ask)
  const aggs = aggregationsOf(settled, aggregation)
  const body = { size: 0, track_total_hits: true, query, ...(Object.keys(aggs).length > 0 ? { aggs } : {}) }
  const answer = await ask(request.index, body)
  const total = answer.hits.total?.value ?? 0
  const groups = otherGroups(settled, answer.aggregations, aggregation)
  const others = groups.length === 0 ? [] : await findOthers(groups, settled, { query, aggregation, ask })
  const table = rowsOf(settled, { aggregations: answer.aggregations, total }, aggregation, others)
  return { table, request, index: request.index, body, answer }
}

/** Asks how far the values of numeric histograms reach, where their bars' width follows from that. */
async function settle(
  request: TableRequest,
  { query, types }: { readonly query: QueryClause; readonly types: ReadonlyMap<string, string> },
  ask: Ask,
): Promise<TableRequest> {
  const fields = unsettledFields(request)
  if (fields.length === 0) return request
  const limits = fields.flatMap((field, at) => [
    [`min${at}`, { min: { field } }],
    [`max${at}`, { max: { field } }],
  ])
  const { aggregations } = await ask(request.index, { size: 0, query, aggs: Object.fromEntries(limits) })
  const limitOf = (name: string): number =>
    Number((aggregations?.[name] as { value?: unknown } | undefined)?.value ?? 0)
  const spanOf = (field: string): number => {
    const at = fields.indexOf(field)
    return limitOf(`max${at}`) - limitOf(`min${at}`)
  }
  return withIntervals(request, spanOf, types)
}

async function findOthers(
  groups: readonly OtherGroup[],
  request: TableRequest,
  asked: { readonly query: QueryClause; readonly aggregation: AggregationContext; readonly ask: Ask },
): Promise<OtherGroup[]> {
  const aggs = otherAggregations(groups, request, asked.aggregation)
  const { aggregations } = await asked.ask(request.index, { size: 0, query: asked.query, aggs })
  return withFound(groups, aggregations)
}
