import { AppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import type { JsonObject } from '../../json/json-object.ts'
import { Double, printDouble } from '../../json/print-json.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import type { BucketValue, GapPolicy, RenderedBucket } from './define-pipeline.ts'

/** What a bucket without a value counts as. */
export const gapPolicy = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(z.enum(['skip', 'insert_zeros', 'keep_values']))

/** The names of a path: `a>b.value` is a, b, value; `a>b[50]` is a, b, 50; `a['x']>b` is a, 'x', b. */
export function pathElements(path: string): string[] {
  const tokens = path.split('>')
  return tokens.flatMap((token, at) => {
    const bracket = /^(.+)\[(.+)\]$/u.exec(token)
    if (bracket) return bracket.slice(1)
    const dot = token.lastIndexOf('.')
    if (at < tokens.length - 1 || dot < 0) return [token]
    if (dot === 0 || dot === token.length - 1)
      throw illegalArgument(`Invalid path element [${token}] in path [${path}]`)
    return [token.slice(0, dot), token.slice(dot + 1)]
  })
}

/** The value a path leads to from a bucket: NaN for a gap that is skipped. Throws when it leads to no single number. */
export function bucketValue(bucket: JsonObject, path: readonly string[], gap: GapPolicy = 'skip'): number {
  const value = asNumber(fromBucket(bucket, path), path)
  const isCount = path.length === 1 && path[0] === '_count'
  const filled = isCount || Number(bucket['doc_count'] ?? 1) > 0
  if (filled && Number.isFinite(value)) return value
  if (gap === 'insert_zeros') return 0
  return gap === 'keep_values' && Number.isFinite(value) ? value : Number.NaN
}

/** The values of a path over the buckets of an aggregation beside it, gaps left out. */
export function siblingValues(
  answers: JsonObject,
  path: string,
  gap: GapPolicy | undefined,
  name: string,
): BucketValue[] {
  let [first = '', ...rest] = pathElements(path)
  let answer = namedAnswer(answers, first)
  // A single bucket on the way is stepped through.
  while (isObject(answer) && !('buckets' in answer) && 'doc_count' in answer && rest.length > 0) {
    ;[first = '', ...rest] = rest
    answer = namedAnswer(answer, first)
  }
  if (!isObject(answer) || !('buckets' in answer))
    throw new AppError(
      searchErrors.action_request_validation_exception,
      `Validation Failed: 1: The first aggregation in buckets_path must be a multi-bucket aggregation for aggregation [${name}] found [${first}] for buckets path: ${path};`,
    )
  return bucketsOf(answer).flatMap(({ name: key, answer: bucket }) => {
    const value = bucketValue(bucket, rest, gap)
    return Number.isNaN(value) ? [] : [{ key: key ?? keyText(bucket), value }]
  })
}

/** The buckets of a rendered aggregation. */
export function bucketsOf({ buckets }: JsonObject): RenderedBucket[] {
  if (Array.isArray(buckets)) return buckets.filter(isObject).map((answer) => ({ name: undefined, answer }))
  if (!isObject(buckets)) return []
  return Object.entries(buckets).flatMap(([name, answer]) => (isObject(answer) ? [{ name, answer }] : []))
}

/** A rendered aggregation with other buckets. */
export function withBuckets(answer: JsonObject, buckets: readonly RenderedBucket[]): JsonObject {
  return {
    ...answer,
    buckets: Array.isArray(answer['buckets'])
      ? buckets.map((bucket) => bucket.answer)
      : Object.fromEntries(buckets.map((bucket) => [bucket.name ?? '', bucket.answer])),
  }
}

/** A rendered number, whichever way it is held; undefined for anything else. */
export function plainNumber(value: unknown): number | undefined {
  if (value instanceof Double) return value.value
  if (value === null || value === 'NaN') return Number.NaN
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
}

function keyText(bucket: JsonObject): string {
  const { key, key_as_string: shown } = bucket
  if (typeof shown === 'string') return shown
  return key instanceof Double ? printDouble(key.value) : String(key)
}

function fromBucket(bucket: JsonObject, path: readonly string[]): unknown {
  const [name = '', ...rest] = path
  if (name === '_count') return bucket['doc_count']
  if (name === '_key') return bucket['key']
  const answer = namedAnswer(bucket, name)
  // A pipeline has no answer in some buckets; that the name stands for something was seen when the request was read.
  if (answer === undefined) return null
  return fromAggregation(answer, rest, path)
}

function fromAggregation(answer: unknown, rest: readonly string[], path: readonly string[]): unknown {
  if (!isObject(answer)) return undefined
  const [next, ...further] = rest
  if ('buckets' in answer) {
    const buckets = bucketsOf(answer)
    if (next === '_bucket_count') return buckets.length
    const wanted = /^'(.*)'$/u.exec(next ?? '')?.[1]
    if (wanted === undefined) throw notSingle(path, 'got: [Object[]] at aggregation', path[0])
    const found = buckets.find((bucket) => (bucket.name ?? keyText(bucket.answer)) === wanted)
    return found ? fromBucket(found.answer, further) : null
  }
  if ('doc_count' in answer) {
    if (next === undefined) throw notSingle(path, 'got: [InternalSingleBucketAggregation] at aggregation', path[0])
    return fromBucket(answer, rest)
  }
  return fromMetric(answer, next, path)
}

const boundNames: Readonly<Record<string, string>> = {
  std_upper: 'upper',
  std_lower: 'lower',
  std_upper_population: 'upper_population',
  std_lower_population: 'lower_population',
  std_upper_sampling: 'upper_sampling',
  std_lower_sampling: 'lower_sampling',
}

function fromMetric(answer: JsonObject, property: string | undefined, path: readonly string[]): unknown {
  if (property === undefined || property === 'value') {
    if ('value' in answer) return answer['value']
    throw notSingle(path, '', path[0])
  }
  const { values, std_deviation_bounds: bounds, top } = answer
  if (values !== undefined) return percentileOf(values, Number(property))
  const bound = boundNames[property]
  if (bound !== undefined && isObject(bounds)) return bounds[bound]
  if (Array.isArray(top)) {
    const [row] = top.filter(isObject)
    return row && isObject(row['metrics']) ? (row['metrics'][property] ?? null) : null
  }
  if (property in answer) return answer[property]
  throw noSuchPath(property, path)
}

function percentileOf(values: unknown, percent: number): unknown {
  if (Array.isArray(values))
    return values.filter(isObject).find((entry) => plainNumber(entry['key']) === percent)?.['value']
  return isObject(values) ? values[printDouble(percent)] : undefined
}

function asNumber(value: unknown, path: readonly string[]): number {
  const found = plainNumber(value)
  if (found === undefined) throw notSingle(path, `got: [${typeof value}] at aggregation`, path[0])
  return found
}

function notSingle(path: readonly string[], what: string, name: string | undefined): AppError {
  const which = name ?? path.join('>')
  return new AppError(
    searchErrors.aggregation_execution_exception,
    `buckets_path must reference either a number value or a single value numeric metric aggregation, ${what === '' ? `but [${which}] contains multiple values. Please specify which to use.` : `${what} [${which}]`}`,
  )
}

function noSuchPath(name: string, path: readonly string[]): AppError {
  return new AppError(
    searchErrors.aggregation_execution_exception,
    `Cannot find an aggregation named [${name}] in [${path.join('>')}]`,
  )
}

/** The answer of a name, also where names carry their type (`sum#total`). */
function namedAnswer(answers: JsonObject, name: string): unknown {
  if (Object.hasOwn(answers, name)) return answers[name]
  const typed = Object.keys(answers).find((key) => key.slice(key.indexOf('#') + 1) === name && key.includes('#'))
  return typed === undefined ? undefined : answers[typed]
}

function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Double)
}
