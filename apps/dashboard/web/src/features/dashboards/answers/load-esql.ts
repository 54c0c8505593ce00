import { askEsql } from '../../../api/esql.ts'
import { esqlQuestion } from '../../../esql/question.ts'
import { typesOf } from '../../../query/build-query.ts'
import { sharedFields } from '../../../query/shared-fields.ts'
import { esqlTable } from '../model/esql-table.ts'
import type { DashboardContext } from '../model/panel.ts'
import type { EsqlRequest } from '../model/table.ts'
import type { PanelAnswer } from './panel-answer.ts'

/** Asks a panel's query in ES|QL, with what the dashboard asks for besides. */
export async function loadEsql(
  request: EsqlRequest,
  context: Pick<DashboardContext, 'range' | 'queries' | 'filters' | 'variables'>,
  signal: AbortSignal,
): Promise<PanelAnswer> {
  const { index, esql, timeField } = request
  const types = typesOf(index === undefined ? [] : await sharedFields(index))
  const body = esqlQuestion({
    esql,
    timeField,
    range: context.range,
    queries: [...context.queries, ...request.queries],
    filters: [...context.filters, ...request.filters],
    types,
    variables: context.variables,
  })
  const answer = await askEsql(body, signal)
  const told = answer.is_partial ? [{ timed_out: true }] : []
  return { table: esqlTable(request, answer, types), request, index: index ?? '', body, answer, told }
}
