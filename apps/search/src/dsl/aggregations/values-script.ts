import { illegalArgument } from '../../refusals/refuse.ts'
import type { AggregationScript } from '../aggregation-script.ts'

/** What the values of a script alone are, by aggregation; those that are not named here take no script. */
const scriptedTypes: Readonly<Record<string, AggregationScript['type']>> = {
  auto_date_histogram: 'date',
  avg: 'double',
  boxplot: 'double',
  cardinality: 'keyword',
  date_histogram: 'date',
  date_range: 'date',
  extended_stats: 'double',
  histogram: 'double',
  max: 'double',
  median_absolute_deviation: 'double',
  min: 'double',
  percentile_ranks: 'double',
  percentiles: 'double',
  range: 'double',
  rare_terms: 'keyword',
  rate: 'double',
  stats: 'double',
  string_stats: 'keyword',
  sum: 'double',
  terms: 'keyword',
  value_count: 'keyword',
}

const byValueType: Readonly<Record<string, AggregationScript['type']>> = {
  string: 'keyword',
  byte: 'long',
  short: 'long',
  integer: 'long',
  long: 'long',
  float: 'double',
  double: 'double',
  number: 'double',
  date: 'date',
  boolean: 'boolean',
}

/**
 * The body of an aggregation with the field that its `script` computes instead of the script, and that script; undefined when it has none.
 * With `field` the script runs once for each of its values, as `_value`.
 */
export function scriptedBody(
  name: string,
  body: unknown,
): { readonly body: Readonly<Record<string, unknown>>; readonly script: AggregationScript } | undefined {
  const alone = Object.hasOwn(scriptedTypes, name) ? scriptedTypes[name] : undefined
  if (alone === undefined || body === null || typeof body !== 'object' || Array.isArray(body)) return undefined
  const { script, ...rest } = body as Readonly<Record<string, unknown>>
  if (script === undefined) return undefined
  const { field, value_type: valueType } = rest
  if (field !== undefined && typeof field !== 'string') throw illegalArgument(`[${name}] needs a name as its [field]`)
  const type = typeof valueType === 'string' ? byValueType[valueType] : undefined
  const path = `_values ${name} ${field ?? ''} ${String(valueType ?? '')} ${JSON.stringify(script)}`
  return {
    body: { ...rest, field: path },
    script: { path, script, over: field, type: type ?? alone, typeOfField: type === undefined && alone !== 'date' },
  }
}
