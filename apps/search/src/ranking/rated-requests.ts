import type { AppError } from '@logstack/errors'
import { isObject } from '../json/json-object.ts'
import { contentError, illegalArgument } from '../refusals/refuse.ts'
import { type Metric, readMetric } from './metrics.ts'
import { checkMembers, notBuilt, requireMembers, wholeMember, within } from './read-members.ts'

type Members = Readonly<Record<string, unknown>>

/** Searches of one request at most. */
const requestsMax = 1000
/** Searches that run at once, where a request does not say less. */
const concurrentMax = 4

/** A search with ratings of documents that it could find. */
export interface RatedRequest {
  readonly id: string
  /** The body of the search, or the template that makes it. */
  readonly search: { readonly body: Members } | { readonly templateId: string; readonly params: Members }
  /** By index and id. */
  readonly ratings: ReadonlyMap<string, number>
}

/** The body of `_rank_eval`. */
export interface RankEvaluation {
  readonly requests: readonly RatedRequest[]
  readonly metric: Metric
  readonly templates: ReadonlyMap<string, unknown>
  readonly concurrent: number
}

/** The name of a document among ratings. */
export function ratedKey(index: unknown, id: unknown): string {
  return JSON.stringify({ _index: index, _id: id })
}

/** Reads the body of `_rank_eval`. Throws `x_content_parse_exception` and `illegal_argument_exception`. */
export function readEvaluation(given: Members): RankEvaluation {
  checkMembers('rank_eval', given, ['requests', 'metric', 'templates', 'max_concurrent_searches'])
  const templates = new Map<string, unknown>()
  for (const template of listOf('rank_eval', given, 'templates'))
    within('rank_eval', 'templates', () => {
      const { id, template: script } = membersOf('template', template, ['id', 'template'])
      templates.set(String(id), script)
    })
  const written = given['requests'] === undefined ? undefined : listOf('rank_eval', given, 'requests')
  const requests = written?.map((each) => within('rank_eval', 'requests', () => readRequest(each)))
  const metric =
    given['metric'] === undefined ? undefined : within('rank_eval', 'metric', () => readMetric(given['metric']))
  requireMembers(given, 'requests', 'metric')
  if (!requests || !metric) throw new Error('BUG: required members were not asked for')
  if (requests.length === 0)
    throw notBuilt(
      'rank_eval',
      'Cannot evaluate ranking if no search requests with rated results are provided. Seen: []',
    )
  if (requests.length > requestsMax) throw illegalArgument(`more than [${requestsMax}] searches in one request`)
  const concurrent = wholeMember('rank_eval', given, 'max_concurrent_searches') ?? concurrentMax
  if (concurrent <= 0) throw illegalArgument('maxConcurrentSearchRequests must be positive')
  return { requests, metric, templates, concurrent: Math.min(concurrent, concurrentMax) }
}

function listOf(part: string, given: Members, name: string): readonly unknown[] {
  const value = given[name]
  if (value === undefined) return []
  if (!Array.isArray(value)) throw contentError(`[${part}] ${name} doesn't support values of this type`)
  return value
}

function membersOf(part: string, given: unknown, required: readonly string[], more: readonly string[] = []): Members {
  if (!isObject(given)) throw contentError(`[${part}] Expected START_OBJECT`)
  checkMembers(part, given, [...required, ...more])
  requireMembers(given, ...required)
  return given
}

function readRequest(given: unknown): RatedRequest {
  const written = membersOf('request', given, ['id', 'ratings'], ['request', 'params', 'template_id', 'summary_fields'])
  const id = String(written['id'])
  const ratings = within('request', 'ratings', () => listOf('request', written, 'ratings').map(readRating))
  const byKey = new Map<string, number>()
  for (const [key, rating] of ratings) {
    if (byKey.has(key))
      throw notBuilt('request', `Found duplicate rated document key [${key}] in evaluation request [${id}]`)
    byKey.set(key, rating)
  }
  return { id, search: readSearch(written), ratings: byKey }
}

function readRating(given: unknown): readonly [string, number] {
  const rated = membersOf('rated_document', given, ['_index', '_id', 'rating'])
  return [ratedKey(String(rated['_index']), String(rated['_id'])), wholeMember('rated_document', rated, 'rating') ?? 0]
}

function readSearch({ request, params, template_id: templateId }: Members): RatedRequest['search'] {
  const hasParams = isObject(params) && Object.keys(params).length > 0
  if (request !== undefined && hasParams)
    throw notBuilt(
      'request',
      'Ambiguous rated request: Set both, verbatim test request and test request template parameters.',
    )
  if (request !== undefined && templateId !== undefined)
    throw notBuilt(
      'request',
      'Ambiguous rated request: Set both, verbatim test request and test request template parameters.',
    )
  if (request === undefined && !hasParams)
    throw notBuilt('request', 'Need to set at least test request or test request template parameters.')
  if (request === undefined && templateId === undefined)
    throw notBuilt('request', 'If template parameters are supplied need to set id of template to apply them to too.')
  if (hasParams) return { templateId: String(templateId), params }
  if (!isObject(request)) throw contentError("[request] request doesn't support values of this type")
  const refused = refusedPart(request)
  if (refused) throw notBuilt('request', refused.message)
  return { body: request }
}

const refusedParts: readonly (readonly [readonly string[], string])[] = [
  [['aggs', 'aggregations'], 'should not contain aggregations.'],
  [['suggest'], 'should not contain a suggest section.'],
  [['highlight'], 'should not contain a highlighter section.'],
  [['explain'], 'should not use explain.'],
  [['profile'], 'should not use profile.'],
]

/** Why a search cannot be rated: it has a part that ratings have no use for. */
export function refusedPart(body: Members): AppError | undefined {
  const isUsed = (value: unknown) => value !== undefined && value !== false && value !== 'false'
  const found = refusedParts.find(([names]) => names.some((name) => isUsed(body[name])))
  return found && illegalArgument(`Query in rated requests ${found[1]}`)
}
