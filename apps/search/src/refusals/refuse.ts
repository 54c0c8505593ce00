import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import { jsonToken } from '../json/json-token.ts'
import { didYouMean } from './did-you-mean.ts'

/** A request body that is not what its grammar says. */
export function parsingError(reason: string, cause?: AppError): AppError {
  return new AppError(searchErrors.parsing_exception, reason, cause ? { cause } : {})
}

/**
 * Where an error is met that a query or an index has nothing to do with: in the request itself, before any index is looked at; by a shard, before it makes a query;
 * or when the answers of shards are put together. The first that is noted holds.
 */
const metIn = new WeakMap<object, 'request' | 'shard' | 'reduction'>()

function noted<T extends AppError>(error: T, place: 'request' | 'shard' | 'reduction'): T {
  if (!metIn.has(error)) metIn.set(error, place)
  return error
}

/** Notes that an error is of the request itself: no shard failed. */
export function ofRequest<T extends AppError>(error: T): T {
  return noted(error, 'request')
}

/** Whether an error was noted as one of the request itself. */
export function isOfRequest(error: object): boolean {
  return metIn.get(error) === 'request'
}

/** Runs what a shard does before it makes a query: what stands in its way is not reported as of the query. */
export function ofShard<T>(work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    throw isAppError(thrown) ? noted(thrown, 'shard') : thrown
  }
}

/** Notes that an error is met when the answers of shards are put together: none of them failed. */
export function ofReduction<T extends AppError>(error: T): T {
  return noted(error, 'reduction')
}

/** Whether an error was noted as one of putting answers together. */
export function isOfReduction(error: object): boolean {
  return metIn.get(error) === 'reduction'
}

/** Whether an error is to be reported as it is, whatever of an index it was met by. */
export function isPlain(error: object): boolean {
  const place = metIn.get(error)
  return place === 'request' || place === 'shard'
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
    if (isAppError(thrown) && shardErrors.has(thrown.code) && !isPlain(thrown) && indexName !== '')
      throw queryShardError(indexName, thrown)
    throw thrown
  }
}

const shardErrors = new Set([
  'exception',
  'illegal_state_exception',
  'query_validation_exception',
  'illegal_argument_exception',
  'number_format_exception',
  'parse_exception',
  'query_string_parse_exception',
  'unsupported_operation_exception',
  'zone_rules_exception',
])

/** Clauses that the newer of Elasticsearch's parsers read. */
const objectParsed = new Set(['bool', 'field_sort', 'highlight', 'highlight_field', 'ids', 'match_all', 'match_none'])

/** Of these, those whose unknown members are wrapped once more. */
const isClause = new Set(['ids', 'match_all', 'match_none'])

