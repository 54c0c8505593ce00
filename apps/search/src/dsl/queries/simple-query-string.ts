import { z } from 'zod'
import { parsingError, refusing } from '../../refusals/refuse.ts'
import { defineQuery, type LowerContext } from '../define-query.ts'
import type { QueryNode } from '../query-string/ast.ts'
import { lowerQueryString, type QueryStringOptions, scoreQueryString } from '../query-string/lower.ts'
import { parseSimpleQueryString, simpleFlags } from '../query-string/parse-simple.ts'
import { analyzer, operator } from '../shapes/match-parameters.ts'
import { clauseParameters, flag, oneOrMany, whole } from '../shapes/scalars.ts'
import { checkAnalyzer } from '../shapes/words.ts'

const schema = z.strictObject({
  query: refusing(z.string(), () => parsingError('[simple_query_string] query text missing')),
  fields: oneOrMany(z.string()).optional(),
  default_operator: operator.optional(),
  analyzer,
  flags: z.union([z.string(), z.number()]).transform(simpleFlags).optional(),
  lenient: flag.optional(),
  minimum_should_match: z.union([z.string(), z.number()]).optional(),
  analyze_wildcard: flag.optional(),
  auto_generate_synonyms_phrase_query: flag.optional(),
  fuzzy_max_expansions: whole.optional(),
  fuzzy_prefix_length: whole.optional(),
  fuzzy_transpositions: flag.optional(),
  quote_field_suffix: z.string().optional(),
  ...clauseParameters,
})

/** `simple_query_string`: a small query language that never fails to parse. */
export const simpleQueryString = defineQuery({
  name: 'simple_query_string',
  schema,
  lower: (body, context) => lowerQueryString(parsed(body), optionsOf(body, context), context),
  score: (body, context) => scoreQueryString(parsed(body), optionsOf(body, context), context),
})

type Body = z.infer<typeof schema>

function parsed(body: Body): QueryNode {
  return parseSimpleQueryString(body.query, body.default_operator ?? 'or', body.flags ?? simpleFlags(undefined))
}

function optionsOf(body: Body, context: LowerContext): QueryStringOptions {
  checkAnalyzer('simple_query_string', body.analyzer, context)
  return {
    fields: body.fields,
    lenient: body.lenient,
    phraseSlop: 0,
    allPhrases: false,
    acrossFields: false,
    several: { op: 'sum' },
    operator: body.default_operator ?? 'or',
    minimumShouldMatch: body.minimum_should_match,
    quoteFieldSuffix: body.quote_field_suffix,
    timeZone: undefined,
    analyzer: body.analyzer,
    synonymPhrases: body.auto_generate_synonyms_phrase_query,
    quoteAnalyzer: body.analyzer,
    fuzziness: 'AUTO',
    fuzzyPrefixLength: body.fuzzy_prefix_length ?? 0,
    fuzzyTranspositions: body.fuzzy_transpositions ?? true,
  }
}
