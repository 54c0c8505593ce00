import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import { jsonToken } from '../../json/json-token.ts'
import { parsingError, queryShardError, refusing } from '../../refusals/refuse.ts'
import { defineQuery, type LowerContext } from '../define-query.ts'
import type { QueryNode } from '../query-string/ast.ts'
import { lowerQueryString, type QueryStringOptions, scoreQueryString } from '../query-string/lower.ts'
import { parseQueryString } from '../query-string/parse.ts'
import { fuzziness } from '../shapes/fuzziness.ts'
import { analyzer, operator } from '../shapes/match-parameters.ts'
import { clauseParameters, decimal, flag, oneOrMany, whole } from '../shapes/scalars.ts'
import { checkAnalyzer } from '../shapes/words.ts'

const schema = z.strictObject({
  query: refusing(z.string(), (given) =>
    given === undefined
      ? parsingError('[query_string] must be provided with a [query]')
      : parsingError(`[query_string] unknown token [${jsonToken(given)}] after [query]`),
  ),
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
  fuzziness,
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
})

/** `query_string`: Lucene's query language. */
export const queryString = defineQuery({
  name: 'query_string',
  schema,
  lower: (body, context) => lowerQueryString(parsed(body, context), optionsOf(body, context), context),
  score: (body, context) => scoreQueryString(parsed(body, context), optionsOf(body, context), context),
})

type Body = z.infer<typeof schema>

function optionsOf(body: Body, context: LowerContext): QueryStringOptions {
  checkAnalyzer('query_string', body.analyzer, context)
  if (body.fields !== undefined && body.default_field !== undefined)
    throw new AppError(
      searchErrors.query_validation_exception,
      'Validation Failed: 1: [query_string] cannot use [fields] parameter in conjunction with [default_field];',
    )
  const fields = body.fields ?? (body.default_field === undefined ? undefined : [body.default_field])
  const searchesAll = (fields ?? context.defaultFields()).some((name) => name.replace(/\^[\d.]+$/u, '') === '*')
  return {
    fields,
    // What was typed into a box for all fields is not refused for a field of another type, even where it names that field.
    lenient: body.lenient ?? (searchesAll || undefined),
    phraseSlop: body.phrase_slop ?? 0,
    allPhrases: body.type === 'phrase' || body.type === 'phrase_prefix',
    openPhrases: body.type === 'phrase_prefix',
    acrossFields: body.type === 'cross_fields',
    several: body.type === 'most_fields' ? { op: 'sum' } : { op: 'max', tie: body.tie_breaker ?? 0 },
    operator: body.default_operator ?? 'or',
    minimumShouldMatch: body.minimum_should_match,
    quoteFieldSuffix: body.quote_field_suffix,
    timeZone: body.time_zone,
    analyzer: body.analyzer,
    synonymPhrases: body.auto_generate_synonyms_phrase_query,
    quoteAnalyzer: body.quote_analyzer ?? body.analyzer,
    fuzziness: body.fuzziness ?? 'AUTO',
    fuzzyPrefixLength: body.fuzzy_prefix_length ?? 0,
    fuzzyTranspositions: body.fuzzy_transpositions ?? true,
  }
}

/** A query whose operators are meant as text. */
function escaped(query: string): string {
  return query.replace(/[\\+\-!():^[\]"{}~*?|&/]/gu, '\\$&')
}

/** Whether a word of a query begins with what stands for any letters. */
function beginsOpen(node: QueryNode): boolean {
  if (node.type === 'bool') return node.clauses.some((clause) => beginsOpen(clause.node))
  if (node.type === 'boosted') return beginsOpen(node.node)
  return node.type === 'term' && node.pattern !== undefined && /^[*?]./su.test(node.pattern)
}

function leadingWildcard(query: string): AppError {
  const reason = `'*' or '?' not allowed as first character in WildcardQuery`
  const cause = new AppError(searchErrors.query_string_parse_exception, reason)
  return new AppError(searchErrors.query_string_parse_exception, `Cannot parse '${query}': ${reason}`, { cause })
}

function parsed({ query: given, default_operator, escape: literal, ...more }: Body, context: LowerContext): QueryNode {
  const query = literal === true ? escaped(given) : given
  try {
    const node = parseQueryString(query, default_operator ?? 'or')
    if (more.allow_leading_wildcard === false && beginsOpen(node)) throw leadingWildcard(query)
    return node
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    throw queryShardError(context.reportedIndex, thrown, `Failed to parse query [${given}]`)
  }
}
