import { AppError, searchErrors } from '@logstack/errors'
import { resolveOptions } from '../../indices/resolve-options.ts'
import { isObject } from '../../json/json-object.ts'
import { illegalArgument, parsingError } from '../../refusals/refuse.ts'
import { validationError } from '../../refusals/validation-error.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type RouteRequest } from '../define-route.ts'
import { indicesOptionParameters, resolveAuthorized } from '../resources/authorized-indices.ts'
import { indicesHolding } from './index-filter.ts'
import { runSearch } from './run-search.ts'

const sizeDefault = 10
const sizeMax = 10_000
/** Terms that are looked through for those after another one, or for addresses that begin with a text. */
const lookedThroughMax = 65_535

interface TermsEnum {
  readonly field: string
  readonly prefix: string
  readonly size: number
  readonly ignoresCase: boolean
  readonly indexFilter: unknown
  readonly after: string | undefined
  readonly timeout: unknown
}

/** `_terms_enum`: the values of a field that begin with a text, in their order, of the documents that the caller may read. */
export const termsEnumRoute = defineRoute({
  name: 'terms_enum',
  methods: ['GET', 'POST'],
  paths: ['/{index}/_terms_enum'],
  privilege: 'authenticated',
  parameters: indicesOptionParameters,
  async handle(request, services) {
    const asked = readBody(request)
    const found = resolveAuthorized(request, services, {
      route: 'terms_enum',
      privilege: 'read',
      expression: request.params['index'] ?? '',
      options: resolveOptions(request.query, { forbidClosed: true }),
    })
    const indices = await indicesHolding(services, request, found, asked.indexFilter)
    const isOfAddresses = indices.some(
      ({ index }) => services.catalogue.fields(index).get(asked.field)?.wireType === 'ip',
    )
    const { terms, complete } =
      indices.length === 0
        ? { terms: [], complete: true }
        : await termsOf(services, request, asked, { names: indices.map(({ index }) => index.name), isOfAddresses })
    return { json: { _shards: { total: found.length, successful: found.length, failed: 0 }, terms, complete } }
  },
})

const readers: Readonly<Record<string, (value: unknown) => boolean>> = {
  field: (value) => typeof value === 'string',
  string: (value) => typeof value === 'string',
  search_after: (value) => typeof value === 'string',
  timeout: (value) => typeof value === 'string',
  size: Number.isInteger,
  case_insensitive: (value) => typeof value === 'boolean',
  index_filter: isObject,
}

function readBody(request: RouteRequest): TermsEnum {
  const body = request.json()
  if (body === undefined)
    throw new AppError(searchErrors.parse_exception, 'request body or source parameter is required')
  if (!isObject(body)) throw parsingError('Expected [START_OBJECT] but found something else')
  for (const [key, value] of Object.entries(body)) {
    const fits = readers[key]
    if (fits === undefined) throw parsingError(`[terms_enum_request] unknown field [${key}]`)
    if (!fits(value)) throw parsingError(`[terms_enum_request] failed to parse field [${key}]`)
  }
  const { field, string: prefix = '', size = sizeDefault, case_insensitive: ignoresCase = false } = body
  if (field === undefined) throw validationError('field cannot be null')
  if (Number(size) <= 0) throw validationError('size must be positive')
  if (Number(size) > sizeMax) throw illegalArgument(`[size] is at most [${sizeMax}], it was [${String(size)}]`)
  return {
    field: String(field),
    prefix: String(prefix),
    size: Number(size),
    ignoresCase: ignoresCase === true,
    indexFilter: body['index_filter'],
    after: body['search_after'] as string | undefined,
    timeout: body['timeout'],
  }
}

/** The regular expression of all that begins with a text. */
function includeOf({ prefix, ignoresCase }: TermsEnum): string {
  const letters = [...prefix].map((letter) => {
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()]
    if (ignoresCase && lower !== upper && lower.length === 1 && upper.length === 1) return `[${lower}${upper}]`
    return /^[\p{L}\p{N}\s]$/u.test(letter) ? letter : `\\${letter}`
  })
  return `${letters.join('')}.*`
}

async function termsOf(
  services: Services,
  request: RouteRequest,
  asked: TermsEnum,
  { names, isOfAddresses }: { readonly names: readonly string[]; readonly isOfAddresses: boolean },
): Promise<{ readonly terms: string[]; readonly complete: boolean }> {
  const { field, prefix, size, ignoresCase, after, timeout } = asked
  const comparable = (text: string): string => (ignoresCase ? text.toLowerCase() : text)
  const isFiltered = !isOfAddresses && prefix !== ''
  const terms = {
    field,
    order: { _key: 'asc' },
    size: after === undefined && !isOfAddresses ? size : lookedThroughMax,
    ...(isFiltered ? { include: includeOf(asked) } : {}),
  }
  const answer = await runSearch(services, {
    scope: request.scope,
    signal: request.signal,
    expression: request.params['index'] ?? '',
    query: request.query,
    // Not the names as the expression: an alias has a filter.
    body: {
      size: 0,
      timeout,
      track_total_hits: false,
      query: { terms: { _index: names } },
      aggs: { terms: { terms } },
    },
    route: 'terms_enum',
  })
  const { aggregations, timed_out: isLate } = JSON.parse(answer.toString('utf8')) as {
    timed_out: boolean
    aggregations?: { terms: { sum_other_doc_count: number; buckets: { key: unknown; key_as_string?: string }[] } }
  }
  const buckets = aggregations?.terms.buckets ?? []
  const keys = buckets.map(({ key, key_as_string: text }) => text ?? String(key))
  const fitting = keys.filter(
    (key) => comparable(key).startsWith(comparable(prefix)) && (after === undefined || key > after),
  )
  return { terms: fitting.slice(0, size), complete: !isLate && buckets.length < lookedThroughMax }
}
