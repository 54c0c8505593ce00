import { askEsql } from '../../../api/esql.ts'
import { typesOf } from '../../../query/build-query.ts'
import { sharedFields } from '../../../query/shared-fields.ts'
import { esqlQuestion } from '../model/esql-question.ts'
import { esqlTable } from '../model/esql-table.ts'
import type { EsqlRequest } from '../model/table.ts'
import type { DashboardContext } from './panel.ts'
import type { PanelAnswer } from './panel-answer.ts'

/** Asks a panel's query in ES|QL, with what the dashboard asks for besides. */
export async function loadEsql(
  request: EsqlRequest,
  context: Pick<DashboardContext, 'range' | 'queries' | 'filters'>,
  signal: AbortSignal,
): Promise<PanelAnswer> {
  const { index } = request
  const types = typesOf(index === undefined ? [] : await sharedFields(index))
  const body = esqlQuestion(request, { ...context, types })
  const answer = await askEsql(body, signal)
  const told = answer.is_partial ? [{ timed_out: true }] : []
  return { table: esqlTable(request, answer, types), request, index: index ?? '', body, answer, told }
}
