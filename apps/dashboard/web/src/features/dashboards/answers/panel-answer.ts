import type { EsqlAnswer } from '../../../api/esql.ts'
import type { Completeness, SearchAnswer } from '../../../api/search.ts'
import type { PanelRequest, Table } from '../model/table.ts'

/** What one search of a panel asked and was told, kept with its table so that people can inspect it. */
export interface PanelAnswer {
  readonly table: Table
  /** What was asked for; absent for lists of documents. */
  readonly request?: PanelRequest
  readonly index: string
  readonly body: unknown
  readonly answer: SearchAnswer | EsqlAnswer
  /** Whether the answers that the table is made of are whole. */
  readonly told: readonly Completeness[]
}
