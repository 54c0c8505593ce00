import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import { didYouMean } from './suggest.ts'

/** A request body that is not what its grammar says. */
export function parsingError(reason: string, cause?: AppError): AppError {
  return new AppError(searchErrors.parsing_exception, reason, cause ? { cause } : {})
}

const ofRequests = new WeakSet<object>()

/** Notes that an error is of the request itself: it is met before any index is looked at, and no shard failed. */
export function ofRequest<T extends AppError>(error: T): T {
  ofRequests.add(error)
  return error
}

/** Whether an error was noted as one of the request itself. */
export function isOfRequest(error: object): boolean {
  return ofRequests.has(error)
}

/** A member of a clause that cannot be read, as the newer of Elasticsearch's parsers report it. */
export function memberError(clause: string, member: string, cause: AppError): AppError {
  return ofRequest(contentError(`[${clause}] failed to parse field [${member}]`, cause))
}

/** What the newer of Elasticsearch's parsers report of their own fields. */
export function contentError(reason: string, cause?: AppError): AppError {
  return new AppError(searchErrors.x_content_parse_exception, reason, cause ? { cause } : {})
}

/** A request that is well formed and asks for something that cannot be. */
export function illegalArgument(reason: string, cause?: AppError): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason, cause ? { cause } : {})
}

/** A query that cannot be made for one index, with what stands in its way. */
export function queryShardError(
  indexName: string,
  cause: AppError | undefined,
  reason = `failed to create query: ${cause?.message ?? ''}`,
): AppError {
  return new AppError(searchErrors.query_shard_exception, reason, {
    detail: { index: indexName },
    ...(cause ? { cause } : {}),
  })
}

/** Runs the making of a query for an index; what stands in its way and does not name the index yet is reported as of it. */
export function asOfIndex<T>(indexName: string, work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    if (isAppError(thrown) && shardErrors.has(thrown.code) && !isOfRequest(thrown) && indexName !== '')
      throw queryShardError(indexName, thrown)
    throw thrown
  }
}

const shardErrors = new Set([
  'illegal_argument_exception',
  'number_format_exception',
  'parse_exception',
  'query_string_parse_exception',
  'unsupported_operation_exception',
])

/** Clauses that the newer of Elasticsearch's parsers read. */
const objectParsed = new Set(['bool', 'ids', 'match_all', 'match_none'])

/** Reads a body by a strict schema; what does not fit becomes a `parsing_exception` in the clause's name. */
export function readStrictly<T>(schema: z.ZodType<T>, body: unknown, name: string, kind: 'query' | 'aggregation'): T {
  const read = schema.safeParse(body)
  if (read.success) return read.data
  const issue = read.error.issues[0]
  const at = issue && issue.path.length > 0 ? issue.path.join('.') : undefined
  if (issue?.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? ''
    if (kind === 'query' && !objectParsed.has(name)) throw parsingError(`[${name}] query does not support [${key}]`)
    const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
    const unknown = contentError(`[${name}] unknown field [${key}]${didYouMean(key, known)}`)
    throw kind === 'query' && name !== 'bool' ? parsingError(unknown.message, unknown) : unknown
  }
  if (body === null || typeof body !== 'object')
    throw parsingError(`[${name}] ${kind} malformed, no start_object after query name`)
  const refused = kind === 'aggregation' && at !== undefined ? contentError : parsingError
  throw refused(`[${name}] ${at ? `failed to parse field [${at}]: ` : ''}${issue?.message ?? 'malformed'}`)
}
