import type { Pattern } from '@logstack/rules'
import { z } from 'zod'
import { noScore, type Score } from '../../scores/score.ts'
import { defineQuery, type LowerContext, type QueryClause } from '../define-query.ts'
import { searchable } from '../shapes/field-value.ts'
import { fieldOf } from '../shapes/reporting.ts'
import type { Source } from './find-intervals.ts'
import { spanFrequency } from './find-spans.ts'
import { frequencyField, type PlacesAsked, pathsOf, placesPredicate } from './interval-query.ts'
import { type SpanName, spanSource } from './span-sources.ts'

/** Declares a span query: documents that have such a span. They are found by their words; which of them have the span is seen in their texts. */
export function defineSpan(name: SpanName): QueryClause<unknown> {
  return defineQuery({
    name,
    // Read strictly by `spanSource`, as spans within spans are.
    schema: z.unknown(),
    lower: (body, context) => placesPredicate(asked(name, body, context), context),
    score: (body, context): Score => {
      const spans = asked(name, body, context)
      const [path] = spans.source ? pathsOf(spans.source) : []
      const field = path === undefined ? undefined : context.field(path)
      if (!spans.source || !field) return noScore
      const frequency = frequencyField(spans, context)
      return { op: 'counted', field: fieldOf(searchable(field)), ...termsOf(spans.source), frequency, boost: 1 }
    },
  })
}

function asked(name: SpanName, body: unknown, context: LowerContext): PlacesAsked {
  const key = `${name} ${JSON.stringify(body)}`
  return { source: spanSource(name, body, context), key, frequency: spanFrequency }
}

/** The words and patterns whose rarity spans score by: not those of what they must be apart from. */
function termsOf(source: Source): { tokens: string[]; patterns: Pattern[] } {
  if (source.op === 'word') {
    const { found } = source
    return {
      tokens: found.op === 'tokens' ? [...found.tokens] : [],
      patterns: found.op === 'pattern' ? [found.pattern] : [],
    }
  }
  const members = 'to' in source ? [source.of, source.to] : [source.of].flat()
  const all = members.map(termsOf)
  return {
    tokens: [...new Set(all.flatMap(({ tokens }) => tokens))],
    patterns: all.flatMap(({ patterns }) => patterns),
  }
}
