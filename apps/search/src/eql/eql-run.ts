import type { EqlQuery } from '@logstack/eql'
import type { EqlPlan } from './compile-query.ts'
import type { EqlRequest } from './read-request.ts'

/** Runs a search with the caller's rights over one moment of the indices of the request, and answers its JSON. */
export type Ask = (body: Readonly<Record<string, unknown>>) => Promise<string>

/** A query that is ready to run. */
export interface EqlRun {
  readonly request: EqlRequest
  readonly parsed: EqlQuery
  readonly plan: EqlPlan
  readonly ask: Ask
  readonly signal: AbortSignal
}
