import { AppError, searchErrors } from '@logstack/errors'
import { unrecognized } from '../refusals/did-you-mean.ts'
import { readBytes, readTime } from '../values/unit-values.ts'
import type { ParameterKind, ParameterTable } from './define-route.ts'

/** Parameters every request may carry; they are applied once, to the answer. */
export const commonParameters = {
  pretty: 'boolean',
  human: 'boolean',
  error_trace: 'boolean',
  filter_path: 'string',
  format: 'string',
  source: 'string',
  source_content_type: 'string',
} as const satisfies ParameterTable

function invalid(message: string, cause?: AppError): AppError {
  return new AppError(searchErrors.illegal_argument_exception, message, cause ? { cause } : {})
}

/**
 * Reads a raw query string by a route's table. A bare flag is `true`; a parameter given twice counts once, the last time. Unknown ones are
 * refused together, with the nearest known name of each.
 */
export function readParameters(
  rawQuery: string,
  table: ParameterTable,
  path: string,
): { query: Record<string, unknown>; common: Record<string, unknown> } {
  const query: Record<string, unknown> = {}
  const common: Record<string, unknown> = {}
  const unknown: string[] = []
  for (const [name, text] of rawPairs(rawQuery)) {
    const kind = Object.hasOwn(table, name) ? table[name] : undefined
    if (kind !== undefined) query[name] = readParameter(name, text, kind)
    if (Object.hasOwn(commonParameters, name)) {
      common[name] = readParameter(name, text, commonParameters[name as keyof typeof commonParameters])
    } else if (kind === undefined) unknown.push(name)
  }
  if (unknown.length > 0) {
    const known = [...Object.keys(table), ...Object.keys(commonParameters)]
    throw invalid(unrecognized(path, 'parameter', unknown.sort(), known))
  }
  return { query, common }
}

function* rawPairs(rawQuery: string): Iterable<[name: string, text: string]> {
  for (const pair of rawQuery.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    yield at < 0 ? [decode(pair), ''] : [decode(pair.slice(0, at)), decode(pair.slice(at + 1))]
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (thrown) {
    if (!(thrown instanceof URIError)) throw thrown
    throw invalid(`Failed to decode query parameter [${text}]: not valid percent-encoded UTF-8`)
  }
}

/** Reads one parameter. Booleans take `true`, `false` and nothing (a bare flag); times need a unit (`30s`), `0` and `-1` do not. */
export function readParameter(name: string, text: string, kind: ParameterKind): unknown {
  if (typeof kind !== 'string') return readChoice(name, text, kind)
  if (kind === 'boolean') {
    if (text === '' || text === 'true') return true
    if (text === 'false') return false
    const refused = invalid(`Failed to parse value [${text}] as only [true] or [false] are allowed.`)
    throw indexOptions.has(name) ? invalid(`Could not convert [${name}] to boolean`, refused) : refused
  }
  if (kind === 'integer') {
    if (/^[+-]?\d+$/.test(text) && Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER) return Number(text)
    const cause = new AppError(searchErrors.number_format_exception, `For input string: "${text}"`)
    throw invalid(`Failed to parse int parameter [${name}] with value [${text}]`, cause)
  }
  if (kind === 'list') return text === '' ? [] : text.split(',').map((item) => item.trim())
  if (kind === 'time') return readTime(name, text)
  if (kind === 'bytes') return readBytes(name, text)
  return text
}

/** Booleans that say which indices are meant: Elasticsearch reads them apart. */
const indexOptions = new Set(['allow_no_indices', 'ignore_throttled', 'ignore_unavailable'])

/** How a value of a parameter that is none of its choices is refused, where that has words of its own. */
const choiceWords: Readonly<Record<string, string>> = {
  health: 'unknown cluster health status [VALUE]',
  op_type: "opType must be 'create' or 'index', found: [VALUE]",
  refresh: 'Unknown value for refresh: [VALUE].',
  search_type: 'No search type for [VALUE]',
  version_type: 'No version type match [VALUE]',
  wait_for_status: 'No enum constant org.elasticsearch.cluster.health.ClusterHealthStatus.VALUE',
}

function readChoice(name: string, text: string, choices: readonly string[]): string {
  if (choices.includes(text)) return text
  if (text === '' && choices.includes('true')) return 'true'
  const words =
    choiceWords[name] ?? `Unknown value [VALUE] for parameter [${name}], expected one of [${choices.join(', ')}]`
  throw invalid(words.replace('VALUE', () => (name === 'wait_for_status' ? text.toUpperCase() : text)))
}
