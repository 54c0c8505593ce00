import { z } from 'zod'
import { defineQuery, type QueryClause } from '../define-query.ts'
import { intervalPredicate } from './interval-query.ts'
import { type SpanName, spanSource } from './span-sources.ts'

/** Declares a span query: documents that have such a span. They are found by their words; which of them have the span is seen in their texts. */
export function defineSpan(name: SpanName): QueryClause<unknown> {
  const clause: QueryClause<unknown> = defineQuery({
    name,
    // Read strictly by `spanSource`, as spans within spans are.
    schema: z.unknown(),
    lower: (body, context) =>
      intervalPredicate(spanSource(name, body, context), `${name} ${JSON.stringify(body)}`, context),
    score: (body, context) => ({ op: 'constant', value: 1, when: clause.lower(body, context) }),
  })
  return clause
}
