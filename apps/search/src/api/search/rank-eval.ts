import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { isObject } from '../../json/json-object.ts'
import { Double, printJson } from '../../json/print-json.ts'
import { parseExactJson } from '../../json/source-json.ts'
import { evaluateRanking, type FoundHit } from '../../ranking/evaluate.ts'
import { type RankEvaluation, type RatedRequest, readEvaluation, refusedPart } from '../../ranking/rated-requests.ts'
import { illegalArgument, memberError } from '../../refusals/refuse.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type RouteRequest } from '../define-route.ts'
import { parseExactBody } from '../read-request.ts'
import { renderError } from '../render-error.ts'
import { runSearch } from './run-search.ts'
import { renderedBody } from './search-template.ts'

/** `_rank_eval`: how well searches find what people rated. Each search reads only what its caller may. */
export const rankEvalRoute = defineRoute({
  name: 'rank_eval',
  methods: ['GET', 'POST'],
  paths: ['/_rank_eval', '/{index}/_rank_eval'],
  privilege: 'authenticated',
  parameters: {
    ignore_unavailable: 'boolean',
    ignore_throttled: 'boolean',
    allow_no_indices: 'boolean',
    expand_wildcards: 'list',
    search_type: ['query_then_fetch', 'dfs_query_then_fetch'],
  },
  async handle(request, services) {
    const body = parseExactBody(request)
    if (body === undefined)
      throw new AppError(searchErrors.parse_exception, 'request body or source parameter is required')
    if (!isObject(body)) throw new AppError(searchErrors.parsing_exception, '[rank_eval] Expected START_OBJECT')
    const evaluation = readEvaluation(body)
    // All bodies are made before a search runs: what is wrong in a template is of the whole request.
    const bodies = new Map(evaluation.requests.map((rated) => [rated, bodyOf(services, evaluation, rated)]))
    const json = await evaluateRanking(
      evaluation,
      (rated, size) => hitsOf(services, request, { rated, body: bodies.get(rated), size }),
      (thrown) => (renderError(thrown, { trace: request.errorTrace === true }).body as { error: unknown }).error,
    )
    return { jsonBytes: Buffer.from(printJson(json)) }
  },
})

function bodyOf(services: Services, { templates }: RankEvaluation, { search }: RatedRequest): unknown {
  if ('body' in search) return search.body
  const template = templates.get(search.templateId)
  if (!isObject(template)) throw illegalArgument(`there is no template [${search.templateId}] in [templates]`)
  const { id, source } = template
  const body = renderedBody(services, { ...(id === undefined ? { source } : { id }), params: search.params })
  const refused = isObject(body) ? refusedPart(body) : undefined
  if (refused) throw refused
  return body
}

async function hitsOf(
  services: Services,
  { scope, signal, params, query }: RouteRequest,
  { rated, body, size }: { readonly rated: RatedRequest; readonly body: unknown; readonly size: number },
): Promise<readonly FoundHit[]> {
  try {
    const bytes = await runSearch(services, {
      scope,
      signal,
      expression: params['index'] ?? '',
      query,
      body: { ...(isObject(body) ? body : {}), _source: false, size },
      route: 'search',
    })
    const { hits } = parseExactJson(bytes.toString('utf8')) as { readonly hits: { readonly hits: readonly FoundHit[] } }
    return hits.hits.map(withScore)
  } catch (thrown) {
    const isWritten = 'body' in rated.search && isAppError(thrown) && thrown.code === 'parsing_exception'
    throw isWritten ? memberError('rank_eval', 'requests', memberError('request', 'request', thrown)) : thrown
  }
}

/** A hit whose score is written as a double, as it was before it was read. */
function withScore(hit: FoundHit): FoundHit {
  const score = hit['_score']
  return typeof score === 'number' ? { ...hit, _score: new Double(score) } : hit
}
