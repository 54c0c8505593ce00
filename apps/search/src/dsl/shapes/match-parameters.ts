import { z } from 'zod'
import { illegalArgument, javaEnum, parsingError, refusing } from '../../refusals/refuse.ts'
import { fuzziness, type Nearness } from './fuzziness.ts'
import { clauseParameters, flag, scalar, whole } from './scalars.ts'

/** `and` or `or`, in any case of letters. */
export const operator = javaEnum(['and', 'or'], 'org.elasticsearch.index.query.Operator')

/** What to answer when analysis leaves no word. */
const zeroTerms = refusing(
  z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(['none', 'all'])),
  (given) => parsingError(`Unsupported zero_terms_query value [${String(given)}]`),
)

/** The analyzer that cuts the text instead of the field's own. */
export const analyzer = z.string().optional()

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

function atLeastNone(slop: number): number {
  if (slop < 0) throw illegalArgument('No negative slop allowed.')
  return slop
}

/** Parameters of the phrase clauses. */
export const phraseParameters = {
  query: scalar,
  slop: whole.transform(atLeastNone).optional(),
  zero_terms_query: zeroTerms.optional(),
  analyzer,
  ...clauseParameters,
} as const

/** How near words must be, where a clause says so. */
export function nearnessOf(parameters: {
  readonly fuzziness?: string | number | undefined
  readonly prefix_length?: number | undefined
  readonly fuzzy_transpositions?: boolean | undefined
}): Nearness | undefined {
  const { fuzziness: given, prefix_length: prefixLength, fuzzy_transpositions: transpositions } = parameters
  return given === undefined || String(given) === '0' ? undefined : { fuzziness: given, prefixLength, transpositions }
}
