import { AppError, isAppError, searchErrors } from '@logstack/errors'
import type { Predicate } from '@logstack/rules'
import { didYouMean } from '../../refusals/did-you-mean.ts'
import { illegalArgument, ofRequest, parsingError, readStrictly } from '../../refusals/refuse.ts'
import { boosted, type Score, scoreOf } from '../../scores/score.ts'
import type { AnyQueryClause, LowerContext, QueryClause, ReadClause } from '../define-query.ts'
import { bool } from './bool.ts'
import { boosting } from './boosting.ts'
import { combinedFields } from './combined-fields.ts'
import { constantScore } from './constant-score.ts'
import { disMax } from './dis-max.ts'
import { distanceFeature } from './distance-feature.ts'
import { exists } from './exists.ts'
import { functionScore } from './function-score.ts'
import { fuzzy } from './fuzzy.ts'
import { geoBoundingBox } from './geo-bounding-box.ts'
import { geoDistance } from './geo-distance.ts'
import { geoPolygon } from './geo-polygon.ts'
import { geoShape } from './geo-shape.ts'
import { hasChild } from './has-child.ts'
import { hasParent } from './has-parent.ts'
import { ids } from './ids.ts'
import { intervals } from './intervals.ts'
import { match } from './match.ts'
import { matchAll } from './match-all.ts'
import { matchBoolPrefix } from './match-bool-prefix.ts'
import { matchNone } from './match-none.ts'
import { matchPhrase } from './match-phrase.ts'
import { matchPhrasePrefix } from './match-phrase-prefix.ts'
import { moreLikeThis } from './more-like-this.ts'
import { multiMatch } from './multi-match.ts'
import { nested } from './nested.ts'
import { parentId } from './parent-id.ts'
import { prefix } from './prefix.ts'
import { queryString } from './query-string.ts'
import { range } from './range.ts'
import { rankFeature } from './rank-feature.ts'
import { regexp } from './regexp.ts'
import { script } from './script.ts'
import { scriptScore } from './script-score.ts'
import { simpleQueryString } from './simple-query-string.ts'
import { spanContaining } from './span-containing.ts'
import { spanFirst } from './span-first.ts'
import { spanMulti } from './span-multi.ts'
import { spanNear } from './span-near.ts'
import { spanNot } from './span-not.ts'
import { spanOr } from './span-or.ts'
import { spanTerm } from './span-term.ts'
import { spanWithin } from './span-within.ts'
import { term } from './term.ts'
import { terms } from './terms.ts'
import { termsSet } from './terms-set.ts'
import { wildcard } from './wildcard.ts'
import { wrapper } from './wrapper.ts'

/** Every query clause by its wire name: what search supports. */
export const queryClauses: ReadonlyMap<string, AnyQueryClause> = new Map(
  [
    entry(bool),
    entry(boosting),
    entry(combinedFields),
    entry(constantScore),
    entry(disMax),
    entry(distanceFeature),
    entry(exists),
    entry(functionScore),
    entry(fuzzy),
    entry(geoBoundingBox),
    entry(geoDistance),
    entry(geoPolygon),
    entry(geoShape),
    entry(hasChild),
    entry(hasParent),
    entry(ids),
    entry(intervals),
    entry(match),
    entry(matchAll),
    entry(matchBoolPrefix),
    entry(matchNone),
    entry(matchPhrase),
    entry(matchPhrasePrefix),
    entry(moreLikeThis),
    entry(multiMatch),
    entry(nested),
    entry(parentId),
    entry(prefix),
    entry(queryString),
    entry(rankFeature),
    entry(range),
    entry(regexp),
    entry(script),
    entry(scriptScore),
    entry(simpleQueryString),
    entry(spanContaining),
    entry(spanFirst),
    entry(spanMulti),
    entry(spanNear),
    entry(spanNot),
    entry(spanOr),
    entry(spanTerm),
    entry(spanWithin),
    entry(term),
    entry(terms),
    entry(termsSet),
    entry(wildcard),
    entry(wrapper),
  ].map((clause) => [clause.name, clause]),
)

function entry<T>(clause: QueryClause<T>): AnyQueryClause {
  return {
    name: clause.name,
    schema: clause.schema,
    read(body) {
      const read = readStrictly(clause.schema, body, clause.name, 'query')
      const boost = boostOf(body)
      if (boost < 0)
        throw illegalArgument(
          `negative [boost] are not allowed in [${shownClause(clause.name, body)}], use a value between 0 and 1 to deboost`,
        )
      return {
        lower: (context) => clause.lower(read, context),
        score: (context) => boosted(clause.score?.(read, context) ?? scoreOf(clause.lower(read, context)), boost),
      }
    },
  }
}

/** A request is lowered once for each index: what was read of its objects is kept as long as they live. */
const readClauses = new WeakMap<object, ReadClause>()

/** Reads a query and says what it means for one index. Throws `parsing_exception` for what is no query. */
export function lowerQuery(query: unknown, context: LowerContext): Predicate {
  return readQuery(query).lower(context)
}

/** What a query adds to the score of a document of one index. */
export function scoreQuery(query: unknown, context: LowerContext): Score {
  return readQuery(query).score(context)
}

function readQuery(query: unknown): ReadClause {
  if (query === null || typeof query !== 'object' || Array.isArray(query))
    throw parsingError('[_na] query malformed, must start with start_object')
  const known = readClauses.get(query)
  if (known) return known
  const [first, second] = Object.entries(query)
  if (!first) throw ofRequest(illegalArgument('query malformed, empty clause found'))
  const [name, body] = first
  if (body === null || typeof body !== 'object')
    throw parsingError(`[${name}] query malformed, no start_object after query name`)
  const clause = queryClauses.get(name)
  if (!clause) {
    const unknown = new AppError(searchErrors.named_object_not_found_exception, `unknown field [${name}]`)
    throw parsingError(`unknown query [${name}]${didYouMean(name, queryClauses.keys())}`, unknown)
  }
  if (second) throw parsingError(`[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`)
  const read = readBody(clause, body)
  const label = nameOf(body)
  const clauseRead = label === undefined ? read : labelled(read, label)
  readClauses.set(query, clauseRead)
  return clauseRead
}

/** What is found wrong in the body of a clause before it is made for an index is of the request. */
function readBody(clause: AnyQueryClause, body: unknown): ReadClause {
  try {
    return clause.read(body)
  } catch (thrown) {
    throw isAppError(thrown) ? ofRequest(thrown) : thrown
  }
}

/** A clause without its boost, written as Elasticsearch writes one into an error. */
function shownClause(name: string, body: unknown): string {
  const plain = JSON.stringify({ [name]: body }, (key, value) => (key === 'boost' ? undefined : value), 2)
  return plain.replace(/^(\s*"(?:[^"\\]|\\.)*"):/gmu, '$1 :')
}

function labelled(read: ReadClause, label: string): ReadClause {
  return {
    lower(context) {
      const predicate = read.lower(context)
      context.named(label, predicate, () => read.score(context))
      return predicate
    },
    score: (context) => read.score(context),
  }
}

/** The `boost` of a clause, which for clauses on one field is a level further down. */
function boostOf(body: unknown): number {
  if (body === null || typeof body !== 'object') return 1
  for (const level of [body, ...Object.values(body)]) {
    if (level === null || typeof level !== 'object' || Array.isArray(level)) continue
    const { boost }: { boost?: unknown } = level
    if (boost !== undefined && boost !== null && Number.isFinite(Number(boost))) return Number(boost)
  }
  return 1
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
