import type { Predicate } from '@logstack/rules'
import type { AnyQueryClause, LowerContext, QueryClause } from '../define-query.ts'
import { illegalArgument, parsingError, readStrictly } from '../shapes/refuse.ts'
import { didYouMean } from '../shapes/suggest.ts'
import { bool } from './bool.ts'
import { boosting } from './boosting.ts'
import { constantScore } from './constant-score.ts'
import { disMax } from './dis-max.ts'
import { exists } from './exists.ts'
import { ids } from './ids.ts'
import { match } from './match.ts'
import { matchAll } from './match-all.ts'
import { matchBoolPrefix } from './match-bool-prefix.ts'
import { matchNone } from './match-none.ts'
import { matchPhrase } from './match-phrase.ts'
import { matchPhrasePrefix } from './match-phrase-prefix.ts'
import { multiMatch } from './multi-match.ts'
import { nested } from './nested.ts'
import { prefix } from './prefix.ts'
import { queryString } from './query-string.ts'
import { range } from './range.ts'
import { regexp } from './regexp.ts'
import { simpleQueryString } from './simple-query-string.ts'
import { term } from './term.ts'
import { terms } from './terms.ts'
import { wildcard } from './wildcard.ts'

/** Every query clause by its wire name: what search supports. */
export const queryClauses: ReadonlyMap<string, AnyQueryClause> = new Map(
  [
    entry(bool),
    entry(boosting),
    entry(constantScore),
    entry(disMax),
    entry(exists),
    entry(ids),
    entry(match),
    entry(matchAll),
    entry(matchBoolPrefix),
    entry(matchNone),
    entry(matchPhrase),
    entry(matchPhrasePrefix),
    entry(multiMatch),
    entry(nested),
    entry(prefix),
    entry(queryString),
    entry(range),
    entry(regexp),
    entry(simpleQueryString),
    entry(term),
    entry(terms),
    entry(wildcard),
  ].map((clause) => [clause.name, clause]),
)

function entry<T>(clause: QueryClause<T>): AnyQueryClause {
  return {
    name: clause.name,
    read(body) {
      const read = readStrictly(clause.schema, body, clause.name, 'query')
      return (context) => clause.lower(read, context)
    },
  }
}

/** A request is lowered once for each index: what was read of its objects is kept as long as they live. */
const readClauses = new WeakMap<object, Lower>()

/** Reads a query and says what it means for one index. Throws `parsing_exception` for what is no query. */
export function lowerQuery(query: unknown, context: LowerContext): Predicate {
  if (query === null || typeof query !== 'object' || Array.isArray(query))
    throw parsingError('[_na] query malformed, must start with start_object')
  const known = readClauses.get(query)
  if (known) return known(context)
  const [first, second] = Object.entries(query)
  if (!first) throw illegalArgument('query malformed, empty clause found')
  const [name, body] = first
  const clause = queryClauses.get(name)
  if (!clause) throw parsingError(`unknown query [${name}]${didYouMean(name, queryClauses.keys())}`)
  if (body === null || typeof body !== 'object')
    throw parsingError(`[${name}] query malformed, no start_object after query name`)
  if (second) throw parsingError(`[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`)
  const read = clause.read(body)
  const label = nameOf(body)
  const lower = label === undefined ? read : labelled(read, label)
  readClauses.set(query, lower)
  return lower(context)
}

type Lower = (context: LowerContext) => Predicate

function labelled(lower: Lower, label: string): Lower {
  return (context) => {
    const predicate = lower(context)
    context.named(label, predicate)
    return predicate
  }
}

/** The `_name` of a clause: beside its parameters, which for clauses on one field are a level further down. */
function nameOf(body: object): string | undefined {
  for (const level of [body, ...Object.values(body)]) {
    if (level === null || typeof level !== 'object' || Array.isArray(level)) continue
    const { _name: name }: { _name?: unknown } = level
    if (typeof name === 'string') return name
  }
  return undefined
}
