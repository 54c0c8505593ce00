import { AppError, searchErrors } from '@logstack/errors'
import { compareValues, evaluate, leavesAt, readValue, type Value, type ValueType } from '@logstack/rules'
import { createLowerContext } from '../dsl/lower-context.ts'
import { illegalArgument } from '../dsl/shapes/refuse.ts'
import { readSort, type SortCriterion, sortSchema } from '../dsl/sort/read-sort.ts'
import type { FieldMapping } from '../indices/model.ts'
import { resolvedFields } from '../indices/resolved-fields.ts'
import type { ApiKeyInfo, Security } from '../security/security.ts'
import { refuseOthers, showKey } from './read-api-key.ts'
import { isObject } from './read-request.ts'

const clauses = new Set([
  ...[
    'bool',
    'exists',
    'ids',
    'match',
    'match_all',
    'prefix',
    'range',
    'simple_query_string',
    'term',
    'terms',
    'wildcard',
  ],
])
const windowMax = 10_000
const sizeDefault = 10

interface Found {
  readonly key: ApiKeyInfo
  readonly sort: readonly Value[] | undefined
}

interface Listed {
  readonly key: ApiKeyInfo
  readonly source: Readonly<Record<string, unknown>>
}

/** The keys that a query finds, one page of them in order. Throws `illegal_argument_exception` for clauses and fields that keys do not have. */
export function queryApiKeys(
  security: Pick<Security, 'user'>,
  keys: readonly ApiKeyInfo[],
  given: unknown,
  nowMs: number,
): { readonly total: number; readonly found: readonly Found[] } {
  const body = given === undefined ? {} : given
  if (!isObject(body)) throw new AppError(searchErrors.parsing_exception, '[query_api_key_request] expects an object')
  if (body['aggs'] ?? body['aggregations']) throw illegalArgument('[aggs] is not supported for API Key query')
  refuseOthers(body, 'query_api_key_request_payload', ['query', 'from', 'size', 'sort', 'search_after'])
  const { query, from = 0, size = sizeDefault, search_after: after } = body
  const window = wholeOf('from', from) + wholeOf('size', size)
  if (window > windowMax)
    throw illegalArgument(
      `Result window is too large, from + size must be less than or equal to: [${windowMax}] but was [${window}].`,
    )
  const listed = keys.map((key): Listed => ({ key, source: showKey(security, key) }))
  const matching = query === undefined ? listed : matches(listed, query, nowMs)
  const sort = sortOf(body['sort'])
  const rows = matching.map(({ key, source }) => ({ key, values: sort.map((one) => sortedBy(source, one)) }))
  const ordered = sort.length === 0 ? rows : rows.sort((a, b) => compareRows(a.values, b.values, sort))
  const later =
    after === undefined ? ordered : ordered.filter(({ values }) => compareRows(values, afterOf(after, sort), sort) > 0)
  const page = later.slice(wholeOf('from', from), window)
  return {
    total: matching.length,
    found: page.map(({ key, values }) => ({
      key,
      sort: sort.length === 0 ? undefined : values.map(({ shown }) => shown),
    })),
  }
}

function wholeOf(name: string, given: unknown): number {
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0) return given
  throw illegalArgument(`[${name}] parameter cannot be negative, found [${String(given)}]`)
}

const keyword = { type: 'keyword' }
const date = { type: 'date' }
const properties: Readonly<Record<string, FieldMapping>> = {
  ...{ id: keyword, name: keyword, type: keyword, username: keyword, realm: keyword },
  ...{ creation: date, expiration: date, invalidation: date, invalidated: { type: 'boolean' } },
}

function matches(listed: readonly Listed[], query: unknown, nowMs: number): Listed[] {
  refuseClauses(query)
  const context = createLowerContext({
    index: undefined,
    fields: resolvedFields({ mapping: { properties: withMetadata(listed) }, settings: {} }),
    scope: { canSeeField: () => true },
    nowMs,
  })
  const predicate = context.lower(query)
  for (const { kind, asked, found } of context.trace)
    if (kind === 'field' && found === '' && !asked.startsWith('metadata.'))
      throw illegalArgument(`Field [${asked}] is not allowed for querying or aggregation`)
  return listed.filter(({ key, source }) => evaluate(predicate, source, { _id: key.id }))
}

/** Every clause of a query, wherever it stands. */
function refuseClauses(query: unknown): void {
  if (!isObject(query)) return
  for (const [name, body] of Object.entries(query)) {
    if (!clauses.has(name)) throw illegalArgument(`Query type [${name}] is not currently supported in this context`)
    if (name !== 'bool' || !isObject(body)) continue
    for (const occur of ['must', 'filter', 'should', 'must_not'])
      for (const inner of [body[occur] ?? []].flat() as unknown[]) refuseClauses(inner)
  }
}

/** Metadata are what their owners made them: each value is found as a word. */
function withMetadata(listed: readonly Listed[]): Record<string, FieldMapping> {
  const found: Record<string, FieldMapping> = {}
  const walk = (value: Readonly<Record<string, unknown>>): Record<string, FieldMapping> =>
    Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, isObject(inner) ? { properties: walk(inner) } : keyword]),
    )
  for (const { key } of listed) Object.assign(found, walk(key.metadata))
  return { ...properties, ...(Object.keys(found).length === 0 ? {} : { metadata: { properties: found } }) }
}

function sortOf(given: unknown): readonly SortCriterion[] {
  if (given === undefined) return []
  const read = sortSchema.safeParse(given)
  if (!read.success) throw illegalArgument('[sort] expects a field, an object of fields or a list of these')
  const criteria = readSort(read.data)
  for (const { field } of criteria)
    if (!Object.hasOwn(properties, field) && !field.startsWith('metadata.'))
      throw illegalArgument(`Field [${field}] is not allowed for sorting`)
  return criteria
}

interface SortValue {
  readonly value: Value | undefined
  readonly shown: Value
}

function sortedBy(source: unknown, { field }: SortCriterion): SortValue {
  const [leaf] = leavesAt(source, field)
  return sortValue(leaf, field)
}

function typeOf(field: string): ValueType {
  const type = properties[field]?.type
  return type === 'date' || type === 'boolean' ? type : 'string'
}

function sortValue(leaf: unknown, field: string): SortValue {
  const value = leaf === undefined ? undefined : readValue(leaf, typeOf(field))
  return { value, shown: value ?? '' }
}

function afterOf(given: unknown, sort: readonly SortCriterion[]): SortValue[] {
  if (!Array.isArray(given) || given.length !== sort.length)
    throw illegalArgument(
      `search_after has ${Array.isArray(given) ? given.length : 1} value(s) but sort has ${sort.length}.`,
    )
  return sort.map(({ field }, at) => sortValue(given[at], field))
}

/** What is missing comes last, whatever the direction. */
function compareRows(a: readonly SortValue[], b: readonly SortValue[], sort: readonly SortCriterion[]): number {
  for (const [at, { descending, field }] of sort.entries()) {
    const [one, other] = [a[at]?.value, b[at]?.value]
    if (one === undefined || other === undefined) {
      if (one !== other) return one === undefined ? 1 : -1
      continue
    }
    const order = compareValues(one, other, typeOf(field))
    if (order !== 0) return descending ? -order : order
  }
  return 0
}
