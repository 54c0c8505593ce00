import { AppError, searchErrors } from '@logstack/errors'
import { isObject } from '../json/json-object.ts'
import { Double } from '../json/print-json.ts'
import { contentError } from '../refusals/refuse.ts'
import { checkMembers, notBuilt, requireMembers, wholeMember } from './read-members.ts'

type Members = Readonly<Record<string, unknown>>

/** The ratings of the documents that a search found, in their order; undefined of documents that nobody rated. */
export type FoundRatings = readonly (number | undefined)[]

/** What a search is worth by one measure, with what it is made of. */
export interface Quality {
  readonly score: number
  readonly details: Readonly<Record<string, unknown>>
}

/** A measure: how many of the first documents it looks at, and what it makes of them and of all ratings of a request. */
export interface Metric {
  readonly name: string
  readonly k: number
  measure(found: FoundRatings, all: readonly number[]): Quality
}

const kDefault = 10
const thresholdDefault = 1

interface Relevance {
  readonly k: number
  readonly isRelevant: (rating: number | undefined) => boolean
}

/** What the measures that tell relevant documents from others take. */
function relevance(part: string, given: Members, more: readonly string[] = []): Relevance {
  checkMembers(part, given, ['relevant_rating_threshold', 'k', ...more])
  const threshold = wholeMember(part, given, 'relevant_rating_threshold') ?? thresholdDefault
  const k = wholeMember(part, given, 'k') ?? kDefault
  if (threshold < 0) throw notBuilt(part, 'Relevant rating threshold for precision must be positive integer.')
  if (k <= 0) throw notBuilt(part, 'Window size k must be positive.')
  return { k, isRelevant: (rating) => rating !== undefined && rating >= threshold }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

function precision(given: Members): Metric {
  const { k, isRelevant } = relevance('precision', given, ['ignore_unlabeled'])
  const ignoresUnrated = String(given['ignore_unlabeled'] ?? false) === 'true'
  return {
    name: 'precision',
    k,
    measure(found) {
      const relevant = found.filter(isRelevant).length
      const retrieved = ignoresUnrated ? found.filter((rating) => rating !== undefined).length : found.length
      return {
        score: share(relevant, retrieved),
        details: { relevant_docs_retrieved: relevant, docs_retrieved: retrieved },
      }
    },
  }
}

function recall(given: Members): Metric {
  const { k, isRelevant } = relevance('recall', given)
  return {
    name: 'recall',
    k,
    measure(found, all) {
      const [retrieved, relevant] = [found.filter(isRelevant).length, all.filter(isRelevant).length]
      return {
        score: share(retrieved, relevant),
        details: { relevant_docs_retrieved: retrieved, relevant_docs: relevant },
      }
    },
  }
}

function meanReciprocalRank(given: Members): Metric {
  const { k, isRelevant } = relevance('reciprocal_rank', given)
  return {
    name: 'mean_reciprocal_rank',
    k,
    measure(found) {
      const first = found.findIndex(isRelevant)
      return { score: first < 0 ? 0 : 1 / (first + 1), details: { first_relevant: first < 0 ? -1 : first + 1 } }
    },
  }
}

/** Each document's gain, the less the later it comes. */
function gain(ratings: FoundRatings): number {
  return ratings.reduce<number>((sum, rating, at) => sum + (2 ** (rating ?? 0) - 1) / Math.log2(at + 2), 0)
}

function dcg(given: Members): Metric {
  checkMembers('dcg', given, ['k', 'unknown_doc_rating', 'normalize'])
  const unknown = wholeMember('dcg', given, 'unknown_doc_rating')
  const normalized = String(given['normalize'] ?? false) === 'true'
  const k = wholeMember('dcg', given, 'k') ?? kDefault
  return {
    name: 'dcg',
    k,
    measure(found, all) {
      const own = gain(found.map((rating) => rating ?? unknown))
      const unrated = { unrated_docs: unratedCount(found) }
      if (!normalized) return { score: own, details: { dcg: new Double(own), ...unrated } }
      const ideal = gain([...all].sort((a, b) => b - a).slice(0, found.length))
      const score = share(own, ideal)
      const details = { dcg: new Double(own), ideal_dcg: new Double(ideal), normalized_dcg: new Double(score) }
      return { score, details: { ...details, ...unrated } }
    },
  }
}

/** How likely someone is satisfied by a document, by how far down it comes and by what came before it. */
function expectedReciprocalRank(given: Members): Metric {
  const part = 'expected_reciprocal_rank'
  checkMembers(part, given, ['maximum_relevance', 'unknown_doc_rating', 'k'])
  requireMembers(given, 'maximum_relevance')
  const most = wholeMember(part, given, 'maximum_relevance') ?? 0
  const unknown = wholeMember(part, given, 'unknown_doc_rating')
  return {
    name: part,
    k: wholeMember(part, given, 'k') ?? kDefault,
    measure(found) {
      let [score, unsatisfied] = [0, 1]
      for (const [at, rating] of found.entries()) {
        const known = rating ?? unknown
        if (known === undefined) continue
        const satisfied = (2 ** known - 1) / 2 ** most
        score += (unsatisfied * satisfied) / (at + 1)
        unsatisfied *= 1 - satisfied
      }
      return { score, details: { unrated_docs: unratedCount(found) } }
    },
  }
}

function unratedCount(found: FoundRatings): number {
  return found.filter((rating) => rating === undefined).length
}

const metrics: ReadonlyMap<string, (given: Members) => Metric> = new Map([
  ['precision', precision],
  ['recall', recall],
  ['mean_reciprocal_rank', meanReciprocalRank],
  ['dcg', dcg],
  ['expected_reciprocal_rank', expectedReciprocalRank],
])

/** Reads the measure of a request: an object whose one member is named by it. */
export function readMetric(given: unknown): Metric {
  if (!isObject(given)) throw contentError("[rank_eval] metric doesn't support values of this type")
  const [first, second] = Object.entries(given)
  const expected = (wanted: string, found: string) =>
    new AppError(
      searchErrors.parsing_exception,
      `Failed to parse object: expecting token of type [${wanted}] but found [${found}]`,
    )
  if (!first) throw expected('FIELD_NAME', 'END_OBJECT')
  const [name, parameters] = first
  const read = metrics.get(name)
  if (!read) throw new AppError(searchErrors.named_object_not_found_exception, `unknown field [${name}]`)
  if (!isObject(parameters)) throw contentError(`[${name}] Expected START_OBJECT`)
  const metric = read(parameters)
  if (second) throw expected('END_OBJECT', 'FIELD_NAME')
  return metric
}
