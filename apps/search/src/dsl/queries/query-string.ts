import { isAppError } from '@logstack/errors'
import { z } from 'zod'
import { defineQuery, type LowerContext } from '../define-query.ts'
import type { QueryNode } from '../query-string/ast.ts'
import { lowerQueryString } from '../query-string/lower.ts'
import { parseQueryString } from '../query-string/parse.ts'
import { analyzer, operator } from '../shapes/match-parameters.ts'
import { queryShardError } from '../shapes/refuse.ts'
import { clauseParameters, decimal, flag, oneOrMany, whole } from '../shapes/scalars.ts'

/** `query_string`: Lucene's query language. */
export const queryString = defineQuery({
  name: 'query_string',
  schema: z.strictObject({
    query: z.string(),
    default_field: z.string().optional(),
    fields: oneOrMany(z.string()).optional(),
    default_operator: operator.optional(),
    analyzer,
    quote_analyzer: analyzer,
    allow_leading_wildcard: flag.optional(),
    analyze_wildcard: flag.optional(),
    auto_generate_synonyms_phrase_query: flag.optional(),
    enable_position_increments: flag.optional(),
    escape: flag.optional(),
    fuzziness: z.union([z.string(), z.number()]).optional(),
    fuzzy_max_expansions: whole.optional(),
    fuzzy_prefix_length: whole.optional(),
    fuzzy_transpositions: flag.optional(),
    fuzzy_rewrite: z.string().optional(),
    lenient: flag.optional(),
    max_determinized_states: whole.optional(),
    minimum_should_match: z.union([z.string(), z.number()]).optional(),
    phrase_slop: whole.optional(),
    quote_field_suffix: z.string().optional(),
    rewrite: z.string().optional(),
    tie_breaker: decimal.optional(),
    time_zone: z.string().optional(),
    type: z.enum(['best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix', 'bool_prefix']).optional(),
    ...clauseParameters,
  }),
  lower: (body, context) =>
    lowerQueryString(
      parsed(body.query, body.default_operator ?? 'or', context),
      {
        fields: body.fields ?? (body.default_field === undefined ? undefined : [body.default_field]),
        lenient: body.lenient,
        allowLeadingWildcard: body.allow_leading_wildcard ?? true,
        phraseSlop: body.phrase_slop ?? 0,
        allPhrases: body.type === 'phrase',
        operator: body.default_operator ?? 'or',
        minimumShouldMatch: body.minimum_should_match,
        quoteFieldSuffix: body.quote_field_suffix,
        timeZone: body.time_zone,
        analyzer: body.analyzer,
        synonymPhrases: body.auto_generate_synonyms_phrase_query,
        quoteAnalyzer: body.quote_analyzer ?? body.analyzer,
        fuzziness: body.fuzziness ?? 'AUTO',
        fuzzyPrefixLength: body.fuzzy_prefix_length ?? 0,
      },
      context,
    ),
})

function parsed(query: string, defaultOperator: 'and' | 'or', context: LowerContext): QueryNode {
  try {
    return parseQueryString(query, defaultOperator)
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    throw queryShardError(context.reportedIndex, thrown, `Failed to parse query [${query}]`)
  }
}