/** Reads a body by a strict schema; what does not fit becomes a `parsing_exception` in the clause's name. */
export function readStrictly<T>(schema: z.ZodType<T>, body: unknown, name: string, kind: 'query' | 'aggregation'): T {
  const read = schema.safeParse(body)
  if (read.success) return read.data
  const issue = firstIssue(read.error.issues, body)
  const at = issue && issue.path.length > 0 ? issue.path.join('.') : undefined
  if (issue?.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? ''
    if (name === 'top_hits')
      throw parsingError(`Unknown key for a ${jsonToken(valueAt(body, [...(issue?.path ?? []), key]))} in [${key}].`)
    if (kind === 'query' && !objectParsed.has(name)) throw parsingError(`[${name}] query does not support [${key}]`)
    const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
    const unknown = contentError(`[${name}] unknown field [${key}]${didYouMean(key, known)}`)
    throw kind === 'query' && isClause.has(name) ? parsingError(unknown.message, unknown) : unknown
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw parsingError(`[${name}] ${kind} malformed, no start_object after query name`)
  if (issue && at !== undefined)
    throwMember(issue, body, { name, isNewer: kind === 'aggregation' || objectParsed.has(name) })
  const refused = kind === 'aggregation' && at !== undefined ? contentError : parsingError
  throw refused(`[${name}] ${at ? `failed to parse field [${at}]: ` : ''}${issue?.message ?? 'malformed'}`)
}

/** What a schema found wrong. */
type Issue = z.core.$ZodIssue

/** What a reader of the text from its beginning meets first: members that are missing are missed at its end. */
export function firstIssue(issues: readonly Issue[], body: unknown): Issue | undefined {
  const members = body !== null && typeof body === 'object' ? Object.keys(body) : []
  const placeOf = (member: PropertyKey | undefined) => {
    const place = member === undefined ? 0 : members.indexOf(String(member))
    return place < 0 ? members.length : place
  }
  const place = (issue: Issue) =>
    issue.path.length === 0 && issue.code === 'unrecognized_keys'
      ? Math.min(...issue.keys.map(placeOf))
      : placeOf(issue.path[0])
  return issues.toSorted((one, other) => place(one) - place(other))[0]
}

/** Refuses a member as its parser does, where it can be told what that met: the newer parsers say whose member it was. */
function throwMember(issue: Issue, body: object, { name, isNewer }: { name: string; isNewer: boolean }): void {
  const member = String(issue.path[0])
  const given = valueAt(body, issue.path)
  const refusal = refusalOf(issue, given)
  if (refusal)
    throw isNewer && given !== undefined
      ? contentError(`[${name}] failed to parse field [${member}]`, refusal)
      : refusal
  if (given === undefined || issue.path.length > 1 || !isOfOtherKind(issue, given)) return
  if (isNewer) throw contentError(`[${name}] ${member} doesn't support values of type: ${jsonToken(given)}`)
  throw parsingError(`[${name}] unknown token [${jsonToken(given)}] after [${member}]`)
}

/** How an issue is refused in words of its own, if it is. */
export function refusalIn(issue: Issue, body: unknown): AppError | undefined {
  return refusalOf(issue, valueAt(body, issue.path))
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner === null || inner === undefined ? undefined : Object(inner)[key]),
    body,
  )
}

/** An issue, or those of all forms that were tried. */
function triedIssues(issue: Issue): readonly Issue[] {
  return issue.code === 'invalid_union' ? issue.errors.flat().flatMap(triedIssues) : [issue]
}

/** What a schema says itself of a value it refuses (`refusing`), or Java of a text that should be a number or a boolean. */
function refusalOf(issue: Issue, given: unknown): AppError | undefined {
  const tried = triedIssues(issue)
  for (const each of tried) {
    const refusal: unknown = each.code === 'custom' ? each.params?.['refusal'] : undefined
    if (isAppError(refusal)) return refusal
  }
  if (typeof given !== 'string') return undefined
  const expects = (kind: string) => tried.some((each) => each.code === 'invalid_type' && each.expected === kind)
  if (expects('number')) return numberFormatError(given)
  return expects('boolean')
    ? illegalArgument(`Failed to parse value [${given}] as only [true] or [false] are allowed.`)
    : undefined
}

function isOfOtherKind(issue: Issue, given: unknown): boolean {
  const isContainer = typeof given === 'object'
  return isContainer && triedIssues(issue).every(({ code }) => code === 'invalid_type' || code === 'invalid_value')
}

/** A text that should be a number and is none. */
export function numberFormatError(text: string): AppError {
  return new AppError(
    searchErrors.number_format_exception,
    text === '' ? 'empty String' : `For input string: "${text}"`,
  )
}

/** A schema that refuses in words of its own what another refuses, also that nothing is given. */
export function refusing<T>(schema: z.ZodType<T>, refusal: (given: unknown) => AppError): z.ZodType<T> {
  return z.unknown().transform((given, context) => {
    const read = schema.safeParse(given)
    if (read.success) return read.data
    context.issues.push({ code: 'custom', input: given, message: 'refused', params: { refusal: refusal(given) } })
    return z.NEVER
  })
}

/** What must be given, whatever it is. */
export function required(refusal: () => AppError): z.ZodType<unknown> {
  return refusing(
    z.unknown().refine((given) => given !== undefined),
    refusal,
  )
}

/** A name of a list, in any case of letters; another one is refused as Java refuses it, by the name of its own list. */
export function javaEnum<const T extends string>(names: readonly T[], list: string): z.ZodType<T> {
  const known = z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(names))
  return refusing(known as z.ZodType<T>, (given) =>
    illegalArgument(`No enum constant ${list}.${String(given).toUpperCase()}`),
  )
}
