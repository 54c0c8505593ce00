import type { QueryClause } from '@logstack/kql'
import type { EsqlQuestion } from '../api/esql.ts'
import { buildQuery, type LanguageQuery } from '../query/build-query.ts'
import type { ResolvedRange } from '../time/time-range.ts'
import { timeParameters, timeUseOf } from './query-text.ts'
import { type EsqlVariable, variablesIn } from './variables.ts'

/** A query in ES|QL, and what the page asks for besides. */
export interface AskedInEsql {
  readonly esql: string
  /** What the range is about. */
  readonly timeField: string | undefined
  readonly range: ResolvedRange
  readonly queries: readonly LanguageQuery[]
  readonly filters: readonly QueryClause[]
  /** Of the fields of the query's indices; empty where they are not known. */
  readonly types: ReadonlyMap<string, string>
  /** What the page's reader chose for parameters. */
  readonly variables?: readonly EsqlVariable[]
}

/**
 * What search is asked: the query, and as a filter what the page asks for besides. The range is part of the filter unless the query chooses its
 * documents by it, or its indices have no such field. Throws `kql_syntax`.
 */
export function esqlQuestion(asked: AskedInEsql): EsqlQuestion {
  const { esql, timeField, range, queries, filters, types, variables = [] } = asked
  const { isNamed, isChosen } = timeUseOf(esql)
  const hasTime = timeField !== undefined && !isChosen && (types.size === 0 || types.has(timeField))
  const filter = buildQuery({ timeField: hasTime ? timeField : undefined, range, queries, filters, types })
  const isAll = 'match_all' in filter
  const chosen = variablesIn(esql, variables).map(({ name, value }) => ({ [name]: value }))
  const params = [...(isNamed ? timeParams(range) : []), ...chosen]
  return { query: esql, ...(isAll ? {} : { filter }), ...(params.length > 0 ? { params } : {}) }
}

function timeParams({ fromMs, toMs }: ResolvedRange): Record<string, string>[] {
  return [
    { [timeParameters.start]: new Date(fromMs).toISOString() },
    { [timeParameters.end]: new Date(toMs).toISOString() },
  ]
}
