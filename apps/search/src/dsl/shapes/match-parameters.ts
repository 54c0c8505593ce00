import { z } from 'zod'
import { clauseParameters, flag, scalar, whole } from './scalars.ts'

/** `and` or `or`, in any case of letters. */
export const operator = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(z.enum(['and', 'or']))

/** What to answer when analysis leaves no word. */
const zeroTerms = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(z.enum(['none', 'all']))

/** Only exact words are matched; other edit distances are refused. */
const fuzziness = z.union([z.literal(0), z.literal('0')]).optional()

/** The standard analyzer is the only one. */
export const analyzer = z.literal('standard').optional()

/** Parameters of `match`. Those about scoring and rewriting change nothing. */
export const matchParameters = {
  query: scalar,
  operator: operator.optional(),
  minimum_should_match: z.union([z.string(), z.number()]).optional(),
  zero_terms_query: zeroTerms.optional(),
  lenient: flag.optional(),
  analyzer,
  fuzziness,
  prefix_length: whole.optional(),
  max_expansions: whole.optional(),
  fuzzy_transpositions: flag.optional(),
  fuzzy_rewrite: z.string().optional(),
  auto_generate_synonyms_phrase_query: flag.optional(),
  ...clauseParameters,
} as const

/** Parameters of the phrase clauses. */
export const phraseParameters = {
  query: scalar,
  slop: whole.optional(),
  zero_terms_query: zeroTerms.optional(),
  analyzer,
  ...clauseParameters,
} as const
