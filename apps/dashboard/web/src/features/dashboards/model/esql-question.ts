import type { QueryClause } from '@logstack/kql'
import type { EsqlQuestion } from '../../../api/esql.ts'
import { timeParameters, timeUseOf } from '../../../esql/query-text.ts'
import { buildQuery, type LanguageQuery } from '../../../query/build-query.ts'
import type { ResolvedRange } from '../../../time/time-range.ts'
import type { EsqlRequest } from './table.ts'

/** What a page asks for besides the query of a panel. */
export interface EsqlSurroundings {
  readonly range: ResolvedRange
  readonly queries: readonly LanguageQuery[]
  readonly filters: readonly QueryClause[]
  /** Of the fields of the query's indices. */
  readonly types: ReadonlyMap<string, string>
}

/**
 * What search is asked for a panel: its query, and as a filter what the page asks for besides. The range is part of the filter unless the
 * query chooses its documents by it, or its indices have no such field. Throws `kql_syntax`.
 */
export function esqlQuestion(
  request: Pick<EsqlRequest, 'esql' | 'timeField' | 'queries' | 'filters'>,
  { range, queries, filters, types }: EsqlSurroundings,
): EsqlQuestion {
  const { isNamed, isChosen } = timeUseOf(request.esql)
  const { timeField } = request
  const hasTime = timeField !== undefined && !isChosen && (types.size === 0 || types.has(timeField))
  const filter = buildQuery({
    timeField: hasTime ? timeField : undefined,
    range,
    queries: [...queries, ...request.queries],
    filters: [...filters, ...request.filters],
    types,
  })
  const isAll = 'match_all' in filter
  return {
    query: request.esql,
    ...(isAll ? {} : { filter }),
    ...(isNamed ? { params: timeParams(range) } : {}),
  }
}

function timeParams({ fromMs, toMs }: ResolvedRange): Record<string, string>[] {
  return [
    { [timeParameters.start]: new Date(fromMs).toISOString() },
    { [timeParameters.end]: new Date(toMs).toISOString() },
  ]
}
