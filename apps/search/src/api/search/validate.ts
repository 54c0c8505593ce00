import { type AppError, isAppError } from '@logstack/errors'
import type { ResolvedIndex } from '../../indices/resolve.ts'
import { resolveOptions } from '../../indices/resolve-options.ts'
import { planLeaves } from '../../plan/leaves/plan-leaves.ts'
import { defineRoute } from '../define-route.ts'
import { indicesOptionParameters, resolveAuthorized } from '../resources/authorized-indices.ts'
import { queryOfRequest } from './count.ts'
import { bodyWithLikes } from './more-like-this.ts'
import { queryParameters } from './search-parameters.ts'

/** `_validate/query`: whether a query can be run, and with `explain` why not. */
export const validateRoute = defineRoute({
  name: 'indices.validate_query',
  methods: ['GET', 'POST'],
  paths: ['/_validate/query', '/{index}/_validate/query'],
  privilege: 'authenticated',
  parameters: {
    ...indicesOptionParameters,
    ...queryParameters,
    explain: 'boolean',
    rewrite: 'boolean',
    all_shards: 'boolean',
  },
  async handle(request, services) {
    const indices = resolveAuthorized(request, services, {
      route: 'indices.validate_query',
      privilege: 'view_index_metadata',
      expression: request.params['index'] ?? '',
      options: resolveOptions(request.query),
    })
    const explain = request.query['explain'] === true
    const asker = { services, ...request, route: 'indices.validate_query' }
    let refused: ReadonlyMap<string, AppError>
    try {
      const query = await bodyWithLikes(asker, queryOfRequest(request), () => indices)
      const plan = (some: typeof indices) =>
        planLeaves(services, { indices: some, scope: request.scope, query, nowMs: services.now() })
      refused = refusalsOf(indices, plan)
    } catch (thrown) {
      if (!isAppError(thrown) || thrown.kind !== 'invalid') throw thrown
      // What failed on shards is told by what failed there.
      const told = isAppError(thrown.cause) && thrown.detail['failed_shards'] ? thrown.cause : thrown
      return { json: { valid: false, ...(explain ? { error: refusalText(told) } : {}) } }
    }
    const explanations = indices.map(({ index: { name, uuid } }) => {
      const error = refused.get(name)
      if (error === undefined) return { index: name, valid: true }
      return { index: name, valid: false, error: `[${name}/${uuid}] ${javaText(error)}` }
    })
    const shards = { total: 1, successful: 1, failed: 0 }
    return { json: { _shards: shards, valid: refused.size === 0, ...(explain ? { explanations } : {}) } }
  },
})

/** What indices refuse of a query that can be read: all are asked at once, and one by one only where one of them does not take it. */
function refusalsOf<T extends ResolvedIndex>(
  indices: readonly T[],
  plan: (some: T[]) => unknown,
): ReadonlyMap<string, AppError> {
  const refusal = refusalOf(() => plan([...indices]))
  if (refusal === undefined) return new Map()
  if (indices.length === 0) throw refusal
  const refused = indices.flatMap((index) => {
    const own = refusalOf(() => plan([index]))
    return own === undefined ? [] : [[index.index.name, own] as const]
  })
  return new Map(refused)
}

/** The error of a shard, if that is what the work ends with; others are of the request. */
function refusalOf(work: () => unknown): AppError | undefined {
  try {
    work()
    return undefined
  } catch (thrown) {
    if (isAppError(thrown) && thrown.code === 'query_shard_exception') return thrown
    throw thrown
  }
}

/** Where Elasticsearch has the exceptions that its explanations name in full. */
const javaNames: Readonly<Record<string, string>> = {
  parsing_exception: 'org.elasticsearch.common.ParsingException',
  query_shard_exception: 'org.elasticsearch.index.query.QueryShardException',
  named_object_not_found_exception: 'org.elasticsearch.xcontent.NamedObjectNotFoundException',
  x_content_parse_exception: 'org.elasticsearch.xcontent.XContentParseException',
  x_content_e_o_f_exception: 'org.elasticsearch.xcontent.XContentEOFException',
  illegal_argument_exception: 'java.lang.IllegalArgumentException',
  number_format_exception: 'java.lang.NumberFormatException',
}

/** An error with its cause as Elasticsearch writes them into one line. */
function javaText({ code, message, cause }: AppError): string {
  const own = `${javaNames[code] ?? code}: ${message}`
  return isAppError(cause) ? `${own}; ${javaNames[cause.code] ?? cause.code}: ${cause.message}` : own
}

/** The refusal of a query that cannot be read. */
function refusalText(thrown: AppError): string {
  if (thrown.code === 'parsing_exception') return javaText(thrown)
  return `${javaNames['parsing_exception']}: Failed to parse; ${javaNames[thrown.code] ?? thrown.code}: ${thrown.message}`
}
