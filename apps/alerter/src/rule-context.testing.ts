import type { RuleContext } from './rule-types/define-rule-type.ts'

/** A rule's context for tests: no `query_key` and wide limits unless told. */
export function contextOf(given: Partial<RuleContext> = {}): RuleContext {
  return {
    windowEventsMax: 1000,
    queryKey: [],
    timestampField: '@timestamp',
    bufferMs: 900_000,
    useTermsQuery: false,
    forgot: () => undefined,
    ...given,
  }
}
