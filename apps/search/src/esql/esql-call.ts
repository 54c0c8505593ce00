import type { EsqlQuery } from '@logstack/esql'
import type { ResolvedIndex } from '../indices/resolve.ts'
import type { Scope } from '../model/scope.ts'
import type { Services } from '../services.ts'

/** What an ES|QL query is run with. */
export interface EsqlCall {
  readonly query: EsqlQuery
  /** A query of the DSL that documents of these indices must meet, too. */
  filter?(indices: readonly ResolvedIndex[]): Promise<unknown>
  readonly scope: Scope
  readonly signal: AbortSignal
  /** What SHOW INFO tells. */
  readonly version: { readonly number: string; readonly build_date: string; readonly build_hash: string }
  /** The indices of an expression that the caller may read. */
  resolve(expression: string): readonly ResolvedIndex[]
}

/** What queries need of the services. */
export type RunServices = Pick<Services, 'engine' | 'catalogue' | 'documents' | 'now' | 'store'>
