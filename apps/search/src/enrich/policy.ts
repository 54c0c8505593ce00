import { AppError, searchErrors } from '@logstack/errors'
import { isObject } from '../json/json-object.ts'
import type { Store } from '../store/store.ts'
import { keyings } from './keys/index.ts'
import type { TableShape } from './keys/keying.ts'

type Json = Readonly<Record<string, unknown>>

/** The types of policies, named as in requests. */
export type PolicyType = keyof typeof keyings

/** What a policy says. */
export interface EnrichPolicy {
  readonly type: PolicyType
  readonly indices: readonly string[]
  readonly match_field: string
  readonly enrich_fields: readonly string[]
  readonly query?: Json
  readonly elasticsearch_version?: string
}

/** What an execution made. */
export interface EnrichVersion {
  /** Names its rows in the store. */
  readonly id: number
  readonly shape: TableShape
  readonly executedAtMs: number
  readonly documents: number
}

/** A policy as it is kept. */
export interface StoredEnrichPolicy {
  readonly policy: EnrichPolicy
  /** Absent until it was executed. */
  readonly version?: EnrichVersion
}

function invalid(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

/** The policies by name. */
export function enrichPolicies(store: Pick<Store, 'collection'>) {
  return store.collection<StoredEnrichPolicy>('enrich_policy')
}

/** Throws `illegal_argument_exception` for what is no name: the rules are those of indices. */
export function checkPolicyName(name: string): void {
  const problem = [...'\\/*?"<>| ,#:'].some((letter) => name.includes(letter))
    ? 'must not contain the following characters [ , \\, /, *, ?, ", <, >, |, ,, #, :]'
    : /^[_+-]/u.test(name)
      ? "must not start with '_', '-', or '+'"
      : name !== name.toLowerCase()
        ? 'must be lowercase'
        : name === '.' || name === '..'
          ? "must not be '.' or '..'"
          : Buffer.byteLength(name) > 255
            ? 'name is too long'
            : undefined
  if (problem !== undefined) throw invalid(`Invalid policy name [${name}], ${problem}`)
}

function parse(reason: string): AppError {
  return new AppError(searchErrors.x_content_parse_exception, reason)
}

function texts(given: unknown, option: string): readonly string[] {
  const list = typeof given === 'string' ? [given] : given
  if (Array.isArray(list) && list.every((each) => typeof each === 'string')) return list
  throw parse(`[policy] failed to parse field [${option}]`)
}

/** Reads the body of `PUT /_enrich/policy/{name}`. Throws `x_content_parse_exception` or `illegal_argument_exception`. */
export function parseEnrichPolicy(body: Json): EnrichPolicy {
  const [entry, ...more] = Object.entries(body)
  if (!entry || more.length > 0) throw invalid('exactly one policy type is expected')
  const [type, given] = entry
  if (!isPolicyType(type)) {
    throw invalid(`unsupported policy type [${type}], supported types are [${Object.keys(keyings).sort().join(', ')}]`)
  }
  if (!isObject(given)) throw parse(`[policy] expects an object under [${type}]`)
  const { indices, match_field, enrich_fields, query, elasticsearch_version, ...unknown } = given
  const [other] = Object.keys(unknown)
  if (other !== undefined) throw parse(`[policy] unknown field [${other}]`)
  const missing = Object.entries({ indices, match_field, enrich_fields }).find(([, value]) => value === undefined)
  if (missing) throw invalid(`Missing required fields [${missing[0]}]`)
  if (typeof match_field !== 'string') throw parse('[policy] failed to parse field [match_field]')
  const policy: EnrichPolicy = {
    type,
    indices: texts(indices, 'indices'),
    match_field,
    enrich_fields: texts(enrich_fields, 'enrich_fields'),
    ...(isObject(query) ? { query } : {}),
    ...(typeof elasticsearch_version === 'string' ? { elasticsearch_version } : {}),
  }
  if (query !== undefined && !isObject(query)) throw parse('[policy] failed to parse field [query]')
  for (const [option, list] of Object.entries({ indices: policy.indices, enrich_fields: policy.enrich_fields }))
    if (list.length === 0) throw invalid(`[${option}] must not be empty`)
  return policy
}

function isPolicyType(name: string): name is PolicyType {
  return Object.hasOwn(keyings, name)
}

/** The policy of that name. Throws `resource_not_found_exception`. */
export function requirePolicy(store: Pick<Store, 'collection'>, name: string): StoredEnrichPolicy {
  const found = enrichPolicies(store).get(name)
  if (found) return found
  throw new AppError(searchErrors.resource_not_found_exception, `policy [${name}] not found`)
}
