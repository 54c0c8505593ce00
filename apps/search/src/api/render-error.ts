import { type AppError, errorKinds, isAppError, messageOf } from '@logstack/errors'

/** An error as it goes to the client: Elasticsearch's body and the headers the error asks for. */
export interface RenderedError {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string | string[]>>
}

/** Reserved names in `detail` that steer the rendering and are not shown as they stand. */
interface Steering {
  /** The root causes, when they are others than the error itself (a search that failed on its shards). */
  readonly root_cause?: readonly unknown[]
  /** What is told of the cause, where that is something else than the cause; null is nothing. */
  readonly caused_by?: unknown
  /** The HTTP status, where the kind's is not the one. */
  readonly status?: number
  /** Headers, shown under `header` too. */
  readonly header?: Readonly<Record<string, string | string[]>>
}

/** The inner object of an error: `type`, `reason`, its own properties, `caused_by`. Also the `error` of a bulk item. */
export function renderCause(thrown: unknown, withCause = true): Record<string, unknown> {
  if (!isAppError(thrown)) return { type: 'exception', reason: 'internal error; the log of search has the details' }
  const { root_cause: _rootCause, status: _status, caused_by: told, ...shown } = thrown.detail
  const cause = told !== undefined ? told : isAppError(thrown.cause) ? renderCause(thrown.cause) : null
  return { type: typeOf(thrown), reason: thrown.message, ...shown, ...(withCause && cause ? { caused_by: cause } : {}) }
}

/** Errors that are told apart here and have one name for clients: Lucene's parser of query strings has an exception of its own, of the same name as Elasticsearch's. */
const typesByCode: ReadonlyMap<string, string> = new Map([['query_string_parse_exception', 'parse_exception']])

/** What an error is called for clients. */
function typeOf({ code }: AppError): string {
  return typesByCode.get(code) ?? code
}

/** Exceptions of Java's own, which Elasticsearch does not go through when it looks for the root of a failure. */
const javas = new Set([
  'illegal_argument_exception',
  'illegal_state_exception',
  'number_format_exception',
  'date_time_parse_exception',
  'date_time_exception',
  'zone_rules_exception',
  'query_validation_exception',
  'array_index_out_of_bound_exception',
  'unsupported_operation_exception',
  'named_object_not_found_exception',
  'query_string_parse_exception',
  'x_content_parse_exception',
  'x_content_e_o_f_exception',
  'json_parse_exception',
  'json_e_o_f_exception',
  'action_request_validation_exception',
  'validation_exception',
])

/** Whether an error stands for an exception of Java's own rather than one of Elasticsearch's. */
export function isJavas({ code }: AppError): boolean {
  return javas.has(code)
}

/** The deepest error of Elasticsearch's own that an error comes from; what is wrong in a body is found through its parsers. */
export function rootOf(thrown: AppError): AppError {
  const { cause } = thrown
  const isParsers = ({ code }: AppError) =>
    code === 'x_content_parse_exception' || code === 'named_object_not_found_exception'
  const passes = !isJavas(thrown) || isParsers(thrown)
  if (!passes || !isAppError(cause)) return thrown
  return !isJavas(cause) || (isParsers(thrown) && isParsers(cause)) ? rootOf(cause) : thrown
}

/** The HTTP status of an error. */
export function statusOf(thrown: unknown): number {
  if (!isAppError(thrown)) return errorKinds.internal.httpStatus
  const { status } = thrown.detail as Steering
  return status ?? errorKinds[thrown.kind].httpStatus
}

/** Renders an error as Elasticsearch does. What is no `AppError` shows nothing of itself; the caller logs it. */
export function renderError(thrown: unknown, options: { trace?: boolean } = {}): RenderedError {
  const status = statusOf(thrown)
  const steering: Steering = isAppError(thrown) ? thrown.detail : {}
  const trace = options.trace && isAppError(thrown) ? { stack_trace: traceOf(thrown) } : {}
  const error = {
    root_cause: steering.root_cause ?? [
      { ...renderCause(isAppError(thrown) ? rootOf(thrown) : thrown, false), ...trace },
    ],
    ...renderCause(thrown),
    ...trace,
  }
  return { status, body: { error, status }, headers: steering.header ?? {} }
}

/** An error and its causes as the first lines of Java's traces: index, exception, reason. What lies below is of no use to a client. */
function traceOf(error: AppError): string {
  const { index } = error.detail
  const name = typeOf(error).replace(/(?:^|_)([a-z])/gu, (_, letter: string) => letter.toUpperCase())
  const line = `${typeof index === 'string' ? `[${index}] ` : ''}${name}[${messageOf(error)}]`
  return isAppError(error.cause) ? `${line}\nCaused by: ${traceOf(error.cause)}` : line
}
